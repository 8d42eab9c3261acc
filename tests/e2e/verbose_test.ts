import { assertEquals, assertMatch } from "@std/assert";
import { startModelServer } from "../model_server.ts";
import { inTempDir, type Program, PROGRAMS, recording } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";
import { NO_TMUX, Tmux } from "./_tmux.ts";

const SHOWN = "What calls bring back is shown from here on; Ctrl-O hides it";
const HIDDEN = "What calls bring back is hidden from here on; Ctrl-O shows it";

/** A turn that calls the shell. */
function shell(command: string) {
  return { calls: [{ name: "run_shell", arguments: { command } }] };
}

/** A command that prints, and ends once the test says so. */
function waiting(name: string): string {
  return `echo ${name} 1; echo ${name} 2; tail -n +1 -f go-${name} | head -1`;
}

/** What stands on the screen of a run, without where it came from. */
function shownOf(screen: string): string[] {
  const lines = screen.split("\n").filter((line) =>
    !/^rein: the model is|not a live one$/.test(line)
  );
  return lines.slice(lines.findIndex((line) => /^\[Step|^rein> go/.test(line)));
}

/** Somebody at a terminal. */
interface Seat {
  readonly terminal: Tmux;
  readonly cwd: string;
  /** Lets the command of {@linkcode waiting} end. */
  go(name: string): Promise<void>;
}

/** Runs rein with these turns, and lets somebody sit there. */
function sitting(
  program: Program,
  turns: readonly unknown[],
  args: readonly string[],
  work: (seat: Seat) => Promise<void>,
): Promise<void> {
  return inTempDir(async (cwd) => {
    const model = await recording(cwd, turns);
    for (const name of ["a", "b"]) await Deno.writeTextFile(`${cwd}/go-${name}`, "");
    const env = { XDG_STATE_HOME: `${cwd}/state` };
    const terminal = await Tmux.start(program, ["-m", model, ...args], { cwd, env });
    const go = (name: string) => Deno.writeTextFile(`${cwd}/go-${name}`, `${name} end\n`);
    try {
      await work({ terminal, cwd, go });
    } finally {
      await terminal.close();
    }
  });
}

for (const program of PROGRAMS) {
  const test = (law: string, fn: () => Promise<void>) =>
    Deno.test({ name: `Ctrl-O (${program.name}) ${law}`, ignore: NO_TMUX !== null, fn });

  test("shows what the running call prints, then all of it, and leaves nothing else", () =>
    sitting(program, [shell(waiting("a")), { text: "Done." }], ["go"], async (seat) => {
      const { terminal, go } = seat;
      await terminal.until("the last line", (screen) => /▸ run_shell.* s · a 2$/m.test(screen));
      await terminal.press("C-o");
      const during = await terminal.waitFor(SHOWN);
      assertMatch(during, /▸ run_shell .* s\n {2}│ a 1\n {2}│ a 2\nWhat calls/);
      await go("a");
      await terminal.waitFor("[exit 0]");
      assertEquals(shownOf(await terminal.screen()).slice(1), [
        "  │ exit_code: 0",
        "  │ stdout:",
        "  │ a 1",
        "  │ a 2",
        "  │ a end",
        "  │ stderr:",
        "Done.",
        "[exit 0]",
      ]);
    }));

  test("pressed again hides what calls bring back from then on", () => {
    const turns = [shell("echo first; echo call"), shell(waiting("b")), { text: "Done." }];
    return sitting(program, turns, ["go"], async ({ terminal, go }) => {
      await terminal.until("the last line", (screen) => /s · b 2$/m.test(screen));
      await terminal.press("C-o");
      await terminal.waitFor(SHOWN);
      await terminal.press("C-o");
      await terminal.waitFor(HIDDEN);
      await go("b");
      await terminal.waitFor("[exit 0]");
      const lines = shownOf(await terminal.screen());
      assertEquals(lines.map((line) => line.replace(/run_shell .* →/, "run_shell →")), [
        "[Step 1/15] run_shell → 2 lines",
        "[Step 2/15] run_shell → 3 lines",
        "Done.",
        "[exit 0]",
      ]);
    });
  });

  test("shows what the newest call brought back where none runs", async () => {
    const gate = Promise.withResolvers<void>();
    let requests = 0;
    const server = startModelServer(async () => {
      if (requests++ === 0) return shell("echo first; echo call");
      await gate.promise;
      return { text: "Done." };
    });
    try {
      const args = ["--base-url", server.baseUrl, "-m", "m", "go"];
      await sitting(program, [], args, async ({ terminal }) => {
        await terminal.waitFor("[Step 1/15]");
        await terminal.press("C-o");
        await terminal.waitFor("│ call");
        gate.resolve();
        await terminal.waitFor("[exit 0]");
        assertEquals(shownOf(await terminal.screen()), [
          "[Step 1/15] run_shell echo first; echo call → 2 lines",
          "  │ exit_code: 0",
          "  │ stdout:",
          "  │ first",
          "  │ call",
          "  │ stderr:",
          "Done.",
          "[exit 0]",
        ]);
      });
    } finally {
      gate.resolve();
      await server.close();
    }
  });

  test("works at the prompt and for the runs of a session, and what is typed meanwhile is kept", () => {
    const turns = [shell(waiting("a")), { text: "One." }, { text: "Two." }];
    return sitting(program, turns, [], async ({ terminal, go }) => {
      await terminal.prompt(1);
      await terminal.press("C-o");
      await terminal.until("the note", (screen) => screen.endsWith(`rein>\n${SHOWN}`));
      await terminal.type("go");
      await terminal.until("no note", (screen) => screen.endsWith("rein> go"));
      await terminal.press("Enter");
      await terminal.until("the output", (screen) => /s\n {2}│ a 1\n {2}│ a 2$/m.test(screen));
      await terminal.type("ah");
      await terminal.press("C-o");
      await terminal.waitFor(HIDDEN);
      await terminal.type("ead");
      await terminal.press("C-o");
      await terminal.waitFor(SHOWN);
      await go("a");
      const screen = await terminal.until("what was typed", (now) => now.endsWith("rein> ahead"));
      assertEquals(shownOf(screen).map((line) => line.replace(/run_shell .* →/, "run_shell →")), [
        "rein> go",
        "[Step 1/15] run_shell → 3 lines",
        "  │ exit_code: 0",
        "  │ stdout:",
        "  │ a 1",
        "  │ a 2",
        "  │ a end",
        "  │ stderr:",
        "One.",
        "",
        "rein> ahead",
      ]);
      await terminal.press("Enter");
      await terminal.waitFor("Two.");
    });
  });

  test("leaves nothing behind where the terminal is made narrow meanwhile", () =>
    sitting(program, [shell(waiting("a")), { text: "Done." }], ["go"], async (seat) => {
      const { terminal, go } = seat;
      await terminal.until("the last line", (screen) => /s · a 2$/m.test(screen));
      await terminal.press("C-o");
      await terminal.until("the output", (screen) => /s\n {2}│ a 1\n {2}│ a 2/m.test(screen));
      await terminal.resize(40);
      await terminal.until("it narrow", (screen) => /^▸ run_shell.{1,30}\n {2}│ a 1/m.test(screen));
      await go("a");
      const screen = await terminal.waitFor("[exit 0]");
      assertEquals([(screen.match(/▸|What calls/g) ?? []).length, shownOf(screen).slice(1)], [0, [
        "  │ exit_code: 0",
        "  │ stdout:",
        "  │ a 1",
        "  │ a 2",
        "  │ a end",
        "  │ stderr:",
        "Done.",
        "[exit 0]",
      ]]);
    }));

  Deno.test({
    name: `Ctrl-O (${program.name}) works after a stop by Ctrl-Z, too`,
    ignore: NO_TMUX !== null,
    fn: () => {
      // The shell's own mode is the terminal's once the program has stopped.
      const line = `mode=$(stty -g); "$@"; stty "$mode"; fg`;
      const inShell: Program = {
        name: "bash",
        command: ["bash", "--norc", "-i", "-c", line, "bash", ...program.command],
      };
      return sitting(inShell, [shell(waiting("a")), { text: "Done." }], ["go"], async (seat) => {
        const { terminal, go } = seat;
        await terminal.until("the last line", (screen) => /s · a 2$/m.test(screen));
        await terminal.press("C-z");
        await terminal.waitFor("Stopped");
        await terminal.until("it again", (screen) => /Stopped[^]*▸ run_shell/.test(screen));
        await terminal.press("C-o");
        await terminal.waitFor("│ a 2");
        await go("a");
        await terminal.waitFor("│ a end");
        await terminal.waitFor("Done.");
      });
    },
  });

  test("pressed before an approval is no answer, and neither is what was typed", () =>
    sitting(program, [shell(waiting("a")), shell("touch made")], ["go"], async (seat) => {
      const { terminal, go } = seat;
      await terminal.until("the last line", (screen) => /s · a 2$/m.test(screen));
      await terminal.type("yya");
      await terminal.press("C-o");
      await terminal.waitFor(SHOWN);
      await terminal.type("y");
      await go("a");
      await terminal.waitFor("Allow it?");
      await terminal.press("C-o");
      await terminal.waitFor("is no answer");
      await terminal.press("n");
      await terminal.waitFor("Allow it? No");
      assertEquals(await Deno.stat(`${seat.cwd}/made`).then(() => true, () => false), false);
    }));

  Deno.test({
    name:
      `rein (${program.name}) in the background of a terminal is not stopped by looking out for keys`,
    ignore: NO_PTY !== null,
    fn: () =>
      inTempDir(async (cwd) => {
        const model = await recording(cwd, [shell("sleep 0.5; echo x"), { text: "Done." }]);
        const words = [...program.command, "-m", model, "go"].map((word) => `'${word}'`).join(" ");
        const line = `set -m; ${words} & wait; echo "state $(jobs -l | grep -c Stopped)"`;
        const pty = new Pty({ name: "bash", command: ["bash", "-c", line] }, [], { cwd });
        await pty.waitFor("state ");
        const { screen } = await pty.end();
        assertMatch(screen, /Done\.\r\n[^]*state 0/);
      }),
  });

  Deno.test({
    name: `rein (${program.name}) leaves the terminal as it was after a run`,
    ignore: NO_PTY !== null,
    fn: () =>
      inTempDir(async (cwd) => {
        const model = await recording(cwd, [shell("sleep 0.3"), { text: "Done." }]);
        const words = [...program.command, "-m", model, "go"].map((word) => `'${word}'`).join(" ");
        const line = `stty -g > before; ${words}; stty -g > after`;
        await new Pty({ name: "bash", command: ["bash", "-c", line] }, [], { cwd }).end();
        const [before, after] = await Promise.all(
          ["before", "after"].map((name) => Deno.readTextFile(`${cwd}/${name}`)),
        );
        assertEquals(after, before);
      }),
  });
}
