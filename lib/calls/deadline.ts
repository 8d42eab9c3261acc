/**
 * A time limit as an abort signal.
 *
 * @module
 */

import type { Clock } from "../ports.ts";

/** The reason of a signal that was aborted by a deadline. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/** A signal that is aborted by its parent or by the clock, whichever is first. */
export interface Deadline {
  readonly ms: number;
  readonly signal: AbortSignal;
  /** Whether it was the clock. */
  expired(): boolean;
  /** Ends the waiting; must be called. */
  clear(): void;
}

/** Starts a deadline `ms` milliseconds from now. */
export function startDeadline(clock: Clock, ms: number, parent: AbortSignal): Deadline {
  const own = new AbortController();
  const cleared = new AbortController();
  clock.sleep(ms, AbortSignal.any([parent, cleared.signal])).then(
    () => own.abort(new DeadlineError(`Time limit of ${ms} ms reached`)),
    () => {},
  );
  return {
    ms,
    signal: AbortSignal.any([parent, own.signal]),
    expired: () => own.signal.aborted,
    clear: () => cleared.abort(),
  };
}
