/**
 * Asking for a turn again where it failed in a way that may pass. A turn is asked for as a whole:
 * its calls are run only once it is complete, and what was shown of its text is shown once.
 *
 * @module
 */

import type { Clock } from "../ports.ts";
import { startDeadline } from "../calls/deadline.ts";
import { durationText } from "./duration.ts";
import { type ModelChunk, ModelError } from "../types.ts";

/** Attempts after the first one. Source: the design. */
export const MAX_RETRIES = 3;

/** The wait before the first retry, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 1000;

/** All waits of a turn together, in milliseconds. Source: case H3, and the design's cap. */
export const MAX_WAIT_MS = 60_000;

/** What retrying needs. */
export interface RetryPorts {
  readonly clock: Clock;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
}

/** One request for a turn; throws {@linkcode ModelError}. */
export type Attempt = (signal: AbortSignal) => AsyncIterable<ModelChunk>;

/**
 * The wait before a retry. Half of the time is fixed and half is random, so that many clients do not
 * come back at once.
 *
 * @param retry From 0.
 * @param askedMs What the other side asks for; null where it does not say.
 * @returns Milliseconds.
 */
export function waitMs(retry: number, askedMs: number | null, random: () => number): number {
  const fullMs = FIRST_WAIT_MS * 2 ** retry;
  return Math.max(Math.round(fullMs / 2 + random() * fullMs / 2), askedMs ?? 0);
}

/** The text of a turn, of which an attempt may have shown a part before. */
class ShownText {
  #shown = "";
  /** How much of what is shown the attempt has said, too; null: all of it, and it goes on. */
  #same: number | null = null;

  /** Another attempt begins. */
  again(): void {
    this.#same = this.#shown === "" ? null : 0;
  }

  /** Adds text; what was not shown yet is to be shown. */
  *add(text: string): Generator<ModelChunk> {
    if (this.#same === null) {
      this.#shown += text;
      yield { type: "text", text };
      return;
    }
    const from = this.#same;
    const left = this.#shown.length - from;
    if (!this.#shown.startsWith(text.slice(0, left), from)) {
      yield* this.#restart(from);
      yield* this.add(text);
    } else if (text.length < left) {
      this.#same += text.length;
    } else {
      this.#same = null;
      if (text.length > left) yield* this.add(text.slice(left));
    }
  }

  /** Ends the turn; more may have been shown than it says. */
  *end(): Generator<ModelChunk> {
    if (this.#same !== null) yield* this.#restart(this.#same);
  }

  /** The attempt itself has found its text so far void. */
  *voided(): Generator<ModelChunk> {
    yield* this.#restart(0);
  }

  /** What is shown is void, but for its beginning, which is shown again. */
  *#restart(chars: number): Generator<ModelChunk> {
    const beginning = this.#shown.slice(0, chars);
    this.#shown = beginning;
    this.#same = null;
    yield { type: "restart" };
    if (beginning !== "") yield { type: "text", text: beginning };
  }
}

/** The failure of a turn that is not asked for again, with what was tried. */
function finalError(error: ModelError, message: string, hint = error.hint): ModelError {
  const { code, status, window, retryAfterMs } = error;
  return new ModelError(code, message, {
    hint,
    window,
    retryAfterMs,
    cause: error,
    ...(status === null ? {} : { status }),
  });
}

/** The retry that comes now, or a final failure. */
function nextRetry(
  error: ModelError,
  { retries, waitedMs }: { readonly retries: number; readonly waitedMs: number },
  random: () => number,
): Extract<ModelChunk, { type: "retry" }> {
  if (!error.retriable) throw error;
  if (retries === MAX_RETRIES) {
    throw finalError(error, `${error.message} (${retries + 1} attempts)`);
  }
  const wait = waitMs(retries, error.retryAfterMs, random);
  if (waitedMs + wait > MAX_WAIT_MS) {
    const asked = durationText(error.retryAfterMs ?? wait);
    const most = durationText(MAX_WAIT_MS);
    throw finalError(
      error,
      `${error.message}; it asks to wait ${asked}, and rein waits ${most} a turn at the most`,
      `Run it again in ${asked}, or use another model.`,
    );
  }
  const { code, message } = error;
  return {
    type: "retry",
    attempt: retries + 1,
    of: MAX_RETRIES,
    waitMs: wait,
    error: { code, message },
  };
}

/** One attempt, with each piece of text shown once. */
async function* shownOnce(
  chunks: AsyncIterable<ModelChunk>,
  shown: ShownText,
): AsyncGenerator<ModelChunk> {
  shown.again();
  for await (const chunk of chunks) {
    if (chunk.type === "text") yield* shown.add(chunk.text);
    else if (chunk.type === "restart") yield* shown.voided();
    else {
      if (chunk.type === "turn_finished") yield* shown.end();
      yield chunk;
    }
  }
}

async function* attempts(
  attempt: Attempt,
  { clock, random }: RetryPorts,
  signal: AbortSignal,
): AsyncGenerator<ModelChunk> {
  const shown = new ShownText();
  let waitedMs = 0;
  for (let retries = 0;; retries++) {
    try {
      return yield* shownOnce(attempt(signal), shown);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError)) throw error;
      const retry = nextRetry(error, { retries, waitedMs }, random);
      yield retry;
      await clock.sleep(retry.waitMs, signal);
      waitedMs += retry.waitMs;
    }
  }
}

/**
 * Asks for a turn, and again where that may help: at most {@linkcode MAX_RETRIES} times, with waits
 * of at most {@linkcode MAX_WAIT_MS} in all.
 *
 * @param totalMs The time of the whole turn, waits included; null: no limit.
 * @param late Makes the failure where that time is over.
 * @throws {ModelError} If there is no turn to be had.
 * @throws The signal's reason, once it is aborted.
 */
export async function* withRetries(
  attempt: Attempt,
  ports: RetryPorts,
  { totalMs, late, signal }: {
    readonly totalMs: number | null;
    readonly late: (cause: unknown) => ModelError;
    readonly signal: AbortSignal;
  },
): AsyncGenerator<ModelChunk> {
  if (totalMs === null) return yield* attempts(attempt, ports, signal);
  const deadline = startDeadline(ports.clock, totalMs, signal);
  try {
    yield* attempts(attempt, ports, deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.expired() ? late(error) : error;
  } finally {
    deadline.clear();
  }
}
