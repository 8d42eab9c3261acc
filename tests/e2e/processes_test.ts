import { assertEquals } from "@std/assert";
import { environment, inTempDir, type Program, PROGRAMS, recording, rein } from "./_program.ts";

/** Seconds that no other process sleeps, so that a process left over can be told. */
let seconds = 5100 + (Deno.pid % 1000) / 1000;

/** A command line of which nothing else runs. */
function unique(): string {
  return `sleep ${(seconds += 1).toFixed(3)}`;
}

/** Ends what a test let escape on purpose, and says how many there were. */
async function sweep(command: string): Promise<number> {
  const pids = await pidsOf(command);
  for (const pid of pids) Deno.kill(pid, "SIGKILL");
  return pids.length;
}

async function pidsOf(command: string): Promise<number[]> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-f", `^${command}`] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").filter(Boolean).map(Number);
}

interface Ran {
  readonly status: string;
  readonly data: { readonly note?: string; readonly stdout?: string; readonly exit_code?: number };
  readonly ms: number;
  /** Processes that were still there after the run, and are ended now. */
  readonly left: number;
}

/** Runs one command and looks for what is left of it. */
async function run(
  program: Program,
  command: string,
  options: { readonly sleeper: string; readonly timeoutMs?: number },
): Promise<Ran> {
  return await inTempDir(async (cwd) => {
    const timeout = options.timeoutMs === undefined ? {} : { timeout_ms: options.timeoutMs };
    const call = { name: "run_shell", arguments: { command, ...timeout } };
    const model = await recording(cwd, [{ calls: [call] }, { text: "ok" }]);
    const { stdout } = await rein(program, ["-m", model, "-o", "jsonl", "hi"], { cwd });
    const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const { observation, ms } = events.find(({ type }) => type === "call_finished");
    const left = await sweep(options.sleeper);
    return { status: observation.status, data: observation.data ?? {}, ms, left };
  });
}

/** Commands that try to outlive their call; `S` sleeps for minutes. */
const CASES: readonly {
  readonly command: string;
  readonly timeoutMs?: number;
  readonly status: string;
  /** Processes that live on, which are reported. */
  readonly left?: number;
  readonly note?: RegExp;
}[] = [
  { command: "(S &)", status: "success", note: /Background processes were ended/ },
  { command: "S &", status: "success", note: /Background processes were ended/ },
  { command: "( (while :; do echo tick; S; done) & )", status: "success", note: /were ended/ },
  { command: "setsid S", status: "success", left: 1, note: /still there: \d+ \(sleep/ },
  { command: "setsid sh -c 'echo tick; exec S' & echo begun", status: "success", left: 1 },
  { command: "S", timeoutMs: 300, status: "timeout" },
  { command: "trap '' TERM; S; S", timeoutMs: 300, status: "timeout" },
  { command: "(S &); cat; S", timeoutMs: 300, status: "timeout" },
  {
    command: "setsid sh -c 'setsid S & wait' > /dev/null & S",
    timeoutMs: 300,
    status: "timeout",
    note: /were ended: \d+/,
  },
];

/** Starts rein in a group of its own on one command, sends a signal, and takes the time. */
async function interrupted(
  program: Program,
  command: string,
  options: { readonly sleeper: string; readonly send: (pid: number) => void },
): Promise<{ code: number; ms: number; left: number }> {
  return await inTempDir(async (cwd) => {
    const call = { name: "run_shell", arguments: { command } };
    const model = await recording(cwd, [{ calls: [call] }, { text: "never" }]);
    const [path, ...before] = program.command;
    const child = new Deno.Command(path, {
      args: [...before, "-q", "-m", model, "hi"],
      cwd,
      clearEnv: true,
      env: environment(),
      stdin: "null",
      stdout: "null",
      stderr: "null",
      detached: true,
    }).spawn();
    while ((await pidsOf(options.sleeper)).length === 0) {
      await new Promise((go) => setTimeout(go, 20));
    }
    const begunMs = performance.now();
    options.send(child.pid);
    const { code } = await child.status;
    const ms = performance.now() - begunMs;
    return { code, ms, left: await sweep(options.sleeper) };
  });
}

const SIGNALS = [
  ["SIGINT to the process", 130, (pid: number) => Deno.kill(pid, "SIGINT")],
  ["SIGINT to the group", 130, (pid: number) => Deno.kill(-pid, "SIGINT")],
  ["SIGINT twice", 130, (pid: number) => {
    Deno.kill(pid, "SIGINT");
    Deno.kill(-pid, "SIGINT");
  }],
  ["SIGTERM", 143, (pid: number) => Deno.kill(pid, "SIGTERM")],
] as const;

/** More commands that are interrupted. */
const INTERRUPTED = [
  "trap '' TERM INT; S; S",
  "(S &); cat; S",
  "(setsid S &); S",
  "( (while :; do echo tick; S; done) & ); S",
];

for (const program of PROGRAMS) {
  for (const { command, timeoutMs, status, left = 0, note } of CASES) {
    Deno.test(`rein (${program.name}) has an end with: ${command}`, async () => {
      const sleeper = unique();
      const ran = await run(program, command.replaceAll(/\bS\b/g, sleeper), {
        sleeper,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      });
      const noted = note === undefined || note.test(ran.data.note ?? "");
      const inTime = ran.ms < (timeoutMs ?? 0) + 2500;
      assertEquals([ran.status, ran.left, noted, inTime], [status, left, true, true]);
    });
  }

  const endsAt = ([what, exitCode, send]: typeof SIGNALS[number], command: string) =>
    Deno.test(`rein (${program.name}) ends at ${what} during: ${command}`, async () => {
      const sleeper = unique();
      const line = command.replaceAll(/\bS\b/g, sleeper);
      const { code, ms, left } = await interrupted(program, line, { sleeper, send });
      // A second, and half of one for a machine that has other things to do.
      assertEquals([code, left, ms < 1500 || ms], [exitCode, 0, true]);
    });

  for (const signal of SIGNALS) endsAt(signal, "S");
  for (const command of INTERRUPTED) endsAt(SIGNALS[0], command);
}
