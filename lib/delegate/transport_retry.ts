/**
 * Asking an agent again where that may help, with the same task.
 *
 * @module
 */

import { durationText } from "../model/duration.ts";
import { MAX_RETRIES, MAX_WAIT_MS, type RetryPorts, waitMs } from "../model/retry.ts";
import { TransportError } from "./types.ts";

/** The failure that is not tried again, with what was tried. */
function finalError(error: TransportError, message: string): TransportError {
  const { code, retriable, retryAfterMs } = error;
  return new TransportError(code, message, {
    retriable,
    cause: error,
    ...(retryAfterMs === null ? {} : { retryAfterMs }),
  });
}

/** How long to wait before the next attempt; throws where there is none. */
function nextWait(
  error: TransportError,
  { retries, waitedMs }: { readonly retries: number; readonly waitedMs: number },
  random: () => number,
): number {
  if (!error.retriable) throw error;
  // Who says when there will be room is asked again as long as there is time: many may wait for it.
  const isAsked = error.retryAfterMs !== null;
  const wait = waitMs(retries, error.retryAfterMs, random);
  const hasTime = waitedMs + wait <= MAX_WAIT_MS;
  if (hasTime && (isAsked || retries < MAX_RETRIES)) return wait;
  const why = wait <= MAX_WAIT_MS
    ? ` (${retries + 1} attempts)`
    : `; it asks to wait ${durationText(error.retryAfterMs ?? wait)}`;
  throw finalError(error, error.message + why);
}

/**
 * Does something, and again after failures that may pass: at most three times, or as often as the
 * agent says when to come again. The waits grow, are as long as it asks for, and take a minute in all
 * at the most.
 *
 * @throws {TransportError} The last failure.
 * @throws The signal's reason, once it is aborted.
 */
export async function withTransportRetries<T>(
  attempt: () => Promise<T>,
  { clock, random }: RetryPorts,
  signal: AbortSignal,
): Promise<T> {
  let waitedMs = 0;
  for (let retries = 0;; retries++) {
    try {
      signal.throwIfAborted();
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TransportError)) throw error;
      const wait = nextWait(error, { retries, waitedMs }, random);
      await clock.sleep(wait, signal);
      waitedMs += wait;
    }
  }
}
