import { assertEquals } from "@std/assert";
import { inTempDir, type Program, PROGRAMS, recording, rein, start } from "./_program.ts";

/** Seconds that no other process sleeps, so that a process left over can be told. */
let seconds = 5100 + (Deno.pid % 1000) / 1000;

/** A command line of which nothing else runs. */
function unique(): string {
  return `sleep ${(seconds += 1).toFixed(3)}`;
}

async function pidsOf(command: string): Promise<number[]> {
  const { stdout } = await new Deno.Command("pgrep", { args: ["-f", `^${command}`] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").filter(Boolean).map(Number);
}

/** Allows every command: the tests are about what is done, not about what may be done. */
const POLICY = `version: 1
defaults:
  execute: allow
`;

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
    await Deno.writeTextFile(`${cwd}/p.yaml`, POLICY);
    const args = ["-m", model, "--policy", "p.yaml", "-o", "jsonl", "hi"];
    const { stdout } = await rein(program, args, { cwd });
    const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
    const { observation, ms } = events.find(({ type }) => type === "call_finished");
    const left = await pidsOf(options.sleeper);
    for (const pid of left) Deno.kill(pid, "SIGKILL");
    return { status: observation.status, data: observation.data ?? {}, ms, left: left.length };
  });
}
