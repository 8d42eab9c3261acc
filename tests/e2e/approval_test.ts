import { assertEquals, assertMatch } from "@std/assert";
import type { Event } from "../../lib/events.ts";
import type { Observation } from "../../lib/types.ts";
import { inTempDir, type Program, PROGRAMS, recording, SOURCE } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

const QUESTION = "Allow it? ";

/** A command that changes something. */
const shell = (command: string) => ({ name: "run_shell", arguments: { command } });

/** A person at a terminal, in front of a program whose events go to a file. */
interface Seat {
  readonly pty: Pty;
  readonly cwd: string;
  /** Ends it: the exit code, the screen, and what was answered. */
  end(): Promise<{ code: number; screen: string; answers: unknown[]; results: Observation[] }>;
}

/** How the person sits there. */
interface Seating {
  readonly columns?: number;
  readonly term?: string;
  /** What stands before and after the program in the shell's line. */
  readonly before?: string;
  readonly after?: string;
}

async function eventsIn(path: string): Promise<Event[]> {
  const text = await Deno.readTextFile(path);
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Runs these calls, one a turn, for a person who sits there like that. */
function seated(
  program: Program,
  calls: readonly unknown[],
  work: (seat: Seat) => Promise<void>,
  { columns = 80, term = "xterm", before = "", after = "" }: Seating = {},
): Promise<void> {
  return inTempDir(async (cwd) => {
    const turns = [...calls.map((call) => ({ calls: [call] })), { text: "So be it." }];
    const model = await recording(cwd, turns);
    const line = `stty cols ${columns} rows 24; ${before} "$@" > events.jsonl ${after}`;
    const inShell: Program = { name: "sh", command: ["sh", "-c", line] };
    const args = ["sh", ...program.command, "-o", "jsonl", "-m", model, "go"];
    const pty = new Pty(inShell, args, { cwd, env: { TERM: term } });
    await work({
      pty,
      cwd,
      end: async () => {
        const { code, screen } = await pty.end();
        const events = await eventsIn(`${cwd}/events.jsonl`);
        return {
          code,
          screen,
          answers: events.flatMap((event) =>
            event.type === "approval_answered" ? [event.approval] : []
          ),
          results: events.flatMap((event) =>
            event.type === "call_finished" ? [event.observation] : []
          ),
        };
      },
    });
  });
}

const exists = (path: string) => Deno.stat(path).then(() => true, () => false);

const YES = { granted: true, by: "person", scope: "once" };
const NO = { granted: false, by: "person", scope: "once", reason: null };

for (const program of PROGRAMS) {
  const test = (law: string, fn: () => Promise<void>) =>
    Deno.test({ name: `approval (${program.name}) ${law}`, ignore: NO_PTY !== null, fn });

  const touch = [shell("touch made")];

  test("runs a call once at y, and says what it would do before", () =>
    seated(program, [shell("touch made && rm -f old")], async ({ pty, cwd, end }) => {
      await pty.waitFor(QUESTION);
      await pty.type("y");
      const { code, screen, answers } = await end();
      assertEquals([code, answers, await exists(`${cwd}/made`)], [0, [YES], true]);
      assertMatch(screen, /would delete:\s+old\s+would write:\s+made\s+y yes, once/);
      assertMatch(screen, /Allow it\? Yes, once/);
    }));

  test("asks once about a call that is always allowed", () =>
    seated(program, [shell("echo x >> made"), shell("echo x >> made")], async (seat) => {
      await seat.pty.waitFor(QUESTION);
      await seat.pty.type("a");
      const { code, answers } = await seat.end();
      const session = { granted: true, scope: "session" };
      assertEquals([code, answers, await Deno.readTextFile(`${seat.cwd}/made`)], [
        0,
        [{ ...session, by: "person" }, { ...session, by: "session" }],
        "x\nx\n",
      ]);
    }));

  test("runs nothing at n, and Enter and other keys are no answer", () =>
    seated(program, touch, async ({ pty, cwd, end }) => {
      await pty.waitFor(QUESTION);
      await pty.type("\r");
      await pty.waitFor("Enter alone is no answer");
      await pty.type("ö");
      await pty.waitFor('"ö" is no answer');
      await pty.type("yes\r");
      await pty.waitFor("More than one key at once is no answer");
      await pty.type("n");
      const { code, answers } = await end();
      assertEquals([code, answers, await exists(`${cwd}/made`)], [4, [NO], false]);
    }));

  test("tells the model the words of a person who presses w", () =>
    seated(program, touch, async ({ pty, end }) => {
      await pty.waitFor(QUESTION);
      await pty.type("w");
      await pty.waitFor("Why not? ");
      await pty.type("先看一下x\u007f\r");
      const { answers, results } = await end();
      assertEquals(answers, [{ ...NO, reason: "先看一下" }]);
      assertMatch(
        results[0]?.error?.message ?? "",
        /^A person said no \(in these words: "先看一下"\)/,
      );
    }));

  test("ends the run at s", () =>
    seated(program, touch, async ({ pty, cwd, end }) => {
      await pty.waitFor(QUESTION);
      await pty.type("s");
      const { code, answers } = await end();
      assertEquals([code, answers, await exists(`${cwd}/made`)], [
        130,
        [{ ...NO, scope: "run" }],
        false,
      ]);
    }));

  test("counts no key that was typed before the question", () =>
    seated(program, [shell("sleep 1"), ...touch], async ({ pty, cwd, end }) => {
      await pty.type("yyay\ry");
      await pty.waitFor(QUESTION);
      await pty.type("n");
      const { answers } = await end();
      assertEquals([answers, await exists(`${cwd}/made`)], [[NO], false]);
    }));

  // The executable may be made of a runtime before 2.8, which can't read another terminal than stdin.
  const piped = program === SOURCE ? test : () => {};

  piped(
    "asks at the terminal while stdin is a pipe",
    () =>
      seated(program, touch, async ({ pty, cwd, end }) => {
        await pty.waitFor(QUESTION);
        await pty.type("y");
        const { code, answers } = await end();
        assertEquals([code, answers, await exists(`${cwd}/made`)], [0, [YES], true]);
      }, { before: "printf data |" }),
  );

  test("says no where stderr is no terminal, whatever stdin is", () =>
    seated(program, touch, async ({ end }) => {
      const { code, answers } = await end();
      const reason = "nobody is at a terminal to give it";
      assertEquals([code, answers], [4, [{ granted: false, by: "nobody", reason }]]);
    }, { after: "2> errors" }));

  test("works on a terminal of 40 columns that can't do anything", () =>
    seated(
      program,
      [shell("touch 很长的文件名字一二三四五六七八九十 made")],
      async ({ pty, end }) => {
        await pty.waitFor(QUESTION);
        await pty.type("x");
        await pty.waitFor("is no answer");
        await pty.type("w");
        await pty.waitFor("Why not? ");
        await pty.type("no\r");
        const { screen, answers } = await end();
        assertEquals(answers, [{ ...NO, reason: "no" }]);
        assertEquals(screen.includes("\u001b"), false);
        assertMatch(
          screen,
          /\n {4}touch 很长的文件名字一二三四五六七八\r?\n {4}~{5} ~{30}\r?\n {4}九十 made/u,
        );
      },
      { columns: 40, term: "dumb" },
    ));

  test("leaves the terminal as it was", () =>
    seated(program, touch, async ({ pty, end }) => {
      await pty.waitFor(QUESTION);
      await pty.type("n");
      const { screen } = await end();
      assertMatch(screen, /isig icanon iexten echo echoe/);
    }, { after: "; stty -a >&2" }));
}
