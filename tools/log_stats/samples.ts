/**
 * A few lines out of many, spread over all of them.
 *
 * @module
 */

/** Characters of a line that are shown. */
const SHOWN_CHARS = 300;

/** Keeps the first line and, of the lines whose numbers double each time, the last ones. */
export class LineSamples {
  readonly #most: number;
  readonly #lines: string[] = [];
  #next = 1;

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether to keep the line with this number, counted from 1. */
  wants(number: number): boolean {
    return number === this.#next && this.#most > 0;
  }

  /** Keeps a line that is wanted. */
  keep(line: string): void {
    const shown = line.length <= SHOWN_CHARS
      ? line
      : `${line.slice(0, SHOWN_CHARS).replace(/[\ud800-\udbff]$/, "")}…`;
    // The very first one stays, of the others the latest.
    if (this.#lines.length === this.#most) this.#lines.splice(1, 1);
    if (this.#lines.length < this.#most) this.#lines.push(shown);
    this.#next = this.#lines.length < this.#most ? this.#next + 1 : 2 * this.#next;
  }

  /** The lines, in the order in which they came. */
  lines(): readonly string[] {
    return this.#lines;
  }
}
