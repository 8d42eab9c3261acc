/**
 * Which entries count.
 *
 * @module
 */

import { BYTE, type LineParser, Slice } from "./entry.ts";
import type { FieldList } from "./fields.ts";
import { levelRank } from "./levels.ts";
import type { Query } from "./query.ts";

/** Upper-case letters of ASCII to lower case; every other byte to itself. */
const FOLDED: Uint8Array = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte >= 65 && byte <= 90 ? byte + 32 : byte,
);

/**
 * Finds a text in lines, whatever the case of its ASCII letters. It looks for
 * the next place in all the bytes that a line is part of, so that lines
 * without it cost almost nothing (Horspool's algorithm).
 */
class TextFinder {
  readonly #needle: Uint8Array;
  /** How far to go on by the byte where the needle's end would be; 0 if it fits. */
  readonly #skips: Uint32Array;
  /** How far to go on where only the end fits. */
  readonly #step: number;
  #bytes: Uint8Array | null = null;
  /** What of the bytes has been searched, and the first place found in it. */
  #from = 0;
  #found = 0;

  constructor(text: string) {
    this.#needle = new TextEncoder().encode(text).map((byte) => FOLDED[byte] ?? byte);
    const last = this.#needle.length - 1;
    this.#skips = new Uint32Array(256).fill(this.#needle.length);
    this.#needle.forEach((byte, at) => this.#setSkip(byte, last - at));
    this.#step = Math.max(1, last - this.#needle.lastIndexOf(this.#needle[last] ?? 0, last - 1));
  }

  #setSkip(byte: number, skip: number): void {
    this.#skips[byte] = skip;
    if (byte >= 97 && byte <= 122) this.#skips[byte - 32] = skip;
  }

  /** Lines of the same bytes come in order; where that begins again, the bytes are new. */
  isIn(bytes: Uint8Array, start: number, end: number): boolean {
    if (bytes !== this.#bytes || start <= this.#from || start > this.#found) {
      this.#bytes = bytes;
      this.#found = this.#next(bytes, start);
    }
    this.#from = start;
    return this.#found + this.#needle.length <= end;
  }

  /** Where the needle is next; infinity if it is not. */
  #next(bytes: Uint8Array, start: number): number {
    const needle = this.#needle;
    const skips = this.#skips;
    const last = needle.length - 1;
    for (let at = start + last; at < bytes.length; at += this.#step) {
      for (let skip = skips[bytes[at] ?? 0] ?? 0; skip > 0; skip = skips[bytes[at] ?? 0] ?? 0) {
        at += skip;
        if (at >= bytes.length) return Infinity;
      }
      let back = 1;
      while (back <= last && FOLDED[bytes[at - back] ?? 0] === needle[last - back]) back++;
      if (back > last) return at - last;
    }
    return Infinity;
  }
}

/** Asked for every line, so without a closure. */
function isInAny(
  finders: readonly TextFinder[],
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  for (let i = 0; i < finders.length; i++) {
    if (finders[i]?.isIn(bytes, start, end)) return true;
  }
  return false;
}

/** A text as JSON may write it: programs escape what is not ASCII, or not. */
function spellings(text: string): readonly string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replace(
    /[^\u0020-\u007e]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return [...new Set([text, json, ascii])];
}

/** The conditions of a query on one entry, its time apart. */
export class Filter {
  readonly #status: number;
  readonly #level: number;
  readonly #message: number;
  readonly #statuses: Uint8Array | null;
  readonly #least: number | null;
  readonly #finders: readonly TextFinder[] | null;
  readonly #ranks = new Map<string, number>();
  readonly #fields: FieldList;
  readonly #slice = new Slice();

  constructor(query: Query, fields: FieldList) {
    this.#fields = fields;
    this.#statuses = query.statuses;
    this.#least = query.level;
    this.#status = query.statuses === null ? -1 : fields.add("status");
    this.#level = query.level === null ? -1 : fields.add("level");
    this.#message = query.text === null ? -1 : fields.add("message", { mayBeMissing: true });
    this.#finders = query.text === null
      ? null
      : spellings(query.text).map((text) => new TextFinder(text));
  }

  /** Whether the entry that a parser just found, in these bytes, counts. */
  matches(parser: LineParser, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#statuses !== null && !this.#hasStatus(this.#statuses, parser)) return false;
    if (this.#least !== null && !this.#hasLevel(this.#least, parser)) return false;
    if (this.#finders === null) return true;
    return this.#hasText(this.#finders, parser, bytes, start, end);
  }

  #hasStatus(wanted: Uint8Array, parser: LineParser): boolean {
    const slice = this.#slice;
    if (!this.#fields.get(parser, this.#status, slice)) return false;
    let code = 0;
    for (let at = slice.start; at < slice.end; at++) {
      code = code * 10 + (slice.bytes[at] ?? 0) - BYTE.zero;
    }
    return wanted[code] === 1;
  }

  #hasLevel(least: number, parser: LineParser): boolean {
    if (!this.#fields.get(parser, this.#level, this.#slice)) return false;
    const text = this.#slice.text();
    let rank = this.#ranks.get(text);
    if (rank === undefined) {
      rank = levelRank(text);
      if (this.#ranks.size < 100) this.#ranks.set(text, rank);
    }
    return rank >= least;
  }

  #hasText(
    finders: readonly TextFinder[],
    parser: LineParser,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): boolean {
    if (parser.format !== "journal") return isInAny(finders, bytes, start, end);
    // An entry of the journal is many lines; the message is the one that is meant.
    const slice = this.#slice;
    if (!parser.get(this.#message, slice)) return false;
    return isInAny(finders, slice.bytes, slice.start, slice.end);
  }
}
