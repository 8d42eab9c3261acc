/**
 * Times as people read them, where they are.
 *
 * @module
 */

const twoDigits = (value: number) => String(value).padStart(2, "0");

/**
 * The day that a calendar on the wall shows: `2026-11-29`.
 *
 * @param ms Milliseconds since the epoch.
 */
export function localDay(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

/**
 * The time that a clock on the wall shows: `12:03`.
 *
 * @param ms Milliseconds since the epoch.
 */
export function localClock(ms: number): string {
  const date = new Date(ms);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
