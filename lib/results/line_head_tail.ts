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
    const between = [this.#head.length, totalLines - this.#tail.length] as const;
    const chosen = chooseExcerpts(excerpts, limit, between);
    const kept = keptOf(chosen.lines);
    const { first, last } = this.#withoutPlaces(chosen.lines.length);
    const shown = sumOf(first, last);
    const omittedLines = totalLines - shown.lines - kept.lineEnds;
    const omittedChars = this.#totalChars - shown.chars - kept.chars;
    const said = `${note(omittedChars - shown.omitted, omittedLines, chosen.but)}${chosen.text}\n`;
    const text = shown.first + (totalLines === shown.lines ? "" : said) + shown.last;
    return { text, totalChars: this.#totalChars, totalLines, omittedChars, omittedLines };
  }

  /** The lines of both sides without as many as are shown from between, taken from the middle. */
  #withoutPlaces(count: number): { first: readonly KeptLine[]; last: readonly KeptLine[] } {
    const fromHead = Math.min(this.#head.length, Math.ceil(count / 2));
    const fromTail = Math.min(this.#tail.length, count - fromHead);
    return {
      first: this.#head.slice(0, this.#head.length - fromHead),
      last: this.#tail.slice(fromTail),
    };
  }
}

/** What lines show and what is left out inside them. */
function sumOf(first: readonly KeptLine[], last: readonly KeptLine[]) {
  const textOf = (lines: readonly KeptLine[]) => lines.map(({ text }) => text).join("");
  let chars = 0;
  let omitted = 0;
  for (const line of [...first, ...last]) {
    chars += line.chars - line.omitted;
    omitted += line.omitted;
  }
  const lines = first.length + last.length;
  return { first: textOf(first), last: textOf(last), chars, omitted, lines };
}
