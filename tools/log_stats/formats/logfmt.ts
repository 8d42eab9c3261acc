/**
 * logfmt: `time=… level=info msg="two words" status=200`.
 *
 * @module
 */

import { BYTE, type LineParser, PARSED, type Parsed, Slice, textOf } from "../entry.ts";
import { namesFor } from "../names.ts";
import type { TimeReader } from "../time.ts";

/** Pairs of a line that are looked at. */
const MAX_PAIRS = 200;

const encoder = new TextEncoder();

/** Notes where keys and values are; compares names when a field is asked for. */
export class LogfmtParser implements LineParser {
  readonly format = "logfmt";
  atMs = NaN;
  readonly #fields: readonly (readonly Uint8Array[])[];
  readonly #time: readonly Uint8Array[];
  readonly #times: TimeReader;
  readonly #timeText = new Slice();
  #bytes: Uint8Array = new Uint8Array(0);
  #pairs = 0;
  /** Four numbers a pair: the key's start and end, the value's start and end. */
  readonly #places = new Int32Array(4 * MAX_PAIRS);

  constructor(fields: readonly string[], times: TimeReader) {
    const encoded = (field: string) => namesFor(field).map((name) => encoder.encode(name));
    this.#fields = fields.map(encoded);
    this.#time = encoded("time");
    this.#times = times;
  }

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    this.#bytes = bytes;
    this.#pairs = 0;
    for (let at = start; at < end && this.#pairs < MAX_PAIRS;) at = this.#pair(at, end);
    if (this.#pairs < 2 && !(this.#pairs === 1 && this.#places[0] === start)) return PARSED.no;
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
    return Array.from({ length: this.#pairs }, (_, pair) => {
      const [start = 0, end = 0] = this.#places.subarray(4 * pair);
      return textOf(this.#bytes, start, end);
    });
  }

  get(field: number, into: Slice): boolean {
    return this.#find(this.#fields[field] ?? [], into);
  }

  /** Notes the pair that begins at `at`, if one does; returns where to go on. */
  #pair(at: number, end: number): number {
    const bytes = this.#bytes;
    let key = at;
    while (key < end && isKeyByte(bytes[key] ?? 0)) key++;
    if (key === at) return at + 1;
    if (bytes[key] !== BYTE.equals || key >= end) return skipWord(bytes, key, end);
    const quoted = bytes[key + 1] === BYTE.quote && key + 1 < end;
    const start = quoted ? key + 2 : key + 1;
    const stop = quoted ? closingQuote(bytes, start, end) : skipWord(bytes, start, end);
    this.#places.set([at, key, start, stop], 4 * this.#pairs++);
    return stop + 1;
  }

  #find(names: readonly Uint8Array[], into: Slice): boolean {
    for (const name of names) {
      for (let at = 0; at < 4 * this.#pairs; at += 4) {
        const [key = 0, keyEnd = 0, start = 0, end = 0] = this.#places.subarray(at, at + 4);
        if (sameBytes(this.#bytes, key, keyEnd, name)) return this.#value(start, end, into);
      }
    }
    return false;
  }

  /** A value as it was meant: escapes are undone. */
  #value(start: number, end: number, into: Slice): boolean {
    if (!this.#bytes.subarray(start, end).includes(BYTE.backslash)) {
      return into.set(this.#bytes, start, end);
    }
    const text = textOf(this.#bytes, start, end);
    return into.setText(
      text.replace(/\\(.)/g, (_, escaped: string) => UNESCAPED[escaped] ?? escaped),
    );
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

function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== BYTE.quote) at += bytes[at] === BYTE.backslash ? 2 : 1;
  return Math.min(at, end);
}

function sameBytes(bytes: Uint8Array, start: number, end: number, name: Uint8Array): boolean {
  if (end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}
