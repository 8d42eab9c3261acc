/**
 * Texts in pieces that are short enough to be found, read and cited.
 *
 * @module
 */

import { wholeCharacter } from "../results/characters.ts";

/** Characters of a piece, about. Source: issue 5; some 250 tokens of English, 700 of Chinese. */
export const PIECE_CHARS = 1000;

/** A section that is shorter than this goes together with the next one, in characters. */
const SMALL_CHARS = 250;

/** Levels of headings that a path tells at the most. */
const MAX_LEVELS = 4;

/** A piece of a text. */
export interface Piece {
  /** Without empty lines around it. */
  readonly text: string;
  /** Its first and last line, from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** The headings under which it begins, such as `Deploy > Rollback`; empty where there are none. */
  readonly heading: string;
}

/** How to split. */
export interface SplitOptions {
  /** Whether lines such as `## Rollback` are headings. */
  readonly markdown?: boolean;
  /** The number of the first line, 1 if left out. */
  readonly firstLine?: number;
}

/** One line, or a part of one that is too long. */
interface Line {
  readonly text: string;
  readonly number: number;
  /** The level of the heading that it is; 0 for others. */
  readonly level: number;
  readonly title: string;
}

/** Where a text ends with one of these characters the last time, from `from` on; -1 for nowhere. */
function endOfLast(text: string, from: number, ends: string): number {
  for (let at = text.length - 1; at >= from; at--) {
    if (ends.includes(text.charAt(at))) return at + 1;
  }
  return -1;
}

/** A line of more than a piece is cut, after a sentence or a word where there is one. */
function* partsOf(text: string): Generator<string> {
  let at = 0;
  while (text.length - at > PIECE_CHARS) {
    const window = text.slice(at, at + PIECE_CHARS);
    const sentence = endOfLast(window, PIECE_CHARS / 2, ".!?;。！？；");
    const border = sentence >= 0 ? sentence : endOfLast(window, PIECE_CHARS / 2, " \t");
    const cut = wholeCharacter(text, at + (border >= 0 ? border : PIECE_CHARS));
    // What is one character without end has no place for a cut but this one.
    const next = cut > at ? cut : at + PIECE_CHARS;
    yield text.slice(at, next);
    at = next;
  }
  yield text.slice(at);
}

function* linesOf(text: string, { markdown = false, firstLine = 1 }: SplitOptions) {
  let number = firstLine;
  let fence: string | null = null;
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const mark = markdown ? /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] : undefined;
    if (mark !== undefined && fence === null) fence = mark;
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
    const heading = markdown && fence === null && mark === undefined
      ? /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line)
      : null;
    for (const part of partsOf(line)) {
      const level = heading?.[1]?.length ?? 0;
      yield { text: part, number, level, title: heading?.[2] ?? "" } satisfies Line;
    }
    number++;
  }
}

/** The headings above the place where the splitting is. */
class HeadingPath {
  readonly #titles: string[] = [];

  enter({ level, title }: Line): void {
    this.#titles.length = Math.min(this.#titles.length, level - 1);
    this.#titles[level - 1] = title;
  }

  toString(): string {
    return this.#titles.filter((title) => title).slice(0, MAX_LEVELS).join(" > ");
  }
}

/** A line with the headings above it. */
interface PlacedLine extends Line {
  readonly heading: string;
}

/** Lines that will be a piece. */
class OpenPiece {
  #lines: PlacedLine[] = [];
  #chars = 0;

  get chars(): number {
    return this.#chars;
  }

  add(line: PlacedLine): void {
    this.#lines.push(line);
    this.#chars += line.text.length + 1;
  }

  /** Takes the piece out, up to its last paragraph if that is not far; the rest stays. */
  take(all: boolean): Piece | null {
    const border = this.#lines.findLastIndex(({ text }) => text.trim() === "");
    const before = this.#lines.slice(0, border + 1);
    const size = before.reduce((sum, { text }) => sum + text.length + 1, 0);
    const taken = all || size < PIECE_CHARS / 2 ? this.#lines : before;
    const rest = this.#lines.slice(taken.length);
    this.#lines = [];
    this.#chars = 0;
    for (const line of rest) this.add(line);
    return pieceOf(taken);
  }
}

function pieceOf(lines: readonly PlacedLine[]): Piece | null {
  const filled = (line: Line) => line.text.trim() !== "";
  const kept = lines.slice(lines.findIndex(filled), lines.findLastIndex(filled) + 1);
  const [start, end] = [kept[0], kept.at(-1)];
  if (start === undefined || end === undefined) return null;
  // Parts of one line stand together again.
  const text = kept.reduce((whole, line, index) => {
    const border = index === 0 || kept[index - 1]?.number === line.number ? "" : "\n";
    return whole + border + line.text;
  }, "");
  return { text, startLine: start.number, endLine: end.number, heading: start.heading };
}

/**
 * Splits a text into pieces of about {@linkcode PIECE_CHARS} characters: before headings, between
 * paragraphs, between lines, and lines that are longer than that between sentences, words or
 * characters. Nothing but empty lines is left out.
 */
export function* splitText(text: string, options: SplitOptions = {}): Generator<Piece> {
  const path = new HeadingPath();
  const open = new OpenPiece();
  for (const line of linesOf(text, options)) {
    const section = line.level > 0 && open.chars >= SMALL_CHARS;
    while (open.chars > 0 && (section || open.chars + line.text.length > PIECE_CHARS)) {
      const piece = open.take(section);
      if (piece !== null) yield piece;
    }
    if (line.level > 0) path.enter(line);
    open.add({ ...line, heading: path.toString() });
  }
  const last = open.take(true);
  if (last !== null) yield last;
}
