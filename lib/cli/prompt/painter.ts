/**
 * Bringing what a prompt looks like onto the screen, in place of what it looked like before.
 *
 * @module
 */

import type { Styles } from "../styles.ts";
import type { View } from "./editor_view.ts";

/** Puts the cursor at the beginning of a row, so many rows up. */
function up(rows: number): string {
  return rows === 0 ? "\r" : `\x1b[${rows}A\r`;
}

/**
 * Rows from the top of what was drawn to the cursor, on a screen of this width: terminals lay out
 * rows anew that have become too long.
 */
function rowsAbove({ rows, row, column }: View, columns: number): number {
  const lengths = rows.slice(0, row).map(({ width }) => Math.max(1, Math.ceil(width / columns)));
  return lengths.reduce((sum, length) => sum + length, 0) + Math.floor(column / columns);
}

/** Keeps what is on the screen. */
export class Painter {
  #drawn: View | null = null;
  readonly #styles: Styles;

  constructor(styles: Styles) {
    this.#styles = styles;
  }

  /**
   * What has to be written so that the view is on the screen, in one piece.
   *
   * @param columns The width of the screen now.
   */
  paint(view: View, columns: number): string {
    const top = this.#drawn === null ? "\r" : up(rowsAbove(this.#drawn, columns));
    this.#drawn = view;
    const rows = view.rows.map(({ text, kind }) =>
      `${kind === "hint" ? this.#styles.dim(text) : text}\x1b[K`
    );
    const below = view.rows.length - 1 - view.row;
    const right = view.column === 0 ? "" : `\x1b[${view.column}C`;
    return `${top}${rows.join("\r\n")}\x1b[J${up(below)}${right}`;
  }

  /** What has to be written to go on below what was drawn, which stays. */
  leave(): string {
    const drawn = this.#drawn;
    this.#drawn = null;
    if (drawn === null) return "";
    const below = drawn.rows.length - 1 - drawn.row;
    return `${below === 0 ? "" : `\x1b[${below}B`}\r\n`;
  }

  /** Forgets what was drawn, since the screen was cleared. */
  forget(): void {
    this.#drawn = null;
  }
}
