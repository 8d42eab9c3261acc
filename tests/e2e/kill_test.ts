import { assertEquals } from "@std/assert";
import type { Event } from "../../lib/events.ts";
import { type Ended, ended, inTempDir, recording, REIN, SOURCE, start } from "./_program.ts";

/** Moments at which the executable is killed. Source: the issue of sessions. */
const KILLS = 200;

/** The program from source starts slowly, and is the same program. */
const SOURCE_KILLS = 20;

/** Trials at the same time: each waits for the disk and for programs most of its time. */
const AT_ONCE = 4;

/** Every so many processes is killed when a call begins, wherever the others are. */
const IN_CALL = 4;

/** Changes of a run, each a line that must never be written twice. */
const CHANGES = 8;

const POLICY = `name: kill
rules:
  - id: kill.files
    decision: allow
    paths:
      write: [./made/**]
    reason: The test writes in its own directory
`;

/** Steps that change twice and read twice, and an answer. */
const TURNS = [
  ...Array.from({ length: CHANGES }, (_, step) => ({
    text: `Step ${step}.`,
    calls: [
      { name: "write_file", arguments: { path: `made/${step}.txt`, content: `${step}\n` } },
      { name: "run_shell", arguments: { command: `echo change${step} >> made/changes` } },
      { name: "read_file", arguments: { path: `made/${step}.txt` } },
      { name: "list_files", arguments: { path: "made" } },
    ],
  })),
  { text: "All is done." },
];

const ANSWER = "All is done.";

/** What a trial came to, apart from where it was killed. */
interface Trial {
  readonly answer: string | null;
  /** Calls without exactly one observation. */
  readonly lost: readonly string[];
  /** Changes that were made twice, or that were observed and are not there. */
  readonly wrong: readonly string[];
  readonly starts: number;
  readonly interrupted: number;
}

function args(model: string): string[] {
  return ["-m", model, "--policy", "policy.yaml", "--max-steps", "50", "-o", "jsonl"];
}

/** When a process is killed: after so many milliseconds, or once so many calls have begun. */
type Moment = { readonly afterMs: number } | { readonly call: number };

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has just ended by itself.
  }
}

/** Reads a process's events, and kills it when a call begins: it is then in the middle of it. */
async function killAtCall(child: Deno.ChildProcess, call: number): Promise<string> {
  let text = "";
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.split('"type":"call_started"').length > call) kill(child);
  }
  return text;
}

/** Starts rein and kills it; null if it ended before. */
async function killed(child: Deno.ChildProcess, moment: Moment): Promise<Ended | null> {
  const timer = "afterMs" in moment ? setTimeout(() => kill(child), moment.afterMs) : undefined;
  const [stdout, stderr, { code, signal }] = await Promise.all([
    killAtCall(child, "call" in moment ? moment.call : Infinity),
    new Response(child.stderr).text(),
    child.status,
  ]);
  clearTimeout(timer);
  return signal === "SIGKILL" ? null : { code, stdout, stderr };
}

function eventsOf({ stdout }: Ended): Event[] {
  return stdout.trim().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

function lostCalls(events: readonly Event[]): string[] {
  const proposed = events.flatMap((event) =>
    event.type === "turn_finished" ? event.calls.map(({ id }) => id) : []
  );
  const observed = events.flatMap((event) => event.type === "call_finished" ? [event.call_id] : []);
  return proposed.filter((id) => observed.filter((other) => other === id).length !== 1);
}

/** The answer of the newest run, which is in the session even if nobody could read it any more. */
function answerOf(events: readonly Event[]): string | null {
  const end = events.findLast(({ type }) => type === "run_finished");
  return end?.type === "run_finished" ? end.result.answer : null;
}

async function wrongChanges(cwd: string, events: readonly Event[]): Promise<string[]> {
  const text = await Deno.readTextFile(`${cwd}/made/changes`).catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const observed = events.flatMap((event) =>
    event.type === "call_finished" && event.tool === "run_shell" &&
      event.observation.status === "success"
      ? [event.brief.replace(/^echo (\S+) .*$/, "$1")]
      : []
  );
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
  return [...twice, ...observed.filter((change) => !lines.includes(change))];
}

/** Kills a run at these moments, each in a process of its own, and resumes it each time. */
async function trial(moments: readonly Moment[]): Promise<Trial> {
  const program = REIN ?? SOURCE;
  return await inTempDir(async (cwd) => {
    await Deno.writeTextFile(`${cwd}/policy.yaml`, POLICY);
    await Deno.mkdir(`${cwd}/made`);
    const model = await recording(cwd, TURNS);
    const settings = { cwd, env: { XDG_STATE_HOME: `${cwd}/state` } };
    const first = ["--session", "s", ...args(model), "go"];
    const again = ["resume", "s", ...args(model)];
    let last: Ended | null = null;
    let starts = 0;
    for (const moment of moments) {
      last = await killed(start(program, starts++ === 0 ? first : again, settings), moment);
      if (last !== null) break;
    }
    if (last === null) last = await ended(start(program, again, settings));
    const exported = () => ended(start(program, ["sessions", "export", "s"], settings));
    let stored = eventsOf(await exported());
    // Killed before anything was kept: there is nothing to resume, and nothing was done.
    if (stored.length === 0) {
      await ended(start(program, first, settings));
      stored = eventsOf(await exported());
    }
    const interrupted = stored.filter((event) =>
      event.type === "call_finished" && event.observation.error?.code === "interrupted"
    ).length;
    return {
      answer: answerOf(stored),
      lost: lostCalls(stored),
      wrong: await wrongChanges(cwd, stored),
      starts,
      interrupted,
    };
  });
}

/** Runs trials a few at a time; the first one tells how long a run takes. */
async function trials(count: number): Promise<{ trials: Trial[]; wholeMs: number }> {
  const began = performance.now();
  await trial([{ afterMs: 600_000 }]);
  const wholeMs = performance.now() - began;
  const waiting = Array.from({ length: count }, (_, index) => index);
  const done: Trial[] = [];
  const random = (index: number): Moment =>
    index % IN_CALL === 0
      ? { call: 1 + Math.floor(Math.random() * 2 * CHANGES) }
      : { afterMs: Math.random() * wholeMs };
  const worker = async () => {
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      // A process that is resumed is killed as well, every other time.
      done.push(await trial([random(index), random(index + 1)].slice(0, 1 + index % 2)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return { trials: done, wholeMs };
}

Deno.test({
  name: `rein (${(REIN ?? SOURCE).name}) that is killed at any moment loses and repeats nothing`,
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const { trials: all } = await trials(REIN === null ? SOURCE_KILLS : KILLS);
    const bad = all.filter(({ answer, lost, wrong }) =>
      answer !== ANSWER || lost.length > 0 || wrong.length > 0
    );
    assertEquals(bad, []);
    // Some were killed in the middle of a call, or the moments were no test.
    assertEquals(all.some(({ interrupted }) => interrupted > 0), true);
  },
});
