/**
 * Tasks that have not finished: who waits for them, who follows them, and how they are given up.
 *
 * @module
 */

import type { ResultEnvelope } from "../delegate/types.ts";
import type { TaskProgress } from "./types.ts";

/** What happens to a task, for one who follows it. */
type Follower = (progress: TaskProgress | null) => void;

/** One task on its way. */
export class LiveTask {
  /** Resolves with the result. */
  readonly result: Promise<ResultEnvelope>;
  /** Ends its run. */
  readonly stop: AbortController = new AbortController();
  readonly #finished = Promise.withResolvers<ResultEnvelope>();
  readonly #followers = new Set<Follower>();

  constructor() {
    this.result = this.#finished.promise;
  }

  /** Tells followers what happens. */
  tell(progress: TaskProgress): void {
    for (const follower of [...this.#followers]) follower(progress);
  }

  /** Ends it; whoever waits gets the result. */
  finish(result: ResultEnvelope): void {
    this.tell({ type: "phase", phase: "finished" });
    for (const follower of [...this.#followers]) follower(null);
    this.#finished.resolve(result);
  }

  /** What happens from now on, even before the first is asked for; ends with the task. */
  follow(signal: AbortSignal): AsyncIterable<TaskProgress> {
    const waiting: (TaskProgress | null)[] = [];
    let wake = () => {};
    const follower: Follower = (progress) => {
      waiting.push(progress);
      wake();
    };
    this.#followers.add(follower);
    const next = async () => {
      while (waiting.length === 0) {
        await orAborted(new Promise<void>((resolve) => wake = resolve), signal);
      }
      return waiting.shift() ?? null;
    };
    return readTo(next, () => this.#followers.delete(follower));
  }
}

async function* readTo(
  next: () => Promise<TaskProgress | null>,
  end: () => void,
): AsyncGenerator<TaskProgress> {
  try {
    for (let progress = await next(); progress !== null; progress = await next()) yield progress;
  } finally {
    end();
  }
}

/** Waits for something unless the signal is aborted first; then throws its reason. */
export async function orAborted<T>(wanted: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([wanted, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
