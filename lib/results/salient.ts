/**
 * The lines of an output that matter and stand out: they name trouble, and
 * differ from the lines around them.
 *
 * @module
 */

import type { Anchor } from "./anchors.ts";
import { wholeCharacter } from "./characters.ts";
import { ERROR_WORDS, NO_TROUBLE } from "./error_words.ts";

/** A line worth keeping. */
export interface SalientLine {
  /** From 1. */
  readonly line: number;
  /** Its text, or the part of it around the word. */
  readonly text: string;
  /** Characters of the output that it shows. */
  readonly shownChars: number;
  /** Whether that is all of the line. */
  readonly whole: boolean;
  readonly severity: number;
  /** Lines of the whole output whose strongest word is the same. */
  readonly wordLines: number;
  /** Lines with that word that look the same but for their numbers. */
  readonly alike: number;
}

/** Different looks that are kept of a word's lines. */
const SHAPES_PER_WORD = 8;

/** Different looks that are told apart of a word's lines. */
const MAX_SHAPES = 4096;

/** Characters of a line that are kept. */
const LINE_CHARS = 240;

/** Characters before the word, where not all of a line is kept. */
const BEFORE_CHARS = 80;

/** Where a line stands. */
export interface LinePlace {
  /** From 1. */
  readonly line: number;
  /** Whether its bytes are all of it, and a line end follows. */
  readonly whole: boolean;
}

interface Group {
  readonly line: number;
  readonly text: string;
  readonly shownChars: number;
  readonly whole: boolean;
  count: number;
}

interface WordLines {
  count: number;
  readonly shapes: Map<number, Group | "counted" | "harmless">;
  kept: number;
}

const lenient = new TextDecoder();

function isLetter(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a || byte >= 0x61 && byte <= 0x7a;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** At the beginning of a word: `error`, `_error`, the second word of `DiskError`. */
function beginsWord(bytes: Uint8Array, start: number): boolean {
  const before = bytes[start - 1] ?? 0;
  if (!isLetter(before)) return true;
  return before >= 0x61 && bytes[start]! >= 0x41 && bytes[start]! <= 0x5a;
}

/** A number for the look of a line: numbers are alike, but for 0 and those behind letters. */
function shapeOf(bytes: Uint8Array): number {
  let hash = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (!isDigit(byte)) {
      hash = Math.imul(hash, 31) + byte | 0;
      continue;
    }
    const first = at;
    while (at + 1 < bytes.length && isDigit(bytes[at + 1]!)) at++;
    const zero = first === at && byte === 0x30;
    hash = Math.imul(hash, 31) + (zero ? 0x30 : 0x31) | 0;
  }
  return hash;
}

/** The part of a line around an offset; an ellipsis stands for each side that is left out. */
function around(line: string, at: number): { text: string; shownChars: number } {
  if (line.length <= LINE_CHARS) return { text: line, shownChars: line.length };
  const from = at < LINE_CHARS - BEFORE_CHARS ? 0 : wholeCharacter(line, at - BEFORE_CHARS);
  const to = wholeCharacter(line, Math.min(line.length, from + LINE_CHARS - 2));
  const text = (from > 0 ? "…" : "") + line.slice(from, to) + (to < line.length ? "…" : "");
  return { text, shownChars: to - from };
}

function groupOf(text: string, word: number, { line, whole }: LinePlace): Group {
  const at = text.toLowerCase().indexOf(ERROR_WORDS[word]?.word ?? "");
  const shown = around(text, at);
  return { line, ...shown, whole: whole && shown.shownChars === text.length, count: 0 };
}

/** Sees every line that has an error word and remembers a bounded number of them. */
export class SalientLines {
  readonly #words = new Map<number, WordLines>();

  /** The words, numbered from `firstId`. */
  static anchors(firstId: number): Anchor[] {
    return ERROR_WORDS.map(({ word }, index) => ({ text: word, id: firstId + index }));
  }

  /** Whether a hit is one that counts. */
  static confirms(bytes: Uint8Array, start: number): boolean {
    return beginsWord(bytes, start);
  }

  /**
   * Takes a line.
   *
   * @param bytes Without its line end.
   * @param words Numbers of its words, from 0; not empty.
   * @param place Its number, and whether it is a whole line.
   */
  see(bytes: Uint8Array, words: readonly number[], place: LinePlace): void {
    const word = words.reduce((a, b) =>
      (ERROR_WORDS[b]?.severity ?? 0) > (ERROR_WORDS[a]?.severity ?? 0) ? b : a
    );
    let lines = this.#words.get(word);
    if (!lines) this.#words.set(word, lines = { count: 0, shapes: new Map(), kept: 0 });
    const shape = shapeOf(bytes);
    const group = lines.shapes.get(shape) ?? this.#begin(lines, shape, bytes, word, place);
    if (group === "harmless") return;
    lines.count++;
    if (group !== "counted") group.count++;
  }

  #begin(lines: WordLines, shape: number, bytes: Uint8Array, word: number, place: LinePlace) {
    if (lines.shapes.size >= MAX_SHAPES) return "counted";
    const text = lenient.decode(bytes);
    const known = NO_TROUBLE.test(text)
      ? "harmless"
      : lines.kept >= SHAPES_PER_WORD
      ? "counted"
      : groupOf(text, word, place);
    lines.shapes.set(shape, known);
    if (typeof known === "object") lines.kept++;
    return known;
  }

  /** What was seen, the most telling first: the worst, then the rarest word, then the rarest look. */
  ranked(): SalientLine[] {
    const all = [...this.#words].flatMap(([word, { count, shapes }]) => {
      const severity = ERROR_WORDS[word]?.severity ?? 1;
      return [...shapes.values()].flatMap((group) =>
        typeof group === "string" ? [] : [{
          line: group.line,
          text: group.text,
          shownChars: group.shownChars,
          whole: group.whole,
          severity,
          wordLines: count,
          alike: group.count,
        }]
      );
    });
    return all.sort((a, b) =>
      b.severity - a.severity || a.alike - b.alike || a.wordLines - b.wordLines || a.line - b.line
    );
  }

  /** How many lines have each word as their strongest, those with the most first. */
  totals(): readonly (readonly [string, number])[] {
    return [...this.#words]
      .flatMap(([word, { count }]) =>
        count === 0 ? [] : [[ERROR_WORDS[word]?.word.trim() ?? "", count] as const]
      )
      .sort((a, b) => b[1] - a[1]);
  }
}
