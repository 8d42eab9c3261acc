/**
 * Markdown shown lightly while it comes. How it is cut into pieces does not show; nothing of the
 * text is lost or changes its place, only marks go.
 *
 * @module
 */

import { createStyles, type Styles } from "../styles.ts";
import { inline, scan } from "./inline.ts";
import { tableLines } from "./table.ts";

/** What showing depends on. */
export interface MarkdownOptions {
  /** Where they do nothing, the text goes through as it is. */
  readonly styles: Styles;
  /** Cells in a line, now. */
  readonly columns: () => number;
}

/** Rows of a table that are waited for. */
const MAX_TABLE_ROWS = 500;

/** Cells of a rule across the screen. */
const MAX_RULE = 40;

/** A beginning of a line of which more must come until it is clear what kind of line it is. */
const UNDECIDED =
  /^[>\s]*(?:#{1,6}[ \t]*|[-+*_][ \t]*|(?:[-*_][ \t]*){2,}|`{1,2}|~{1,2}|(?:`{3}|~{3}).*)?$/;

const FENCE = /^\s*(`{3,}|~{3,})(.*)$/;
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const HEADING = /^#{1,6}[ \t]+(?=\S)/;
const BULLET = /^(\s*)[-*+][ \t]+(?=\S)/;
const QUOTE = /^(?:\s*>)+ ?/;

/** How the rest of a line is shown. */
interface Line {
  readonly styles: Styles;
  readonly wrap: (text: string) => string;
  /** What of it was shown last. */
  before: string;
}

const AS_IT_IS = (text: string) => text;

/** Shows a text that comes in pieces. */
export class MarkdownStream {
  readonly #styles: Styles;
  readonly #inHeading: Styles;
  readonly #columns: () => number;
  /** What has come and is not shown yet. */
  #rest = "";
  #line: Line | null = null;
  /** The mark that ends the code, while there is code. */
  #fence: string | null = null;
  #table: string[] = [];

  constructor({ styles, columns }: MarkdownOptions) {
    this.#styles = styles;
    // What is bold already can't be made bold, and would not be afterwards.
    this.#inHeading = { ...styles, bold: AS_IT_IS, underline: AS_IT_IS };
    this.#columns = columns;
  }

  /** Takes a piece; returns what can be shown now. */
  push(piece: string): string {
    if (!this.#styles.enabled) return piece;
    this.#rest += piece;
    return this.#show(false);
  }

  /** Ends the text; returns what was held back. */
  end(): string {
    const shown = this.#show(true);
    this.#line = null;
    this.#fence = null;
    return shown;
  }

  #show(final: boolean): string {
    let shown = "";
    for (let piece = this.#next(final); piece !== null; piece = this.#next(final)) shown += piece;
    return final ? shown + this.#flushTable() : shown;
  }

  /** Shows as much as is one thing; null: more must come first. */
  #next(final: boolean): string | null {
    if (this.#rest === "") return null;
    const end = this.#rest.indexOf("\n");
    const whole = end !== -1 || final;
    const line = end === -1 ? this.#rest : this.#rest.slice(0, end);
    const lineEnd = end === -1 ? "" : "\n";
    if (this.#line !== null) return this.#goOn(this.#line, line, whole, lineEnd);
    if (this.#fence !== null) return whole ? this.#code(line, lineEnd) : null;
    if (/^\s*$/.test(line) && !whole) return null;
    if (/^\s*\|/.test(line)) return whole ? this.#row(line, lineEnd) : null;
    if (this.#table.length > 0) return this.#flushTable();
    return whole || !UNDECIDED.test(line) ? this.#begin(line, whole, lineEnd) : null;
  }

  #take(chars: number): void {
    this.#rest = this.#rest.slice(chars);
  }

  #code(line: string, lineEnd: string): string {
    this.#take(line.length + lineEnd.length);
    const mark = FENCE.exec(line);
    const ends = mark !== null && mark[2]?.trim() === "" && mark[1]?.startsWith(this.#fence ?? "");
    if (!ends) return this.#styles.code(line) + lineEnd;
    this.#fence = null;
    return this.#styles.dim(line) + lineEnd;
  }

  #row(line: string, lineEnd: string): string {
    this.#take(line.length + lineEnd.length);
    this.#table.push(line + lineEnd);
    return this.#table.length >= MAX_TABLE_ROWS ? this.#flushTable() : "";
  }

  #flushTable(): string {
    const rows = this.#table;
    if (rows.length === 0) return "";
    this.#table = [];
    const lineEnd = rows.at(-1)?.endsWith("\n") ? "\n" : "";
    const lines = rows.map((row) => row.replace(/\n$/, ""));
    const shown = tableLines(lines, Math.max(20, this.#columns() - 1), this.#styles);
    return (shown ?? lines.map((line) => inline(line, this.#styles))).join("\n") + lineEnd;
  }

  /** Shows how a line begins. */
  #begin(line: string, whole: boolean, lineEnd: string): string {
    const fence = FENCE.exec(line);
    if (fence !== null && !(fence[1]?.startsWith("`") && fence[2]?.includes("`"))) {
      this.#take(line.length + lineEnd.length);
      this.#fence = fence[1] ?? null;
      return this.#styles.dim(line) + lineEnd;
    }
    if (whole && RULE.test(line)) {
      this.#take(line.length + lineEnd.length);
      return this.#styles.dim("─".repeat(Math.min(MAX_RULE, this.#columns() - 1))) + lineEnd;
    }
    const heading = HEADING.exec(line)?.[0];
    if (heading !== undefined) {
      this.#line = { styles: this.#inHeading, wrap: this.#styles.heading, before: "" };
      this.#take(heading.length);
      return "";
    }
    this.#line = { styles: this.#styles, wrap: AS_IT_IS, before: "" };
    const [quote = ""] = QUOTE.exec(line) ?? [];
    const [bullet = "", indent = ""] = BULLET.exec(line.slice(quote.length)) ?? [];
    this.#take(quote.length + bullet.length);
    const quoted = quote === "" ? "" : this.#styles.dim(quote.replaceAll(">", "│"));
    return quoted + (bullet === "" ? "" : `${indent}• `);
  }

  /** Shows more of a line that has begun. */
  #goOn(state: Line, line: string, whole: boolean, lineEnd: string): string | null {
    const { shown, length } = scan({ line, before: state.before, whole }, state.styles);
    const ends = length === line.length && whole;
    if (length === 0 && !ends) return null;
    this.#take(ends ? line.length + lineEnd.length : length);
    if (length > 0) state.before = line.slice(Math.max(0, length - 2), length);
    if (ends) this.#line = null;
    return (shown === "" ? "" : state.wrap(shown)) + (ends ? lineEnd : "");
  }
}

/** A whole text, as it is shown. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const stream = new MarkdownStream(options);
  return stream.push(text) + stream.end();
}

/** No styles, for what is shown as it is. */
export const PLAIN_MARKDOWN: MarkdownOptions = { styles: createStyles(false), columns: () => 80 };
