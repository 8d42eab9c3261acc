import { assertEquals, assertMatch } from "@std/assert";
import { sessionCommand } from "../../../lib/cli/repl/session_command.ts";
import type { RunOptions } from "../../../lib/cli/run_options.ts";
import { createDatabases } from "../../../lib/real/databases.ts";
import { createRealPorts } from "../../../lib/real/ports.ts";
import { inTempDir } from "../../_temp.ts";
import { aborted, FakeConsole, fakeEnvironment, FakeTerminal } from "../../fakes.ts";

const OPTIONS: RunOptions = {
  output: "text",
  quiet: false,
  policy: [],
  dryRun: false,
  continue: false,
};

/** A session at which these are typed, one after the other prompt. */
interface Sitting {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Person {
  /** What Ctrl-C does now, unless it ends the program. */
  press(): void;
  /** Resolves once stderr has a text. */
  sees(text: string): Promise<void>;
}

/** Sits at a session; `act` does what is not typed. */
async function sit(
  turns: readonly unknown[],
  typed: readonly string[],
  act: (person: Person) => Promise<void> = () => Promise.resolve(),
  options: Partial<RunOptions> = {},
  answers: readonly string[] = [],
): Promise<Sitting> {
  const recording = turns.map((turn) => `${JSON.stringify(turn)}\n`).join("");
  return await inTempDir({ "recording.jsonl": recording }, async (directory) => {
    const terminal = new FakeTerminal({ stdinIsTerminal: true, stdoutIsTerminal: true });
    terminal.stderrIsTerminal = true;
    terminal.openConsole = () => Promise.resolve(new FakeConsole(answers));
    const left = [...typed];
    terminal.keys = async function* (signal) {
      while (left.length > 0) yield left.shift()!;
      await aborted(signal);
    };
    const all = new AbortController();
    const pressing: (() => void)[] = [];
    const interrupts = {
      signal: all.signal,
      interrupt: () => all.abort(new Error("All is ended")),
      divert: (onInterrupt: () => void) => {
        pressing.push(onInterrupt);
        return () => void pressing.pop();
      },
    };
    const watched: { text: string; resolve: () => void }[] = [];
    const err = terminal.err.bind(terminal);
    terminal.err = async (text) => {
      await err(text);
      for (const { text, resolve } of watched) if (terminal.stderr.includes(text)) resolve();
    };
    const person: Person = {
      press: () => pressing.at(-1)?.(),
      sees: (text) =>
        new Promise((resolve) => {
          watched.push({ text, resolve });
          if (terminal.stderr.includes(text)) resolve();
        }),
    };
    const ports = {
      ...createRealPorts(),
      terminal,
      env: fakeEnvironment({ TERM: "xterm", NO_COLOR: "1" }),
      databases: createDatabases(`${directory}/state`),
    };
    const model = `recorded:${directory}/recording.jsonl`;
    const [code] = await Promise.all([
      sessionCommand({ ...OPTIONS, model, ...options }, ports, interrupts),
      act(person),
    ]);
    return { code, stdout: terminal.stdout, stderr: terminal.stderr };
  });
}

function shell(command: string) {
  return { calls: [{ name: "run_shell", arguments: { command } }] };
}

Deno.test("sessionCommand() goes on after questions, commands, and what is none", async () => {
  const { code, stdout, stderr } = await sit(
    [{ text: "One." }, { text: "Two." }],
    ["first\r", "/cost\r", "/nothing\r", "/model nowhere:x\r", "second\r", "/quit\r"],
  );
  assertEquals(code, 0);
  assertMatch(stdout, /^One\.\n\d+ tokens in, \d+ out, in 1 step; no prices are set\nTwo\.\n$/);
  assertMatch(stderr, /There is no command \/nothing/);
});

Deno.test("sessionCommand() ends what runs at the first Ctrl-C, all at the second", async () => {
  const slow = shell("trap '' INT TERM; echo begun; sleep 5.71");
  const { code, stderr } = await sit([slow, { text: "never" }], ["go\r"], async (person) => {
    await person.sees("▸ run_shell");
    person.press();
    person.press();
  });
  assertEquals(code, 130);
  assertMatch(stderr, /unfinished: it was interrupted/);
});

Deno.test("sessionCommand() ends the step alone where Ctrl-C is pressed at a question", async () => {
  const { code, stdout, stderr } = await sit(
    [shell("touch never"), { text: "Next." }],
    ["change it\r", "and now\r", "q\r"],
    undefined,
    {},
    ["\x03"],
  );
  assertEquals([code, stdout], [0, "Next.\n"]);
  assertMatch(stderr, /unfinished: it was interrupted/);
});

Deno.test("sessionCommand() keeps the history out of a session that is not kept", async () => {
  const { stderr } = await sit([{ text: "One." }], ["first\r", "q\r"], undefined, {
    session: false,
  });
  assertMatch(stderr, /nothing is kept/);
});

Deno.test("sessionCommand() undoes what a session changed that is not kept, as long as it lasts", async () => {
  await inTempDir({ "old.txt": "before\n" }, async (place) => {
    const [old, made] = [`${place}/old.txt`, `${place}/made.txt`];
    const calls = [old, made].map((path) => ({
      name: "write_file",
      arguments: { path, content: "after\n" },
    }));
    const { stdout } = await sit(
      [{ calls }, { text: "Done." }],
      ["change it\r", "/undo\r", "/undo\r", "q\r"],
      undefined,
      { session: false },
      ["y", "y"],
    );
    assertMatch(
      stdout,
      /made\.txt {2}is removed: the run made it\n[^]*There is nothing to undo\.\n/,
    );
    const names = [...Deno.readDirSync(place)].map(({ name }) => name);
    assertEquals([await Deno.readTextFile(old), names], ["before\n", ["old.txt"]]);
  });
});
