import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { inTempDir, PROGRAMS, recording } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

const QUESTION = "Allow it? ";

const POLICY = `name: asking
rules:
  - id: asking.file
    decision: ask
    paths:
      read: [./asked.txt]
    reason: The test wants to be asked
`;

for (const program of PROGRAMS) {
  const test = (law: string, fn: () => Promise<void>) =>
    Deno.test({ name: `rein (${program.name}) in a terminal ${law}`, ignore: NO_PTY !== null, fn });

  /** Lets a model ask for one changing command. */
  const asking = (work: (pty: Pty, cwd: string) => Promise<void>) =>
    inTempDir(async (cwd) => {
      const call = { name: "run_shell", arguments: { command: "touch made" } };
      const model = await recording(cwd, [{ calls: [call] }, { text: "So be it." }]);
      const pty = new Pty(program, ["-m", model, "make it"], { cwd });
      await pty.waitFor(QUESTION);
      await work(pty, cwd);
    });

  const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

  test("shows text as it comes", async () => {
    const gate = Promise.withResolvers<void>();
    const server = startModelServer(() => ({ text: ["first ", "second"], gate: gate.promise }));
    const pty = new Pty(program, ["--base-url", server.baseUrl, "-m", "m", "hi"]);
    await pty.waitFor("first ");
    gate.resolve();
    assertEquals(await pty.end(), { code: 0, screen: "first second\r\n" });
    await server.close();
  });

  test("runs a command that the person approves", () =>
    asking(async (pty, cwd) => {
      await pty.type("y\r");
      const { code, screen } = await pty.end();
      assertEquals([code, await exists(`${cwd}/made`)], [0, true]);
      // deno-lint-ignore no-control-regex -- what is risky is underlined
      assertMatch(screen, /run_shell wants to run:\s+\u001b\[1;4mtouch\u001b\[0m/);
      assertMatch(screen, /So be it\.\r\n$/);
    }));

  test("runs nothing that the person refuses", () =>
    asking(async (pty, cwd) => {
      await pty.type("n\r");
      const { code } = await pty.end();
      assertEquals([code, await exists(`${cwd}/made`)], [4, false]);
    }));

  test("prints nothing of other calls into a question", async () => {
    await inTempDir(async (cwd) => {
      const names = ["asked.txt", "one.txt", "two.txt"];
      for (const name of names) await Deno.writeTextFile(`${cwd}/${name}`, `${name}\n`);
      await Deno.writeTextFile(`${cwd}/policy.yaml`, POLICY);
      const calls = names.map((path) => ({ name: "read_file", arguments: { path } }));
      const model = await recording(cwd, [{ calls }, { text: "Read." }]);
      const pty = new Pty(program, ["-m", model, "--policy", "policy.yaml", "go"], { cwd });
      await pty.waitFor(QUESTION);
      await pty.type("x");
      await pty.waitFor("is no answer");
      await pty.type("y");
      const { code, screen } = await pty.end();
      const [, question = "", after = ""] = /(read_file wants [^]*Yes, once)([^]*)/.exec(screen) ??
        [];
      assertEquals([code, question.includes("[Step")], [0, false]);
      const order = [...after.matchAll(/\[Step 1\/15\] \S*read_file (\w+)/g)].map(([, name = ""]) =>
        name
      );
      assertEquals([order.slice(0, 2).sort(), order.slice(2)], [["one", "two"], ["asked"]]);
    });
  });

  test("ends at Ctrl-C while it asks", () =>
    asking(async (pty, cwd) => {
      await pty.type("\x03");
      const { code } = await pty.end();
      assertEquals([code, await exists(`${cwd}/made`)], [130, false]);
    }));

  test("ends at Ctrl-C while a tool runs", async () => {
    await inTempDir(async (cwd) => {
      const calls = ["echo begun", "sleep 47"].map((command) => ({
        name: "run_shell",
        arguments: { command },
      }));
      const model = await recording(cwd, [{ calls }, { text: "never" }]);
      const pty = new Pty(program, ["-m", model, "hi"], { cwd });
      await pty.waitFor("echo begun → 1 line");
      await pty.type("\x03");
      const { code, screen } = await pty.end();
      assertEquals(code, 130);
      assertMatch(screen, /unfinished: it was interrupted/);
    });
  });

  test("shows no control characters of the model or of a tool", async () => {
    await inTempDir(async (cwd) => {
      const call = { name: "run_shell", arguments: { command: "echo '\x1b]0;owned\x07'" } };
      const model = await recording(cwd, [{ calls: [call] }, { text: "red \x1b[31malert\x1b[0m" }]);
      for (const TERM of ["dumb", "xterm"]) {
        const pty = new Pty(program, ["-m", model, "hi"], { cwd, env: { TERM } });
        const { code, screen } = await pty.end();
        // What rein itself sends are styles and erased status lines.
        // deno-lint-ignore no-control-regex -- control characters are what this is about
        const own = TERM === "dumb" ? /$^/g : /\x1b\[(?:[\d;]*m|J)/g;
        const rest = screen.replace("\x1b[31m", "not ours").replace(own, "");
        assertEquals([code, rest.includes("\x1b")], [0, false]);
      }
    });
  });
}
