/**
 * The journal's export format: entries of `NAME=value` lines with an empty
 * line behind each; a value that is no text comes with its size.
 *
 * @module
 */

import { BYTE, type LineParser, PARSED, type Parsed, type Slice, textOf } from "../entry.ts";
import { namesFor } from "../names.ts";
import { TimeReader } from "../time.ts";

/** Bytes of a value that are kept. */
const MAX_VALUE_BYTES = 4096;

const SIZE_BYTES = 8;

/** A value with a size, while it comes: eight bytes of size, the value, a line end. */
interface Sized {
  readonly name: string;
  readonly head: number[];
  seen: number;
  /** Unknown, as infinity, until the size has come. */
  total: number;
}

/** Gathers the fields of an entry until its empty line. */
export class JournalParser implements LineParser {
  readonly format = "journal";
  atMs = NaN;
  readonly #fields: readonly (readonly string[])[];
  readonly #times: TimeReader;
  #entry = new Map<string, string>();
  /** Whether the entry has ended, so that the next line begins another. */
  #ended = true;
  #sized: Sized | null = null;

  constructor(fields: readonly string[], times: TimeReader) {
    this.#fields = fields.map(namesFor);
    this.#times = times;
  }

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    if (this.#sized !== null) return this.#more(this.#sized, bytes, start, end);
    if (start === end) return this.finish();
    if (this.#ended) this.#entry = new Map();
    this.#ended = false;
    let at = start;
    while (at < end && bytes[at] !== BYTE.equals) at++;
    const name = textOf(bytes, start, at);
    if (at === end) this.#sized = { name, head: [], seen: 0, total: Infinity };
    else this.#entry.set(name, textOf(bytes, at + 1, Math.min(end, at + 1 + MAX_VALUE_BYTES)));
    return PARSED.more;
  }

  finish(): Parsed {
    if (this.#ended) return PARSED.more;
    this.#ended = true;
    const time = this.#entry.get("_SOURCE_REALTIME_TIMESTAMP") ??
      this.#entry.get("__REALTIME_TIMESTAMP") ?? "";
    const bytes = new TextEncoder().encode(time);
    this.atMs = this.#times.any(bytes, 0, bytes.length);
    return PARSED.entry;
  }

  names(): readonly string[] {
    return [...this.#entry.keys()];
  }

  get(field: number, into: Slice): boolean {
    for (const name of this.#fields[field] ?? []) {
      const value = this.#entry.get(name);
      if (value !== undefined) return into.setText(value);
    }
    return false;
  }

  /** Takes one more line of a sized value; the line end belongs to it. */
  #more(sized: Sized, bytes: Uint8Array, start: number, end: number): Parsed {
    for (let at = start; at <= end && sized.head.length < SIZE_BYTES + MAX_VALUE_BYTES; at++) {
      sized.head.push(at === end ? BYTE.lf : bytes[at] ?? 0);
    }
    sized.seen += end - start + 1;
    if (sized.total === Infinity && sized.head.length >= SIZE_BYTES) {
      const size = sized.head.slice(0, SIZE_BYTES).reduceRight((sum, byte) => sum * 256 + byte, 0);
      sized.total = SIZE_BYTES + size + 1;
    }
    if (sized.seen < sized.total) return PARSED.more;
    const value = Uint8Array.from(sized.head.slice(SIZE_BYTES, sized.total - 1));
    this.#entry.set(sized.name, textOf(value, 0, value.length));
    this.#sized = null;
    return PARSED.more;
  }
}
