/**
 * What kind of failure a server tells of, and whether asking again may help.
 *
 * @module
 */

import type { ModelErrorCode } from "../types.ts";
import { isFields } from "./chunk.ts";
import { isQuotaExhausted } from "./quota.ts";
import { retryAfterMs } from "./retry_after.ts";

/** A kind of failure. */
export interface ErrorKind {
  readonly code: ModelErrorCode;
  readonly retriable: boolean;
  /** Milliseconds; null where the server does not say. */
  readonly retryAfterMs: number | null;
}

/** What a kind is told by. */
export interface ErrorSigns {
  /** Of the response, or what stands for it in an error; null where there is none. */
  readonly status: number | null;
  readonly headers: Pick<Headers, "get"> | null;
  /** What the server says. */
  readonly words: string;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
}

/** Statuses below 500 that may pass. Source: the design. */
const PASSING: readonly number[] = [408, 409, 429];

/** Words that stand for a status in the codes and types of errors. */
const STATUS_WORDS: readonly (readonly [words: RegExp, status: number])[] = [
  [/rate.?limit|too.?many.?requests|throttl/i, 429],
  [/timeout|timed.?out/i, 504],
  [/overload|unavailable|server_?error|internal|upstream|bad.?gateway/i, 503],
  [/auth|permission|api_?key/i, 401],
];

function numberIn(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 400 && number <= 599 ? number : null;
}

/**
 * The HTTP status that an error in a stream or in a body stands for.
 *
 * @param error The value of `error`, of whatever shape.
 * @returns Null where it does not say.
 */
export function statusIn(error: unknown): number | null {
  if (!isFields(error)) return null;
  const { code, status, status_code: statusCode, type } = error;
  for (const value of [code, status, statusCode]) {
    const number = numberIn(value);
    if (number !== null) return number;
  }
  const words = [code, status, type].filter((value) => typeof value === "string").join(" ");
  return STATUS_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? null;
}

function codeOf(status: number | null): ModelErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 402) return "quota_exhausted";
  if (status === 404) return "not_found";
  if (status === 429) return "rate_limited";
  return status !== null && status >= 500 ? "server_error" : "rejected";
}

/** Tells what kind of failure these are the signs of. */
export function kindOf({ status, headers, words, nowMs }: ErrorSigns): ErrorKind {
  const exhausted = status !== 401 && isQuotaExhausted(words);
  if (exhausted) return { code: "quota_exhausted", retriable: false, retryAfterMs: null };
  const passing = status !== null && (status >= 500 || PASSING.includes(status)) &&
    headers?.get("x-should-retry") !== "false";
  return {
    code: codeOf(status),
    retriable: passing,
    retryAfterMs: passing ? retryAfterMs(headers, words, nowMs) : null,
  };
}
