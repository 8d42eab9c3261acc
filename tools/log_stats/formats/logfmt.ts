/**
 * logfmt: `time=… level=info msg="two words" status=200`.
 *
 * @module
 */

import { BYTE, type LineParser, PARSED, type Parsed, Slice, textOf } from "../entry.ts";
import type { TimeReader } from "../time.ts";
import { closingQuote, Pairs, type Way } from "./pairs.ts";

/** Notes where keys and values are. */
export class LogfmtParser implements LineParser {
  readonly format = "logfmt";
  atMs = NaN;
  readonly #pairs = new Pairs();
  readonly #fields: readonly (readonly Way[])[];
  readonly #time: readonly Way[];
  readonly #times: TimeReader;
  readonly #timeText = new Slice();

  constructor(fields: readonly string[], times: TimeReader) {
    this.#fields = fields.map((field) => this.#pairs.waysTo(field));
    this.#time = this.#pairs.waysTo("time");
    this.#times = times;
  }

  /** A line with one pair alone is an entry only if it begins with it. */
  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    this.#pairs.begin(bytes);
    let first = -1;
    for (let at = start; at < end;) {
      const before = this.#pairs.count;
      const next = this.#readPair(at, end);
      if (before === 0 && this.#pairs.count === 1) first = at;
      at = next;
    }
    if (this.#pairs.count < 2 && first !== start) return PARSED.no;
    this.atMs = NaN;
    if (this.#find(this.#time, this.#timeText)) {
      const text = this.#timeText;
      this.atMs = this.#times.any(text.bytes, text.start, text.end);
    }
    return PARSED.entry;
  }

  finish(): Parsed {
    return PARSED.no;
  }

  names(): readonly string[] {
    return this.#pairs.names();
  }

  get(field: number, into: Slice): boolean {
    return this.#find(this.#fields[field] ?? [], into);
  }

  /** Notes the pair that begins at a place, if one does; returns where to go on. */
  #readPair(start: number, end: number): number {
    const { bytes } = this.#pairs;
    let key = start;
    while (key < end && isKeyByte(bytes[key] ?? 0)) key++;
    if (key === start) return start + 1;
    if (bytes[key] !== BYTE.equals || key >= end) return skipWord(bytes, key, end);
    const isQuoted = bytes[key + 1] === BYTE.quote && key + 1 < end;
    const value = isQuoted ? key + 2 : key + 1;
    const stop = isQuoted ? closingQuote(bytes, value, end) : skipWord(bytes, value, end);
    this.#pairs.add(start, key, value, stop);
    return stop + 1;
  }

  #find(ways: readonly Way[], into: Slice): boolean {
    for (let i = 0; i < ways.length; i++) {
      const way = ways[i];
      const pair = way === undefined || way.below.length > 0 ? -1 : this.#pairs.pairOf(way.key);
      if (pair >= 0) return this.#read(pair, into);
    }
    return false;
  }

  /** A value as it was meant: escapes are undone. */
  #read(pair: number, into: Slice): boolean {
    const { bytes } = this.#pairs;
    const start = this.#pairs.start(pair);
    const end = this.#pairs.end(pair);
    let at = start;
    while (at < end && bytes[at] !== BYTE.backslash) at++;
    if (at === end) return into.set(bytes, start, end);
    const text = textOf(bytes, start, end);
    return into.setText(text.replace(/\\(.)/g, (_, char: string) => UNESCAPED[char] ?? char));
  }
}

const UNESCAPED: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function isKeyByte(byte: number): boolean {
  return byte > BYTE.space && byte !== BYTE.equals && byte !== BYTE.quote;
}

function skipWord(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== BYTE.space) at++;
  return at;
}
