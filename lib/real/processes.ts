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

/** Signals a group; false if it is gone already. */
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

function spawn(spec: ProcessSpec, mark: string): Deno.ChildProcess {
  return new Deno.Command(spec.program, {
    args: [...spec.args],
    cwd: spec.cwd,
    env: { ...spec.env, [MARK]: mark },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
}

/** SIGTERM at once, SIGKILL for what is left after the grace time. */
async function endGroup(pid: number, ended: Promise<unknown>): Promise<void> {
  signalGroup(pid, "SIGTERM");
  await settlesWithin(ended, GRACE_MS);
  signalGroup(pid, "SIGKILL");
}

/** A program while it runs. */
class Supervision {
  readonly #child: Deno.ChildProcess;
  readonly #spec: ProcessSpec;
  readonly #mark: string;
  readonly #signal: AbortSignal;
  readonly #begunMs = performance.now();

  constructor(spec: ProcessSpec, signal: AbortSignal) {
    this.#mark = crypto.randomUUID();
    this.#child = spawn(spec, this.#mark);
    this.#spec = spec;
    this.#signal = signal;
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Follows the program to its end; afterwards nothing of its group is left. */
  async end(): Promise<ProcessExit> {
    const { stdout, stderr, pid, status } = this.#child;
    const readers = [stdout.getReader(), stderr.getReader()] as const;
    const spec = this.#spec;
    const output = Promise.all([pump(readers[0], spec.stdout), pump(readers[1], spec.stderr)]);
    const onAbort = () => void endGroup(pid, status);
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
    const found = await findEscaped(this.#mark, this.pid);
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
  const running = new Set<number>();
  return {
    // A narrower grant than "all programs" can't signal a process group.
    available: () => Deno.permissions.querySync({ name: "run" }).state === "granted",
    run: async (spec, signal) => {
      const supervision = new Supervision(spec, signal);
      running.add(supervision.pid);
      try {
        return await supervision.end();
      } finally {
        running.delete(supervision.pid);
      }
    },
    killAll: () => running.forEach((pid) => signalGroup(pid, "SIGKILL")),
  };
}
