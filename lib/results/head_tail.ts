/**
 * Keeping the beginning and the end of a text that comes in pieces.
 *
 * @module
 */

import type { TextLimit } from "../types.ts";

/** A text within its limit, and what was left out of it. */
export interface LimitedText {
  readonly text: string;
  readonly totalChars: number;
  readonly omittedChars: number;
  /** Line ends among what was left out. */
  readonly omittedLines: number;
}

/** Characters kept beyond a cut so that it can be moved to a whole one. */
const SLACK = 64;

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const number = new Intl.NumberFormat("en-US");

/** Counts the line ends of a text. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Moves a cut back to the beginning of the character that it would part. */
function wholeCharacter(text: string, cut: number): number {
  if (cut <= 0 || cut >= text.length) return Math.max(0, Math.min(cut, text.length));
  const from = Math.max(0, cut - SLACK);
  const window = text.slice(from, cut + SLACK);
  const segment = segmenter.segment(window).containing(cut - from);
  return segment === undefined || segment.index === 0 ? cut : from + segment.index;
}

function note(omittedChars: number, omittedLines: number): string {
  const lines = omittedLines === 0 ? "" : ` (${number.format(omittedLines)} line ends)`;
  return `[… ${number.format(omittedChars)} characters${lines} left out here …]`;
}

/**
 * Collects a text of any length in bounded memory: its first and last
 * characters and exact counts of the rest.
 */
export class HeadTail {
  readonly #limit: TextLimit;
  #head = "";
  #tail = "";
  #totalChars = 0;
  #lineEnds = 0;

  /** @param limit Whole numbers of characters, not negative. */
  constructor(limit: TextLimit) {
    this.#limit = limit;
  }

  /** Adds the next piece. */
  push(text: string): void {
    this.#totalChars += text.length;
    this.#lineEnds += countLineEnds(text);
    const room = Math.max(0, this.#limit.head + SLACK - this.#head.length);
    if (room > 0) this.#head += text.slice(0, room);
    this.#pushTail(text.slice(room));
  }

  #pushTail(text: string): void {
    const keep = this.#limit.tail + SLACK;
    this.#tail += text.length > keep ? text.slice(-keep) : text;
    if (this.#tail.length > 4 * keep) this.#tail = this.#tail.slice(-keep);
  }

  /** The text, or its beginning and end with one line between that says what is missing. */
  finish(): LimitedText {
    const { head, tail } = this.#limit;
    const lost = this.#totalChars - this.#head.length - this.#tail.length;
    if (this.#totalChars <= head + tail) return this.#whole();
    const cut = wholeCharacter(this.#head, head);
    const first = this.#head.slice(0, cut);
    const rest = lost > 0 ? this.#tail : this.#head.slice(cut) + this.#tail;
    const last = rest.slice(wholeCharacter(rest, Math.max(0, rest.length - tail)));
    const omittedChars = this.#totalChars - first.length - last.length;
    const omittedLines = this.#lineEnds - countLineEnds(first) - countLineEnds(last);
    const before = first === "" || first.endsWith("\n") ? "" : "\n";
    const after = last === "" ? "" : "\n";
    const text = first + before + note(omittedChars, omittedLines) + after + last;
    return { text, totalChars: this.#totalChars, omittedChars, omittedLines };
  }

  #whole(): LimitedText {
    const text = this.#head + this.#tail;
    return { text, totalChars: this.#totalChars, omittedChars: 0, omittedLines: 0 };
  }
}

/** Cuts a text that is in memory already. */
export function limitText(text: string, limit: TextLimit): LimitedText {
  const collector = new HeadTail(limit);
  collector.push(text);
  return collector.finish();
}
