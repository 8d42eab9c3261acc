/**
 * Numbers as a line of bars.
 *
 * @module
 */

const BARS = "▁▂▃▄▅▆▇█";

/**
 * Draws numbers from 0 up.
 *
 * @param columns More numbers than columns are drawn by the largest of each group.
 */
export function sparkline(values: readonly number[], columns: number): string {
  const size = Math.max(1, Math.ceil(values.length / Math.max(1, columns)));
  const groups = Array.from(
    { length: Math.ceil(values.length / size) },
    (_, index) => Math.max(...values.slice(index * size, (index + 1) * size)),
  );
  const most = Math.max(0, ...groups);
  const bar = (value: number) =>
    BARS[most === 0 ? 0 : Math.min(7, Math.floor(value / most * 7.999))] ?? "▁";
  return groups.map(bar).join("");
}
