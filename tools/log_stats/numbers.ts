/**
 * Amounts as logs write them.
 *
 * @module
 */

import { BYTE, textOf } from "./entry.ts";

/** Seconds in each unit of time that programs write behind a number. */
const UNIT_SECONDS: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  "µs": 1e-6,
  "μs": 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

const POWERS: readonly number[] = Array.from({ length: 16 }, (_, power) => 10 ** power);

/**
 * Reads a number, or a time with units such as `1.5ms` or `2m3s`, in seconds.
 *
 * @returns NaN for anything else.
 */
export function parseAmount(bytes: Uint8Array, start: number, end: number): number {
  let value = 0;
  let dot = end - 1;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] ?? 0) - BYTE.zero;
    if (digit >= 0 && digit <= 9) value = value * 10 + digit;
    else if (bytes[at] === BYTE.dot && dot === end - 1 && at < end - 1) dot = at;
    else return parseText(textOf(bytes, start, end));
  }
  const power = POWERS[end - 1 - dot];
  if (start === end || end - start > 15 || power === undefined) {
    return parseText(textOf(bytes, start, end));
  }
  return value / power;
}

function parseText(text: string): number {
  if (text.trim() === "") return NaN;
  const number = Number(text);
  if (!Number.isNaN(number)) return Number.isFinite(number) ? number : NaN;
  let seconds = 0;
  const rest = text.trim().replace(
    /(\d+(?:\.\d+)?)\s*(ns|us|µs|μs|ms|s|m|h)/g,
    (_, amount, unit) => {
      seconds += Number(amount) * (UNIT_SECONDS[String(unit)] ?? NaN);
      return "";
    },
  );
  return rest === "" ? seconds : NaN;
}
