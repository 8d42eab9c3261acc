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
  if (retries === MAX_RETRIES) {
    throw finalError(error, `${error.message} (${retries + 1} attempts)`);
  }
  const wait = waitMs(retries, error.retryAfterMs, random);
  if (waitedMs + wait <= MAX_WAIT_MS) return wait;
  const asked = durationText(error.retryAfterMs ?? wait);
  throw finalError(error, `${error.message}; it asks to wait ${asked}`);
}

/**
 * Does something, and again after failures that may pass: at most three times, with waits that grow,
 * and are as long as the agent asks for, up to a minute in all.
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
