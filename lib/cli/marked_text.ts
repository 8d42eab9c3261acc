/**
 * Text of any kind laid out for a terminal of so many columns, with pieces of it marked.
 *
 * @module
 */

import stringWidth from "string-width";
import type { Span } from "../types.ts";
import { printable } from "./printable.ts";

/** A piece of a row; `width` in columns. */
export interface Piece {
  readonly text: string;
  readonly width: number;
  readonly marked: boolean;
}

/** One row of the screen; never wider than it was asked for, but for a single wide character. */
export type Row = readonly Piece[];

/** Columns that a tab takes: its real place is not known before the row is written. */
const TAB = "    ";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Columns of a text; what is no plain ASCII is looked up. */
export function widthOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

function characters(line: string): Iterable<{ readonly segment: string; readonly index: number }> {
  if (/[^\x20-\x7e\t]/.test(line)) return segmenter.segment(line);
  return [...line].map((segment, index) => ({ segment, index }));
}

/** Puts neighbours of a row that look the same together. */
function joined(pieces: readonly Piece[]): Row {
  const row: Piece[] = [];
  for (const piece of pieces) {
    const last = row.at(-1);
    if (last === undefined || last.marked !== piece.marked) row.push(piece);
    else {
      row[row.length - 1] = {
        text: last.text + piece.text,
        width: last.width + piece.width,
        marked: last.marked,
      };
    }
  }
  return row;
}

/** One line as rows; offsets of spans count from the beginning of the whole text. */
function rowsOf(line: string, offset: number, spans: readonly Span[], columns: number): Row[] {
  const rows: Piece[][] = [[]];
  let used = 0;
  for (const { segment, index } of characters(line)) {
    const text = printable(segment).replaceAll("\t", TAB);
    if (text === "") continue;
    const width = widthOf(text);
    if (used + width > columns && used > 0) {
      rows.push([]);
      used = 0;
    }
    const at = offset + index;
    const marked = spans.some(({ start, end }) => at >= start && at < end);
    rows.at(-1)?.push({ text, width, marked });
    used += width;
  }
  return rows.map(joined);
}

/**
 * Lays a text out, without codes for the terminal.
 *
 * @param spans What is marked, as offsets in the text.
 * @param columns Columns of a row; at least 1 is used.
 */
export function layOut(text: string, spans: readonly Span[], columns: number): Row[] {
  const rows: Row[] = [];
  let offset = 0;
  for (const line of text.split("\n")) {
    rows.push(...rowsOf(line, offset, spans, Math.max(1, columns)));
    offset += line.length + 1;
  }
  return rows;
}

const MARK_ON = "\u001b[1;4m";
const MARK_OFF = "\u001b[0m";

/**
 * A row as lines: what is marked is underlined where that can be shown, else a second line has `~`
 * below it.
 */
export function rowLines(row: Row, styled: boolean): string[] {
  if (styled) {
    return [row.map(({ text, marked }) => marked ? MARK_ON + text + MARK_OFF : text).join("")];
  }
  const text = row.map((piece) => piece.text).join("");
  if (!row.some(({ marked }) => marked)) return [text];
  const below = row.map(({ width, marked }) => (marked ? "~" : " ").repeat(width)).join("");
  return [text, below.trimEnd()];
}
