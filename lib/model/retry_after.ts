/**
 * How long a server asks to wait.
 *
 * @module
 */

/** Numbers of milliseconds by the words and letters of units. */
const UNIT_MS: { readonly [letter: string]: number } = { h: 3_600_000, m: 60_000, s: 1000 };

/** In words, as OpenAI, Groq and Gemini say it: `Please try again in 7.66s`, `in 1m30s`. */
const WORDS =
  /(?:try again|retry)(?:ing)? (?:in|after):? ((?:\d+(?:\.\d+)?\s?(?:ms|[hms])[a-z]*\s*)+)/i;

/** As a field of Gemini's. */
const FIELD = /"retryDelay\\?":\s?\\?"((?:\d+(?:\.\d+)?(?:ms|[hms]))+)/;

function spanMs(text: string): number {
  return [...text.matchAll(/(\d+(?:\.\d+)?)\s?(ms|[hms])/gi)]
    .map(([, number, unit = ""]) => Number(number) * (UNIT_MS[unit.toLowerCase()] ?? 1))
    .reduce((sum, ms) => sum + ms, 0);
}

function inWords(words: string): number | null {
  const found = WORDS.exec(words) ?? FIELD.exec(words);
  return found?.[1] === undefined ? null : spanMs(found[1]);
}

/** A number of these units, or a date as HTTP has it. */
function inHeader(value: string, unitMs: number, nowMs: number): number | null {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * unitMs;
  // A date has a month's name in it; anything else is none, though the runtime would take it.
  const atMs = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/**
 * Finds out how long a server asks to wait before the next request.
 *
 * @param headers Of its answer; null where there are none.
 * @param words What it says of the failure.
 * @param nowMs Milliseconds since the epoch, for dates.
 * @returns Milliseconds, or null if it does not say.
 */
export function retryAfterMs(
  headers: Pick<Headers, "get"> | null,
  words: string,
  nowMs: number,
): number | null {
  const ms = headers?.get("retry-after-ms");
  const seconds = headers?.get("retry-after");
  const said = (ms ? inHeader(ms, 1, nowMs) : null) ??
    (seconds ? inHeader(seconds, 1000, nowMs) : null) ?? inWords(words);
  return said === null ? null : Math.round(said);
}
