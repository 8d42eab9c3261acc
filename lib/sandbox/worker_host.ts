/**
 * The main side of one worker: starts it when it is first needed, ends it when
 * it hangs, starts a new one after it broke.
 *
 * @module
 */

import type { Clock, WorkerKind, Workers, WorkerThread } from "../ports.ts";
import type { JsonObject, ToolContext, ToolOutcome } from "../types.ts";
import type { FromWorker, Place, ToWorker } from "./messages.ts";
import { createStopFlag, raise, type StopFlag } from "./stop_flag.ts";

/** Time for a cancelled tool to end by itself, in milliseconds. */
export const CANCEL_GRACE_MS = 250;

/**
 * Memory that a worker may add to what the process took before it, in bytes. Source: sorting a
 * log of 400,000 lines in the contained shell takes 540 MB.
 */
export const MAX_GROWTH_BYTES = 768 * 1024 * 1024;

/** How often the memory is looked at while calls run, in milliseconds. */
const WATCH_MS = 50;

/** What a host needs. */
export interface HostSettings {
  /** Where its worker is, and what it holds. */
  readonly place: Place;
  readonly ports: { readonly workers: Workers; readonly clock: Clock };
}

/** A call that the worker has not ended yet. */
interface Pending {
  readonly context: ToolContext;
  readonly stop: StopFlag;
  resolve(outcome: ToolOutcome): void;
  reject(reason: unknown): void;
}

function lost(code: string, message: string, hint: string, retriable: boolean): ToolOutcome {
  return { ok: false, error: { code, message, hint, retriable } };
}

const OTHER_HUNG = lost(
  "worker_ended",
  "The tool was ended together with another one that hung",
  "Send the call again, by itself.",
  true,
);

const TOO_MUCH_MEMORY = lost(
  "out_of_memory",
  "The tool took too much memory and was ended",
  "Ask for less at once.",
  false,
);

/** Runs tools in a worker that holds these permissions and no other. */
export class WorkerHost {
  readonly #kind: WorkerKind;
  readonly #place: Place;
  readonly #ports: HostSettings["ports"];
  readonly #pending = new Map<number, Pending>();
  #thread: WorkerThread | null = null;
  /** What the process took before the worker. */
  #baseBytes = 0;
  #calls = 0;

  constructor(kind: WorkerKind, settings: HostSettings) {
    this.#kind = kind;
    this.#place = settings.place;
    this.#ports = settings.ports;
  }

  /** Starts the worker, unless it runs. */
  start(): void {
    this.#threadNow();
  }

  /** Ends the worker; calls that run in it are lost. */
  end(): void {
    this.#endAll(OTHER_HUNG);
  }

  /**
   * Runs a tool in the worker.
   *
   * @throws The signal's reason, if the tool was ended because of it.
   * @throws {Error} If the tool threw, or if the worker can't be started.
   */
  async run(tool: string, args: JsonObject, context: ToolContext): Promise<ToolOutcome> {
    this.#endHeavyIdle();
    const thread = this.#threadNow();
    const call = ++this.#calls;
    const done = new AbortController();
    const onAbort = () => void this.#cancel(call, done.signal);
    const stop = createStopFlag();
    const outcome = new Promise<ToolOutcome>((resolve, reject) => {
      this.#pending.set(call, { context, stop, resolve, reject });
    });
    post(thread, { type: "run", call, tool, args, stop });
    if (context.signal.aborted) onAbort();
    context.signal.addEventListener("abort", onAbort, { once: true });
    void this.#watch(done.signal);
    try {
      return await outcome;
    } finally {
      this.#pending.delete(call);
      context.signal.removeEventListener("abort", onAbort);
      done.abort();
    }
  }

  #threadNow(): WorkerThread {
    if (this.#thread !== null) return this.#thread;
    this.#baseBytes = this.#ports.workers.memoryBytes();
    const thread = this.#ports.workers.start(this.#kind, this.#place.grants, {
      message: (message) => this.#take(message as FromWorker, thread),
      broken: (reason) => {
        if (this.#thread === thread) this.#broke(reason);
      },
    });
    post(thread, { type: "place", place: this.#place });
    return this.#thread = thread;
  }

  #take(message: FromWorker, thread: WorkerThread): void {
    const pending = this.#pending.get(message.call);
    if (pending === undefined) return;
    switch (message.type) {
      case "outcome":
        return pending.resolve(message.outcome);
      case "thrown":
        return pending.reject(new Error(message.message));
      case "question":
        return void answer(message, pending.context, thread);
    }
  }

  async #cancel(call: number, done: AbortSignal): Promise<void> {
    const pending = this.#pending.get(call);
    if (pending === undefined) return;
    raise(pending.stop);
    if (this.#thread !== null) post(this.#thread, { type: "cancel", call });
    try {
      await this.#ports.clock.sleep(CANCEL_GRACE_MS, done);
    } catch {
      return;
    }
    pending.reject(pending.context.signal.reason);
    this.#endAll(OTHER_HUNG);
  }

  async #watch(done: AbortSignal): Promise<void> {
    try {
      do await this.#ports.clock.sleep(WATCH_MS, done); while (this.#growth() <= MAX_GROWTH_BYTES);
      this.#endAll(TOO_MUCH_MEMORY);
    } catch {
      // The call has ended.
    }
  }

  #growth(): number {
    return this.#ports.workers.memoryBytes() - this.#baseBytes;
  }

  /** What earlier calls left in memory must not count against the next one. */
  #endHeavyIdle(): void {
    if (this.#pending.size === 0 && this.#growth() > MAX_GROWTH_BYTES / 2) this.end();
  }

  #broke(reason: string): void {
    const hint = "Try another way; this one breaks the tool.";
    this.#endAll(lost("tool_crashed", `The tool broke its worker: ${reason}`, hint, true));
  }

  #endAll(outcome: ToolOutcome): void {
    this.#thread?.end();
    this.#thread = null;
    for (const pending of this.#pending.values()) {
      raise(pending.stop);
      pending.resolve(outcome);
    }
    this.#pending.clear();
  }
}

/** The answer goes to the worker that asked: another one counts its questions anew. */
async function answer(
  { question, about, name }: Extract<FromWorker, { type: "question" }>,
  context: ToolContext,
  thread: WorkerThread,
): Promise<void> {
  const asked = about === "read" ? context.mayRead(name) : context.mayReach(name);
  const allowed = await asked.catch(() => false);
  post(thread, { type: "answer", question, allowed });
}

function post(thread: WorkerThread, message: ToWorker): void {
  thread.post(message);
}
