/**
 * What a line editor looks like: rows of cells, and where the cursor stands.
 *
 * @module
 */

import stringWidth from "string-width";
import type { TerminalSize } from "../../ports.ts";
import { cutToColumns } from "../text_table.ts";
import type { Editor } from "./editor.ts";

/** What is to be on the screen. */
export interface View {
  /** Each narrower than the screen. */
  readonly rows: readonly Row[];
  /** Where the cursor stands: a row from 0, and cells before it. */
  readonly row: number;
  readonly column: number;
}

/** One row of the screen. */
export interface Row {
  readonly text: string;
  /** In cells. */
  readonly width: number;
  /** `hint`: it is beside what is written. */
  readonly kind: "text" | "hint";
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** What stands for a tab, whose width depends on where it is. */
const TAB = "  ";

/** Lays out text from left to right, and remembers where the cursor came to stand. */
class Layout {
  readonly rows: Row[] = [];
  cursor: { row: number; column: number } | null = null;
  #text = "";
  #width = 0;
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  add(segment: string, width: number): void {
    if (this.#width + width > this.#columns) this.breakRow();
    this.#text += segment;
    this.#width += width;
  }

  breakRow(): void {
    this.rows.push({ text: this.#text, width: this.#width, kind: "text" });
    this.#text = "";
    this.#width = 0;
  }

  /** The cursor needs a cell of its own. */
  placeCursor(): void {
    if (this.#width >= this.#columns) this.breakRow();
    this.cursor = { row: this.rows.length, column: this.#width };
  }
}

function addText(layout: Layout, { text, cursor }: Editor, more: string): void {
  for (const { segment, index } of graphemes.segment(text)) {
    // What was typed may have become one grapheme with what follows it.
    if (index >= cursor && layout.cursor === null) layout.placeCursor();
    if (segment === "\n") {
      layout.breakRow();
      layout.add(more, stringWidth(more));
    } else {
      const shown = segment === "\t" ? TAB : segment;
      layout.add(shown, stringWidth(shown));
    }
  }
  if (layout.cursor === null) layout.placeCursor();
}

/** The rows around the cursor that fit the screen. */
function visible({ rows, row, column }: View, most: number): View {
  if (rows.length <= most) return { rows, row, column };
  const first = Math.min(Math.max(0, row - most + 1), rows.length - most);
  return { rows: rows.slice(first, first + most), row: row - first, column };
}

/** How a prompt looks: what stands before the first line, and before the others. */
export interface PromptMarks {
  readonly first: string;
  readonly more: string;
}

/**
 * Lays out an editor.
 *
 * @param size One column stays free, so that no terminal begins a new row by itself.
 */
export function viewOf(editor: Editor, marks: PromptMarks, size: TerminalSize): View {
  const columns = Math.max(8, size.columns - 1);
  const layout = new Layout(columns);
  layout.add(marks.first, stringWidth(marks.first));
  addText(layout, editor, marks.more);
  layout.breakRow();
  const hints = editor.hint.map((line): Row => {
    const text = cutToColumns(line, columns);
    return { text, width: stringWidth(text), kind: "hint" };
  });
  const { row, column } = layout.cursor ?? { row: 0, column: 0 };
  return visible({ rows: [...layout.rows, ...hints], row, column }, Math.max(1, size.rows - 1));
}
