import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { ended, inTempDir, PROGRAMS, recording, rein, start } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

const POLICY = `name: undo
rules:
  - id: undo.files
    decision: allow
    paths:
      write: [./**]
    reason: The test writes in its own directory
`;

const CALLS = [
  { name: "write_file", arguments: { path: "new.txt", content: "new\n" } },
  {
    name: "edit_file",
    arguments: { path: "app.conf", old_text: "port = 80", new_text: "port = 8080" },
  },
];

const BEFORE = "port = 80\r\nhost = a\r\n";

for (const program of PROGRAMS) {
  /** A directory with a file, a policy that lets it be changed, and a folder for what lasts. */
  const test = (
    law: string,
    work: (cwd: string, env: Record<string, string>) => Promise<void>,
    ignore = false,
  ) =>
    Deno.test({
      name: `rein undo (${program.name}) ${law}`,
      ignore,
      fn: () =>
        inTempDir(async (made) => {
          const cwd = await Deno.realPath(made);
          await Deno.writeTextFile(`${cwd}/app.conf`, BEFORE);
          await Deno.chmod(`${cwd}/app.conf`, 0o640);
          await Deno.writeTextFile(`${cwd}/policy.yaml`, POLICY);
          await work(cwd, { XDG_STATE_HOME: `${cwd}/state` });
        }),
    });

  const state = (cwd: string) =>
    Promise.all(
      ["app.conf", "new.txt"].map((name) => Deno.readTextFile(`${cwd}/${name}`).catch(() => null)),
    );

  /** Lets a run make the changes. */
  const change = async (cwd: string, env: Record<string, string>) => {
    const model = await recording(cwd, [{ calls: CALLS }, { text: "Done." }]);
    const { code } = await rein(program, ["-m", model, "--policy", "policy.yaml", "go"], {
      cwd,
      env,
    });
    assertEquals([code, await state(cwd)], [0, ["port = 8080\r\nhost = a\r\n", "new\n"]]);
  };

  test("restores content and mode, and removes what was made", async (cwd, env) => {
    await change(cwd, env);
    const { code, stdout, stderr } = await rein(program, ["undo", "--yes"], { cwd, env });
    assertEquals([code, stderr, await state(cwd)], [0, "rein: restored 2 files\n", [BEFORE, null]]);
    assertMatch(stdout, /new\.txt {2}is removed: the run made it\n.*app\.conf {2}\+1 −1\n/);
    assertEquals(((await Deno.stat(`${cwd}/app.conf`)).mode ?? 0) & 0o777, 0o640);
    const again = await rein(program, ["undo", "--yes"], { cwd, env });
    assertMatch(again.stderr, /No session of .* has changed files that are not as they were/);
    assertEquals(again.code, 2);
  });

  test("restores nothing without a yes, or after somebody else's change", async (cwd, env) => {
    await change(cwd, env);
    const asked = await rein(program, ["undo"], { cwd, env });
    assertMatch(asked.stderr, /Nobody is at a terminal to say yes\. Restore them with --yes\./);
    await Deno.writeTextFile(`${cwd}/app.conf`, "mine");
    const refused = await rein(program, ["undo", "--yes"], { cwd, env });
    assertMatch(refused.stdout, /app\.conf: can't be restored, it was changed since by somebody/);
    assertEquals([asked.code, refused.code, await state(cwd)], [2, 2, ["mine", "new\n"]]);
  });

  test("asks at a terminal", async (cwd, env) => {
    await change(cwd, env);
    const no = new Pty(program, ["undo"], { cwd, env });
    await no.waitFor("Restore these files?");
    await no.type("\r");
    assertMatch((await no.end()).screen, /nothing was restored/);
    const yes = new Pty(program, ["undo"], { cwd, env });
    await yes.waitFor("Restore these files?");
    await yes.type("y\r");
    assertMatch((await yes.end()).screen, /restored 2 files/);
    assertEquals(await state(cwd), [BEFORE, null]);
  }, NO_PTY !== null);

  test("restores what a run changed that was killed", async (cwd, env) => {
    const asked = Promise.withResolvers<void>();
    const never = new Promise<void>(() => {});
    let requests = 0;
    const server = startModelServer(() => {
      if (requests++ === 0) return { calls: CALLS };
      asked.resolve();
      return { text: ["…"], gate: never };
    });
    const args = ["--base-url", server.baseUrl, "-m", "m", "--policy", "policy.yaml", "go"];
    const child = start(program, args, { cwd, env });
    const output = ended(child);
    await asked.promise;
    child.kill("SIGKILL");
    await output;
    assertEquals(await state(cwd), ["port = 8080\r\nhost = a\r\n", "new\n"]);
    const { code } = await rein(program, ["undo", "--yes"], { cwd, env });
    assertEquals([code, await state(cwd)], [0, [BEFORE, null]]);
    await server.close();
  });
}
