import { assertEquals, assertMatch } from "@std/assert";
import { inTempDir, PROGRAMS, recording } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

interface Asked {
  readonly pty: Pty;
  readonly cwd: string;
  readonly home: string;
}

for (const program of PROGRAMS) {
  /** Lets a model ask for one call that changes something, and waits for the question. */
  const test = (law: string, call: unknown, work: (asked: Asked) => Promise<void>) =>
    Deno.test({
      name: `rein (${program.name}) ${law}`,
      ignore: NO_PTY !== null,
      fn: () =>
        inTempDir(async (cwd) => {
          const home = `${cwd}/home`;
          await Deno.mkdir(home);
          await Deno.writeTextFile(`${cwd}/app.conf`, "port = 80\r\nhost = a\r\n");
          const model = await recording(cwd, [{ calls: [call] }, { text: "Done." }]);
          // The runtime looks for its cache below HOME; the state folder is what is tested.
          const env = { XDG_STATE_HOME: home };
          const pty = new Pty(program, ["-m", model, "go"], { cwd, env });
          await pty.waitFor("Allow it? ");
          await work({ pty, cwd, home });
        }),
    });

  const edit = {
    name: "edit_file",
    arguments: { path: "app.conf", old_text: "port = 80\n", new_text: "port = 8080\n" },
  };

  test("shows a change before it makes it", edit, async ({ pty, cwd }) => {
    await pty.type("y\r");
    const { code, screen } = await pty.end();
    assertMatch(screen, /what it would do:\s+@@ -1,2 \+1,2 @@\s+-port = 80\s+\+port = 8080/);
    assertEquals([code, await Deno.readTextFile(`${cwd}/app.conf`)], [
      0,
      "port = 8080\r\nhost = a\r\n",
    ]);
  });

  test("changes nothing that the person refuses", edit, async ({ pty, cwd }) => {
    await pty.type("n\r");
    const { code } = await pty.end();
    assertEquals([code, await Deno.readTextFile(`${cwd}/app.conf`)], [
      4,
      "port = 80\r\nhost = a\r\n",
    ]);
  });

  const keep = { name: "remember", arguments: { key: "主库", value: "北京机房" } };

  test("remembers in the state folder and recalls in a later run", keep, async (asked) => {
    const { pty, cwd, home } = asked;
    await pty.type("y\r");
    assertEquals((await pty.end()).code, 0);
    const recall = { name: "recall", arguments: { query: "机房" } };
    const model = await recording(cwd, [{ calls: [recall] }, { text: "Done." }]);
    const env = { XDG_STATE_HOME: home };
    const { screen } = await new Pty(program, ["-m", model, "go"], { cwd, env }).end();
    assertMatch(screen, /recall 机房 → 1 match/);
    assertEquals((Deno.statSync(`${home}/rein/memory.db`).mode ?? 0) & 0o777, 0o600);
  });
}
