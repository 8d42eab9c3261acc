/**
 * Keeping the beginning and the end of a text that comes in pieces.
 *
 * @module
 */

import type { TextLimit } from "../types.ts";
import { SLACK_CHARS, wholeCharacter } from "./characters.ts";
import { chooseExcerpts, type Excerpts, keptOf, NO_EXCERPTS } from "./excerpts.ts";

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

function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** What stands where something was left out. */
export function note(omittedChars: number, omittedLines: number, but = ""): string {
  const lines = omittedLines === 0 ? "" : ` (${count(omittedLines)} line ends)`;
  return `[… ${count(omittedChars)} characters${lines} left out here${but} …]`;
}

/** The first and the last part of a text, and how much there is between. */
interface Parts {
  readonly first: string;
  readonly last: string;
  readonly omittedChars: number;
  readonly omittedLines: number;
}

/** What a collector is told beside its limit. */
export interface HeadTailOptions {
  /** Whether the note stands inside the line, as for one long line; else in a line of its own. */
  readonly inline?: boolean;
}

/** Collects a text of any length in bounded memory, with exact counts of what it leaves out. */
export interface Cutter {
  /** Whether something will be left out. */
  readonly exceeded: boolean;
  /** Whether what comes next belongs to the beginning, and must be pushed. */
  readonly takesHead: boolean;
  /** The offset in UTF-8 bytes, between characters, from which they must be pushed. */
  neededFrom(bytes: Uint8Array): number;
  /** Adds the next piece. */
  push(text: string): void;
  /** Counts a piece that is neither beginning nor end. */
  skip(chars: number, lineEnds: number): void;
  /**
   * The text, or its beginning and end with one line between that says what is missing.
   *
   * @param excerpts Lines from between that are worth a share of the limit.
   */
  finish(excerpts?: Excerpts): LimitedText;
}

/** Keeps the first and last characters. */
export class HeadTail implements Cutter {
  readonly #limit: TextLimit;
  readonly #inline: boolean;
  #head = "";
  #tail = "";
  #totalChars = 0;
  #lineEnds = 0;
  #endsInLine = false;

  /** @param limit Whole numbers of characters, not negative. */
  constructor(limit: TextLimit, { inline = false }: HeadTailOptions = {}) {
    this.#limit = limit;
    this.#inline = inline;
  }

  get exceeded(): boolean {
    return this.#totalChars > this.#limit.head + this.#limit.tail;
  }

  get takesHead(): boolean {
    return this.#head.length < this.#limit.head + SLACK_CHARS;
  }

  get #keptTail(): number {
    return this.#limit.tail + SLACK_CHARS + 1;
  }

  neededFrom(bytes: Uint8Array): number {
    // A character (UTF-16 unit) takes three bytes at the most.
    let from = Math.max(0, bytes.length - 3 * this.#keptTail);
    while (from > 0 && (bytes[from]! & 0xc0) === 0x80) from--;
    return from;
  }

  push(text: string): void {
    if (text === "") return;
    this.#totalChars += text.length;
    this.#lineEnds += countLineEnds(text);
    this.#endsInLine = !text.endsWith("\n");
    const room = Math.max(0, this.#limit.head + SLACK_CHARS - this.#head.length);
    if (room > 0) this.#head += text.slice(0, room);
    this.#pushTail(text.slice(room));
  }

  skip(chars: number, lineEnds: number): void {
    this.#totalChars += chars;
    this.#lineEnds += lineEnds;
    this.#tail = "";
  }

  #pushTail(text: string): void {
    const keep = this.#keptTail;
    this.#tail += text.length > keep ? text.slice(-keep) : text;
    if (this.#tail.length > 4 * keep) this.#tail = this.#tail.slice(-keep);
  }

  finish(excerpts: Excerpts = NO_EXCERPTS): LimitedText {
    if (!this.exceeded) return this.#whole();
    const parts = this.#parts(this.#limit);
    if (parts.omittedChars === 0) return this.#whole();
    const between = this.#linesBetween(parts);
    const chosen = chooseExcerpts(excerpts, this.#limit, between);
    const cut = chosen.chars === 0 ? parts : this.#parts(lessBy(this.#limit, chosen.chars));
    const kept = keptOf(chosen.lines);
    const omittedChars = cut.omittedChars - kept.chars;
    const omittedLines = cut.omittedLines - kept.lineEnds;
    const said = note(omittedChars, omittedLines, chosen.but) + chosen.text;
    return { text: this.#join(cut, said), ...this.#totals(), omittedChars, omittedLines };
  }

  #parts({ head, tail }: TextLimit): Parts {
    const lost = this.#totalChars - this.#head.length - this.#tail.length;
    const cut = wholeCharacter(this.#head, head);
    const first = this.#head.slice(0, cut);
    const rest = lost > 0 ? this.#tail : this.#head.slice(cut) + this.#tail;
    const last = rest.slice(wholeCharacter(rest, Math.max(0, rest.length - tail)));
    const omittedChars = this.#totalChars - first.length - last.length;
    const omittedLines = this.#lineEnds - countLineEnds(first) - countLineEnds(last);
    return { first, last, omittedChars, omittedLines };
  }

  /** The lines of which nothing is in either part: after the first number, up to the second. */
  #linesBetween({ first, last }: Parts): readonly [number, number] {
    const begun = first === "" || first.endsWith("\n") ? 0 : 1;
    return [countLineEnds(first) + begun, this.#lineEnds - countLineEnds(last)];
  }

  #join({ first, last }: Parts, said: string): string {
    if (this.#inline) return `${first} ${said} ${last}`;
    const before = first === "" || first.endsWith("\n") ? "" : "\n";
    const after = last === "" ? "" : "\n";
    return first + before + said + after + last;
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

/** A smaller limit; both sides give in proportion. */
function lessBy({ head, tail }: TextLimit, chars: number): TextLimit {
  const fromHead = Math.round(chars * head / (head + tail));
  return { head: head - fromHead, tail: tail - (chars - fromHead) };
}

/** Cuts a text that is in memory already. */
export function limitText(text: string, limit: TextLimit, options?: HeadTailOptions): LimitedText {
  const collector = new HeadTail(limit, options);
  collector.push(text);
  return collector.finish();
}
