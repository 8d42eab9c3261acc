/**
 * Keeping the beginning and the end of a text that comes in pieces.
 *
 * @module
 */

import type { TextLimit } from "../types.ts";
import { SLACK_CHARS, wholeCharacter } from "./characters.ts";

/** A text within its limit, and what was left out of it. */
export interface LimitedText {
  readonly text: string;
  readonly totalChars: number;
  /** Lines of the whole text; a last one without a line end counts. */
  readonly totalLines: number;
  readonly omittedChars: number;
  /** Line ends among what was left out. */
  readonly omittedLines: number;
}

/** Counts the line ends of a text. */
export function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function note(omittedChars: number, omittedLines: number): string {
  const count = (value: number) => value.toLocaleString("en-US");
  const lines = omittedLines === 0 ? "" : ` (${count(omittedLines)} line ends)`;
  return `[… ${count(omittedChars)} characters${lines} left out here …]`;
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
  #endsInLine = false;

  /** @param limit Whole numbers of characters, not negative. */
  constructor(limit: TextLimit) {
    this.#limit = limit;
  }

  /** Adds the next piece. */
  push(text: string): void {
    if (text === "") return;
    this.#totalChars += text.length;
    this.#lineEnds += countLineEnds(text);
    this.#endsInLine = !text.endsWith("\n");
    const room = Math.max(0, this.#limit.head + SLACK_CHARS - this.#head.length);
    if (room > 0) this.#head += text.slice(0, room);
    this.#pushTail(text.slice(room));
  }

  #pushTail(text: string): void {
    const keep = this.#limit.tail + SLACK_CHARS + 1;
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
    if (omittedChars === 0) return this.#whole();
    const omittedLines = this.#lineEnds - countLineEnds(first) - countLineEnds(last);
    const before = first === "" || first.endsWith("\n") ? "" : "\n";
    const after = last === "" ? "" : "\n";
    const text = first + before + note(omittedChars, omittedLines) + after + last;
    return { text, ...this.#totals(), omittedChars, omittedLines };
  }

  #whole(): LimitedText {
    const text = this.#head + this.#tail;
    return { text, ...this.#totals(), omittedChars: 0, omittedLines: 0 };
  }

  #totals(): { totalChars: number; totalLines: number } {
    const totalLines = this.#lineEnds + (this.#endsInLine ? 1 : 0);
    return { totalChars: this.#totalChars, totalLines };
  }
}

/** Cuts a text that is in memory already. */
export function limitText(text: string, limit: TextLimit): LimitedText {
  const collector = new HeadTail(limit);
  collector.push(text);
  return collector.finish();
}
