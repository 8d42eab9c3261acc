/**
 * JSON lines, the output of `journalctl -o json` among them.
 *
 * A line is taken apart only as far as its own fields: a value is decoded when
 * somebody asks for it, and what is nested in it is only then known to be JSON.
 *
 * @module
 */

import { BYTE, type LineParser, PARSED, type Parsed, Slice, textOf } from "../entry.ts";
import type { TimeReader } from "../time.ts";
import { closingQuote, Pairs, type Way } from "./pairs.ts";

/** A value as text. Journald writes bytes that are no text as an array of numbers. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0)) {
    return textOf(Uint8Array.from(value), 0, value.length);
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** A value below a value; undefined if it is not there, or is no JSON. */
function decode(json: string, below: readonly string[]): unknown {
  try {
    let value: unknown = JSON.parse(json);
    for (const key of below) value = isObject(value) ? value[key] : undefined;
    return value;
  } catch {
    return undefined;
  }
}

/** Notes where the fields of a line are. */
export class JsonParser implements LineParser {
  readonly format = "json";
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

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    this.#pairs.begin(bytes);
    if (!this.#readObject(skipBlanks(bytes, start, end), end)) return PARSED.no;
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

  /** Notes the pairs of an object that takes all the rest of the line. */
  #readObject(start: number, end: number): boolean {
    const { bytes } = this.#pairs;
    if (bytes[start] !== BYTE.openBrace || start >= end) return false;
    let at = skipBlanks(bytes, start + 1, end);
    if (bytes[at] === BYTE.closeBrace) return skipBlanks(bytes, at + 1, end) === end;
    while (at < end) {
      at = this.#readPair(at, end);
      if (bytes[at] === BYTE.closeBrace && at < end) return skipBlanks(bytes, at + 1, end) === end;
      if (bytes[at] !== BYTE.comma) return false;
      at = skipBlanks(bytes, at + 1, end);
    }
    return false;
  }

  /** Notes the pair at a place; returns where the comma or brace behind it must be. */
  #readPair(start: number, end: number): number {
    const { bytes } = this.#pairs;
    if (bytes[start] !== BYTE.quote) return end;
    const quote = closingQuote(bytes, start + 1, end);
    const colon = skipBlanks(bytes, quote + 1, end);
    if (bytes[colon] !== BYTE.colon) return end;
    const value = skipBlanks(bytes, colon + 1, end);
    const valueEnd = skipValue(bytes, value, end);
    if (valueEnd > end || valueEnd === value) return end;
    this.#pairs.add(start + 1, quote, value, valueEnd);
    return skipBlanks(bytes, valueEnd, end);
  }

  #find(ways: readonly Way[], into: Slice): boolean {
    for (let i = 0; i < ways.length; i++) {
      const way = ways[i];
      const pair = way === undefined ? -1 : this.#pairs.pairOf(way.key);
      if (pair >= 0 && this.#read(pair, way?.below ?? [], into)) return true;
    }
    return false;
  }

  #read(pair: number, below: readonly string[], into: Slice): boolean {
    const { bytes } = this.#pairs;
    const start = this.#pairs.start(pair);
    const end = this.#pairs.end(pair);
    const first = bytes[start];
    if (below.length === 0) {
      if (first === 110 /* null */) return false;
      const isText = first === BYTE.quote;
      if (isText && !hasBackslash(bytes, start, end)) return into.set(bytes, start + 1, end - 1);
      if (!isText && !isNested(first)) return into.set(bytes, start, end);
    } else if (!isNested(first)) return false;
    const value = decode(textOf(bytes, start, end), below);
    return value !== undefined && value !== null && into.setText(shown(value));
  }
}

function isNested(first: number | undefined): boolean {
  return first === BYTE.openBrace || first === BYTE.openSquare;
}

function hasBackslash(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BYTE.backslash) return true;
  return false;
}

function skipBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && (bytes[at] === BYTE.space || bytes[at] === BYTE.tab)) at++;
  return at;
}

/** Behind a value; beyond `end` if it is cut off, at its start if it is none. */
function skipValue(bytes: Uint8Array, start: number, end: number): number {
  const first = bytes[start];
  if (first === BYTE.quote) return closingQuote(bytes, start + 1, end) + 1;
  if (isNested(first)) return skipNested(bytes, start, end);
  let at = start;
  while (at < end && isScalarByte(bytes[at] ?? 0)) at++;
  return at;
}

function skipNested(bytes: Uint8Array, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === BYTE.quote) at = closingQuote(bytes, at + 1, end);
    else if (isNested(byte)) depth++;
    else if ((byte === BYTE.closeBrace || byte === BYTE.closeSquare) && --depth === 0) {
      return at + 1;
    }
  }
  return end + 1;
}

/** Of numbers, true, false and null. */
function isScalarByte(byte: number): boolean {
  return (byte >= BYTE.zero && byte <= BYTE.nine) || (byte >= 97 && byte <= 122) ||
    byte === BYTE.minus || byte === BYTE.plus || byte === BYTE.dot || byte === 69 /* E */;
}
