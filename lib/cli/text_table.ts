/**
 * Tables for a terminal.
 *
 * @module
 */

import stringWidth from "string-width";
import { printable } from "./printable.ts";

/** A text of any origin as a cell: one line, no control characters. */
export function cellOf(text: string): string {
  return printable(text.replace(/\s+/g, " ")).trim();
}

/**
 * Cuts a text to the columns that it may take on a terminal, where a Chinese character takes two.
 *
 * @param columns At least 1; the mark of a cut is one of them.
 */
export function cutToColumns(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  let kept = "";
  let left = columns - 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    left -= stringWidth(segment);
    if (left < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

/**
 * Breaks a text into lines of so many columns, at blanks where that can be.
 *
 * @param columns At least 2.
 */
export function wrapToColumns(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (stringWidth(line + segment) > columns) {
      const blank = segment === " " ? line.length : line.lastIndexOf(" ");
      const end = blank <= 0 ? line.length : blank;
      lines.push(line.slice(0, end));
      line = line.slice(end).trimStart();
    }
    if (line !== "" || segment !== " ") line += segment;
  }
  return [...lines, line];
}

/** Rows as lines, with columns as wide as their widest cell; every line ends with a line end. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from(
    { length: columns },
    (_, column) => Math.max(...rows.map((row) => stringWidth(row[column] ?? ""))),
  );
  const padded = (cell: string, column: number) =>
    cell + " ".repeat((widths[column] ?? 0) - stringWidth(cell));
  return rows.map((row) => `${row.map(padded).join("  ").trimEnd()}\n`).join("");
}
