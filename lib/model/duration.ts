/**
 * Times in words.
 *
 * @module
 */

const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
];

/**
 * A time in words, rounded: `16 days`, `90 s`, `250 ms`.
 *
 * @param ms Milliseconds, 0 or more.
 */
export function durationText(ms: number): string {
  const [unitMs, name] = UNITS.find(([each]) => ms >= 2 * each) ?? [];
  if (unitMs !== undefined) return `${Math.round(ms / unitMs)} ${name}s`;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}
