/**
 * Keeping the first and the last lines of a text that comes in pieces.
 *
 * @module
 */

import type { TextLimit } from "../types.ts";
import { chooseExcerpts, type Excerpts, keptOf, NO_EXCERPTS } from "./excerpts.ts";
import { type Cutter, HeadTail, type LimitedText, note } from "./head_tail.ts";

/** A longer line is cut inside, in characters. */
export const LINE_LIMIT: TextLimit = { head: 300, tail: 100 };

/** Characters that a line counts as when lines are chosen from the middle. */
const USUAL_CHARS = 80;

const LF = 0x0a;

interface KeptLine {
  readonly text: string;
  /** Characters of the line, its end included, that are not shown. */
  readonly omitted: number;
  readonly chars: number;
}

/** Keeps the first and last lines, each of them cut inside where it is long. */
export class LineHeadTail implements Cutter {
  readonly #limit: TextLimit;
  readonly #head: KeptLine[] = [];
  #tail: KeptLine[] = [];
  #open = new HeadTail(LINE_LIMIT, { inline: true });
  #openChars = 0;
  #totalChars = 0;
  #lineEnds = 0;
  #cutInside = false;

  /** @param limit Whole numbers of lines, not negative. */
  constructor(limit: TextLimit) {
    this.#limit = limit;
  }

  get exceeded(): boolean {
    const lines = this.#lineEnds + (this.#openChars > 0 ? 1 : 0);
    return this.#cutInside || this.#open.exceeded || lines > this.#limit.head + this.#limit.tail;
  }

  get takesHead(): boolean {
    return this.#head.length < this.#limit.head;
  }

  neededFrom(bytes: Uint8Array): number {
    let from = bytes.length;
    for (let lines = 0; lines <= this.#limit.tail; lines++) {
      from = from === 0 ? -1 : bytes.lastIndexOf(LF, from - 1);
      if (from === -1) return 0;
    }
    return from + 1;
  }

  push(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#extend(text.slice(from, at));
      this.#totalChars++;
      this.#openChars++;
      this.#lineEnds++;
      this.#close("\n");
      from = at + 1;
    }
    this.#extend(text.slice(from));
  }

  skip(chars: number, lineEnds: number): void {
    this.#totalChars += chars;
    this.#lineEnds += lineEnds;
    this.#tail = [];
    this.#open = new HeadTail(LINE_LIMIT, { inline: true });
    this.#openChars = 0;
  }

  #extend(text: string): void {
    this.#totalChars += text.length;
    this.#openChars += text.length;
    this.#open.push(text);
  }

  #close(end: string): void {
    const { text, omittedChars } = this.#open.finish();
    if (omittedChars > 0) this.#cutInside = true;
    const line = { text: text + end, omitted: omittedChars, chars: this.#openChars };
    if (this.takesHead) this.#head.push(line);
    else if (this.#tail.push(line) > this.#limit.tail) this.#tail.shift();
    this.#open = new HeadTail(LINE_LIMIT, { inline: true });
    this.#openChars = 0;
  }

  finish(excerpts: Excerpts = NO_EXCERPTS): LimitedText {
    const totalLines = this.#lineEnds + (this.#openChars > 0 ? 1 : 0);
    if (this.#openChars > 0) this.#close("");
    const { head, tail } = this.#limit;
    const limit = { head: head * USUAL_CHARS, tail: tail * USUAL_CHARS };
    const upTo = totalLines - this.#tail.length;
    const { lines, but, text: said } = chooseExcerpts(excerpts, limit, [this.#head.length, upTo]);
    const fewer = Math.min(lines.length, this.#head.length + this.#tail.length);
    const fromHead = Math.min(this.#head.length, Math.ceil(fewer / 2));
    const shown = [
      this.#head.slice(0, this.#head.length - fromHead),
      this.#tail.slice(Math.min(this.#tail.length, fewer - fromHead)),
    ] as const;
    const kept = keptOf(lines);
    const all = shown.flat();
    const skippedLines = totalLines - all.length;
    const shownChars = all.reduce((sum, { chars, omitted }) => sum + chars - omitted, 0);
    const inside = all.reduce((sum, { omitted }) => sum + omitted, 0);
    const omittedChars = this.#totalChars - shownChars - kept.chars;
    const [first, last] = shown.map((part) => part.map(({ text }) => text).join(""));
    const between = skippedLines === 0
      ? ""
      : `${note(omittedChars - inside, skippedLines - kept.lineEnds, but)}${said}\n`;
    return {
      text: `${first}${between}${last}`,
      totalChars: this.#totalChars,
      totalLines,
      omittedChars,
      omittedLines: skippedLines - kept.lineEnds,
    };
  }
}
