/**
 * The result of the benchmarks as text.
 *
 * @module
 */

import type { Row } from "./_bench.ts";

const HEAD = ["", "rein", "reference", "ratio", "aim", ""];

function figure(value: number | null, unit: string): string {
  if (value === null) return "";
  const digits = unit === "ms" || unit === "MB" || unit === "µs" ? 1 : 0;
  return `${value.toFixed(digits)} ${unit}`;
}

function ratioOf(row: Row): number | null {
  return row.reference === null ? null : row.value / row.reference;
}

function aimOf({ aim, unit }: Row): string {
  if (aim === null) return "";
  return aim.of === "ratio" ? `≤ ${aim.most}×` : `≤ ${aim.most} ${unit}`;
}

function verdict(row: Row): string {
  if (row.aim === null) return "";
  const value = row.aim.of === "ratio" ? ratioOf(row) ?? NaN : row.value;
  return value <= row.aim.most ? "yes" : "NO";
}

function cellsOf(row: Row): string[] {
  const ratio = ratioOf(row);
  return [
    row.what,
    figure(row.value, row.unit),
    figure(row.reference, row.unit),
    ratio === null ? "" : `${ratio.toFixed(2)}×`,
    aimOf(row),
    verdict(row),
  ];
}

/** Renders rows under one head, in columns; names to the left, figures to the right. */
export function renderTable(rows: readonly Row[]): string {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  const pad = (text: string, column: number) =>
    column === 0 ? text.padEnd(widths[column]!) : text.padStart(widths[column]!);
  return lines.map((cells) => cells.map(pad).join("  ").trimEnd()).join("\n");
}
