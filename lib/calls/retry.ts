/**
 * Trying again what may succeed a moment later.
 *
 * @module
 */

import type { Clock } from "../ports.ts";
import type { ToolOutcome } from "../types.ts";

/** Tries after the first one. Source: the design. */
export const MAX_RETRIES = 2;

/** The wait before the first retry, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 250;

/** What retrying needs. */
export interface RetryPorts {
  readonly clock: Clock;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Half of the time is fixed and half is random, so that many clients do not come back at once. */
function waitMs(retry: number, random: () => number): number {
  const fullMs = FIRST_WAIT_MS * 2 ** retry;
  return fullMs / 2 + random() * fullMs / 2;
}

/**
 * Runs something and repeats it while it fails in a way that may pass.
 *
 * @param attempt What to run; must be idempotent.
 * @returns The last outcome; once the signal is aborted there is no other try.
 */
export async function withRetries(
  attempt: () => Promise<ToolOutcome>,
  { clock, random, signal }: RetryPorts,
): Promise<ToolOutcome> {
  for (let retry = 0;; retry++) {
    const outcome = await attempt();
    if (outcome.ok || !outcome.error.retriable || retry === MAX_RETRIES) return outcome;
    try {
      await clock.sleep(waitMs(retry, random), signal);
    } catch {
      return outcome;
    }
  }
}
