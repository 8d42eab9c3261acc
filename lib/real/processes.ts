/**
 * Running real programs, each in a process group of its own.
 *
 * @module
 */

import type { EscapedProcess, Processes, ProcessExit, ProcessSpec } from "../ports.ts";
import { findEscaped, MARK } from "./escaped.ts";

/** Time for a group to end by itself after SIGTERM, in milliseconds. */
const GRACE_MS = 400;

/** Time for output to end after the program has ended, in milliseconds. */
const DRAIN_MS = 200;

/** A command that took this long, in milliseconds, is looked after. Source: 20 times the cost. */
const LOOK_AFTER_MS = 100;

/** Words by which a command leaves its group on purpose; a redirection's `&` is none. */
const ESCAPING = /(?<![<>&|])&(?![&>\d-])|\b(setsid|nohup|disown|coproc|daemon\w*|start)\b/;

/** The processes of this machine, with a way to end all of them at once. */
export interface KillableProcesses extends Processes {
  /** Kills every running group, now. */
  killAll(): void;
}

/** Resolves to true if the promise settles within the time. */
async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true as const, () => true as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Signals a group; returns whether it is there. */
function signalGroup(pid: number, signal: Deno.Signal): boolean {
  try {
    Deno.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

function killProcess(pid: number): boolean {
  try {
    Deno.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

/** Signals the group of a program that was started, or the program if its group is yet to form. */
function signalAll(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    if (!signalGroup(child.pid, signal)) child.kill(signal);
  } catch {
    // Gone already.
  }
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  sink: (bytes: Uint8Array) => void,
): Promise<void> {
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      sink(value);
    }
  } catch {
    // Cancelled: whoever cancelled knows why.
  }
}

/** Writes to a program's stdin for as long as it reads. */
async function feed(child: Deno.ChildProcess, input: AsyncIterable<Uint8Array>): Promise<void> {
  const writer = child.stdin.getWriter();
  const pieces = input[Symbol.asyncIterator]();
  const gone = child.status.then(() => ({ done: true, value: undefined }) as const);
  try {
    while (true) {
      const next = await Promise.race([pieces.next(), gone]);
      if (next.done) break;
      await writer.write(next.value);
    }
    await writer.close();
  } catch {
    // It does not read any more; its output and exit code say the rest.
  } finally {
    // Not awaited: a generator that waits for its next piece ends when that comes.
    void pieces.return?.().catch(() => {});
  }
}

function start(program: string, args: readonly string[], spec: ProcessSpec, detached: boolean) {
  return new Deno.Command(program, {
    args: [...args],
    cwd: spec.cwd,
    env: { ...spec.env },
    clearEnv: true,
    stdin: spec.input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    detached,
  }).spawn();
}

/** What was found to be there, by name and `PATH`: a look costs a quarter of a millisecond. */
const found = new Map<string, boolean>();

/** Whether a program is there, as far as may be seen; looked for once. */
function isThere(program: string, path = ""): boolean {
  const key = `${program}\n${path}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const there = lookFor(program, path);
  found.set(key, there);
  return there;
}

function lookFor(program: string, path: string): boolean {
  const places = program.includes("/") ? [program] : path.split(":").map((d) => `${d}/${program}`);
  return places.some((place) => {
    try {
      return Deno.statSync(place).isFile;
    } catch {
      return false;
    }
  });
}

/**
 * Starts a program as the leader of a group, by setsid(1) where there is one:
 * Deno forks for a detached child, which copies rein's page tables and costs
 * 1 to 3 ms, and does not for others.
 */
function spawn(spec: ProcessSpec): Deno.ChildProcess {
  const bySetsid = ["setsid", spec.program].every((name) => isThere(name, spec.env["PATH"]));
  return bySetsid
    ? start("setsid", [spec.program, ...spec.args], spec, false)
    : start(spec.program, spec.args, spec, true);
}

/** SIGTERM at once, SIGKILL for what is left after the grace time. */
async function endGroup(child: Deno.ChildProcess): Promise<void> {
  signalAll(child, "SIGTERM");
  await settlesWithin(child.status, GRACE_MS);
  signalGroup(child.pid, "SIGKILL");
}

/** A program while it runs. */
class Supervision {
  readonly child: Deno.ChildProcess;
  readonly #spec: ProcessSpec;
  readonly #mark: string;
  readonly #signal: AbortSignal;
  readonly #begunMs = performance.now();

  constructor(spec: ProcessSpec, signal: AbortSignal) {
    this.#mark = crypto.randomUUID();
    this.child = spawn({ ...spec, env: { ...spec.env, [MARK]: this.#mark } });
    this.#spec = spec;
    this.#signal = signal;
  }

  /** Follows the program to its end; afterwards nothing of its group is left. */
  async end(): Promise<ProcessExit> {
    const { stdout, stderr, pid, status } = this.child;
    const readers = [stdout.getReader(), stderr.getReader()] as const;
    const spec = this.#spec;
    if (spec.input !== undefined) void feed(this.child, spec.input);
    const output = Promise.all([pump(readers[0], spec.stdout), pump(readers[1], spec.stderr)]);
    const onAbort = () => void endGroup(this.child);
    if (this.#signal.aborted) onAbort();
    this.#signal.addEventListener("abort", onAbort, { once: true });
    try {
      const { code, signal } = await status;
      await settlesWithin(output, DRAIN_MS);
      const groupEnded = signalGroup(pid, "SIGKILL") && !this.#signal.aborted;
      const closed = await settlesWithin(output, DRAIN_MS);
      const escaped = await this.#escaped(!closed);
      if (!closed) await Promise.all(readers.map((reader) => reader.cancel().catch(() => {})));
      await output;
      const exit = { code, signal, outputHeld: !closed };
      return { ...exit, ...groupEnded && { groupEnded }, ...escaped.length > 0 && { escaped } };
    } finally {
      this.#signal.removeEventListener("abort", onAbort);
    }
  }

  /** What left the group; it is ended if the run was, since nobody else would. */
  async #escaped(held: boolean): Promise<EscapedProcess[]> {
    const { aborted } = this.#signal;
    if (!held && !aborted && !this.#mayEscape()) return [];
    const found = await findEscaped(this.#mark, this.child.pid);
    return found.map((process) => ({ ...process, ended: aborted && killProcess(process.pid) }));
  }

  /** Looking costs some milliseconds: worth it after a while, or where the words give reason. */
  #mayEscape(): boolean {
    return performance.now() - this.#begunMs >= LOOK_AFTER_MS ||
      this.#spec.args.some((arg) => ESCAPING.test(arg));
  }
}

/** Builds the processes of this machine. */
export function createProcesses(): KillableProcesses {
  const running = new Set<Deno.ChildProcess>();
  return {
    // A narrower grant than "all programs" can't signal a process group.
    available: () => Deno.permissions.querySync({ name: "run" }).state === "granted",
    run: async (spec, signal) => {
      const supervision = new Supervision(spec, signal);
      running.add(supervision.child);
      try {
        return await supervision.end();
      } finally {
        running.delete(supervision.child);
      }
    },
    killAll: () => running.forEach((child) => signalAll(child, "SIGKILL")),
  };
}
