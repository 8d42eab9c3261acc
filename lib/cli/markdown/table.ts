/**
 * Tables of Markdown within the width of a terminal, where a Chinese character takes two cells.
 *
 * @module
 */

import stringWidth from "string-width";
import { createStyles, type Styles } from "../styles.ts";
import { wrapToColumns } from "../text_table.ts";
import { inline } from "./inline.ts";

/** A column is not made narrower than this, in cells. */
const MIN_COLUMN = 6;

/** Between two columns. */
const BAR = " │ ";

type Align = "left" | "right" | "center";

interface Cell {
  /** Without styles. */
  readonly text: string;
  readonly shown: string;
}

const NO_STYLES = createStyles(false);

/** The cells of a line, without its outer bars; a bar within code or behind `\` is text. */
function cellsOf(line: string): string[] {
  const inner = line.trim().replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  const cells: string[] = [];
  let cell = "";
  for (const [piece] of inner.matchAll(/`[^`]*`|\\\||\||[^|`\\]+|[`\\]/g)) {
    if (piece === "|") cells.push(cell);
    cell = piece === "|" ? "" : cell + (piece === "\\|" ? "|" : piece);
  }
  return [...cells, cell].map((text) => text.trim());
}

/** How columns are aligned, by the second line of a table; null: it is none. */
function alignmentOf(line: string): Align[] | null {
  const cells = cellsOf(line);
  if (!cells.every((cell) => /^:?-+:?$/.test(cell))) return null;
  return cells.map((cell) => {
    if (!cell.endsWith(":")) return "left";
    return cell.startsWith(":") && cell.length > 1 ? "center" : "right";
  });
}

/** Makes the widest columns narrower until all fit; null: they can't. */
function fit(widths: readonly number[], columns: number): number[] | null {
  const fitted = [...widths];
  let over = widths.reduce((sum, width) => sum + width, 0) + BAR.length * (widths.length - 1) -
    columns;
  for (; over > 0; over--) {
    const widest = fitted.indexOf(Math.max(...fitted));
    if (fitted[widest]! <= MIN_COLUMN) return null;
    fitted[widest]!--;
  }
  return fitted;
}

function pad({ text, shown }: Cell, width: number, align: Align): string {
  const free = Math.max(0, width - stringWidth(text));
  const left = align === "left" ? 0 : align === "right" ? free : Math.floor(free / 2);
  return " ".repeat(left) + shown + " ".repeat(free - left);
}

/** One row, on as many lines as its longest cell takes. */
function rowLines(row: readonly Cell[], widths: readonly number[], aligns: readonly Align[]) {
  const parts = widths.map((width, column): Cell[] => {
    const cell = row[column] ?? { text: "", shown: "" };
    if (stringWidth(cell.text) <= width) return [cell];
    return wrapToColumns(cell.text, width).map((text) => ({ text, shown: text }));
  });
  const height = Math.max(...parts.map((lines) => lines.length));
  return Array.from(
    { length: height },
    (_, index) =>
      widths.map((width, column) =>
        pad(parts[column]?.[index] ?? { text: "", shown: "" }, width, aligns[column] ?? "left")
      ).join(BAR).trimEnd(),
  );
}

/** Where columns don't fit side by side: a line for every cell, with the head of its column. */
function recordLines(head: readonly Cell[], body: readonly (readonly Cell[])[], styles: Styles) {
  const columns = Math.max(head.length, ...body.map((row) => row.length));
  const rows = body.map((row) =>
    Array.from({ length: columns }, (_, column) => {
      const title = head[column]?.text ?? "";
      return `${styles.bold(title)}${title === "" ? "" : ": "}${row[column]?.shown ?? ""}`
        .trimEnd();
    })
  );
  if (body.length === 0) return [head.map(({ shown }) => shown).join(BAR)];
  return rows.flatMap((lines, index) => index === 0 ? lines : ["", ...lines]);
}

/**
 * Lays out a table.
 *
 * @param lines As they were written, without line ends.
 * @param columns Cells that a line may take.
 * @returns Lines to show, or null if it is no table.
 */
export function tableLines(
  lines: readonly string[],
  columns: number,
  styles: Styles,
): string[] | null {
  const aligns = alignmentOf(lines[1] ?? "");
  if (aligns === null || lines.length < 2) return null;
  const rows = [lines[0] ?? "", ...lines.slice(2)].map((line) =>
    cellsOf(line).map((cell): Cell => ({
      text: inline(cell, NO_STYLES),
      shown: inline(cell, styles),
    }))
  );
  const [head = [], ...body] = rows;
  const count = Math.max(...rows.map((row) => row.length));
  const wanted = Array.from(
    { length: count },
    (_, column) => Math.max(1, ...rows.map((row) => stringWidth(row[column]?.text ?? ""))),
  );
  const widths = fit(wanted, columns);
  if (widths === null) return recordLines(head, body, styles);
  const rule = widths.map((width) => "─".repeat(width)).join("─┼─");
  return [
    ...rowLines(head, widths, aligns).map((line) => styles.bold(line)),
    styles.dim(rule),
    ...body.flatMap((row) => rowLines(row, widths, aligns)),
  ];
}
