/**
 * Markdown within a line: code, emphasis, links. What is no mark for sure stays as it was written,
 * such as the stars of `*.log`; underscores are never marks, since names of files have them.
 *
 * @module
 */

import type { Styles } from "../styles.ts";

/** What stands at a place: a span, a number of characters without meaning, or not known yet. */
export type Found =
  | { readonly kind: "span"; readonly length: number; readonly shown: string }
  | { readonly kind: "literal"; readonly length: number }
  | { readonly kind: "wait" };

/** What is known at a place in a line. */
export interface Place {
  /** The line from the place on, as far as it has come, without its line end. */
  readonly line: string;
  /** What stands before it in the line; empty at its beginning. */
  readonly before: string;
  /** Whether the end of the line has come. */
  readonly whole: boolean;
}

/** Characters in which the end of a span must come; until then its beginning is held back. */
const MAX_SPAN = 400;

const WAIT: Found = { kind: "wait" };

function literal(length: number): Found {
  return { kind: "literal", length };
}

/** Characters that may begin a span. */
export const MARKS = /[`*[]/;

/** Whether more of the line can still change what stands at its beginning. */
function isOpen({ line, whole }: Place): boolean {
  return !whole && line.length < MAX_SPAN;
}

function codeAt(place: Place, styles: Styles): Found {
  const line = place.line.slice(0, MAX_SPAN);
  const run = /^`+/.exec(line)?.[0].length ?? 0;
  if (run === line.length && isOpen(place)) return WAIT;
  const closing = new RegExp("(?<!`)`{" + run + "}(?!`)", "g");
  closing.lastIndex = run;
  const end = closing.exec(line)?.index ?? -1;
  const length = end + run;
  const undecided = end === -1 || length === line.length;
  if (undecided && isOpen(place)) return WAIT;
  if (end === -1 || end === run) return literal(run);
  const text = line.slice(run, end).replace(/^ (.*\S.*) $/, "$1");
  return { kind: "span", length, shown: styles.code(text) };
}

/** What may stand before emphasis: no word, no path, no number. */
const BEFORE_EMPHASIS = /[A-Za-z0-9_*/\\.]$/;

/** What emphasis may begin with: for one star a letter or digit, for more also other signs. */
const FIRST = { one: /^[\p{L}\p{N}"“‘《「（(`]/u, more: /^[^\s*/.,;:|\\]/ };

/** What can't follow emphasis. */
const AFTER = /^[A-Za-z0-9_*/]/;

/** Where the stars end that a line begins with; -1: nowhere; null: not known yet. */
function closingStars(line: string, run: number, open: boolean): number | null {
  const closing = new RegExp(`(?<![\\s*\\\\])\\*{${run}}(?!\\*)`, "g");
  closing.lastIndex = run + 1;
  for (const { index } of line.matchAll(closing)) {
    if (index < run) continue;
    const rest = line.slice(index + run);
    if (rest === "" && open) return null;
    if (!AFTER.test(rest)) return index;
  }
  return open ? null : -1;
}

function emphasisAt(place: Place, styles: Styles): Found {
  const line = place.line.slice(0, MAX_SPAN);
  const run = /^\*+/.exec(line)?.[0].length ?? 0;
  if (run === line.length && isOpen(place)) return WAIT;
  const first = run === 1 ? FIRST.one : FIRST.more;
  const begins = run <= 3 && !BEFORE_EMPHASIS.test(place.before) && first.test(line.slice(run));
  if (!begins) return literal(run);
  const end = closingStars(line, run, isOpen(place));
  if (end === null) return WAIT;
  if (end === -1) return literal(run);
  const inner = inline(line.slice(run, end), styles);
  const italic = run === 2 ? inner : styles.italic(inner);
  return { kind: "span", length: end + run, shown: run === 1 ? italic : styles.bold(italic) };
}

const LINK = /^\[([^\]]+)\]\(([^()\s]+(?:\([^()\s]*\)[^()\s]*)?)\)/;
const LINK_BEGINS = /^\[(?:[^\]]*|[^\]]+\]|[^\]]+\]\((?:[^()\s]+|[^()\s]*\([^()\s]*\)?[^()\s]*)?)$/;

function linkAt(place: Place, styles: Styles): Found {
  const line = place.line.slice(0, MAX_SPAN);
  const [all, text = "", url = ""] = LINK.exec(line) ?? [];
  if (all === undefined) return isOpen(place) && LINK_BEGINS.test(line) ? WAIT : literal(1);
  const shown = text === url
    ? styles.underline(url)
    : `${styles.underline(inline(text, styles))} ${styles.dim(`(${url})`)}`;
  return { kind: "span", length: all.length, shown };
}

/** Looks at a place that has one of the {@linkcode MARKS}. */
export function spanAt(place: Place, styles: Styles): Found {
  if (place.before.endsWith("\\")) return literal(1);
  switch (place.line[0]) {
    case "`":
      return codeAt(place, styles);
    case "*":
      return emphasisAt(place, styles);
    default:
      return linkAt(place, styles);
  }
}

/** What came of the beginning of a line. */
export interface Scanned {
  readonly shown: string;
  /** Characters that are done with; the others wait. */
  readonly length: number;
}

/**
 * Shows a line as far as that is clear.
 *
 * @param place Where it begins; `whole` shows all of it.
 */
export function scan(place: Place, styles: Styles): Scanned {
  const { line, whole } = place;
  let shown = "";
  let at = 0;
  while (at < line.length) {
    const rest = line.slice(at);
    const mark = rest.search(MARKS);
    if (mark !== 0) {
      const text = mark === -1 ? rest : rest.slice(0, mark);
      shown += text;
      at += text.length;
      continue;
    }
    const before = at === 0 ? place.before : line.slice(Math.max(0, at - 2), at);
    const found = spanAt({ line: rest, before, whole }, styles);
    if (found.kind === "wait") break;
    shown += found.kind === "span" ? found.shown : rest.slice(0, found.length);
    at += found.length;
  }
  return { shown, length: at };
}

/** Shows a whole text of one line. */
export function inline(line: string, styles: Styles): string {
  return scan({ line, before: "", whole: true }, styles).shown;
}
