/**
 * What every format makes of a line: an entry with a time and fields that are
 * cut out of the bytes only when somebody asks for them.
 *
 * @module
 */

/** The bytes of ASCII characters that formats are made of. */
export const BYTE = {
  tab: 9,
  lf: 10,
  cr: 13,
  space: 32,
  quote: 34,
  hash: 35,
  percent: 37,
  plus: 43,
  comma: 44,
  minus: 45,
  dot: 46,
  slash: 47,
  zero: 48,
  nine: 57,
  colon: 58,
  less: 60,
  equals: 61,
  greater: 62,
  question: 63,
  openSquare: 91,
  backslash: 92,
  closeSquare: 93,
  openBrace: 123,
  closeBrace: 125,
} as const;

const NOTHING = new Uint8Array(0);

/** Bytes of a field at the most; the rest is dropped. */
const MAX_FIELD_BYTES = 4096;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A piece of bytes, used again for every entry: `bytes` from `start` up to `end`. */
export class Slice {
  bytes: Uint8Array = NOTHING;
  start = 0;
  end = 0;
  #own: Uint8Array = NOTHING;

  /** Points at bytes; always true, so that a field's reader can end with it. */
  set(bytes: Uint8Array, start: number, end: number): true {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    return true;
  }

  /** Holds a text, as UTF-8 in a buffer of its own. */
  setText(text: string): true {
    if (this.#own.length === 0) this.#own = new Uint8Array(MAX_FIELD_BYTES);
    const { written } = encoder.encodeInto(text, this.#own);
    return this.set(this.#own, 0, written);
  }

  /** The bytes as text. */
  text(): string {
    return textOf(this.bytes, this.start, this.end);
  }
}

/** Bytes as text; malformed ones become U+FFFD. */
export function textOf(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Whether a byte is a digit. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= BYTE.zero && byte <= BYTE.nine;
}

/** What became of a line. A number, since it is compared for every line. */
export const PARSED = { no: 0, entry: 1, more: 2 } as const;

/** One of {@linkcode PARSED}: `more` needs the next line before there is an entry. */
export type Parsed = (typeof PARSED)[keyof typeof PARSED];

/** The formats, as they are called in a result. */
export type FormatName =
  | "access"
  | "json"
  | "logfmt"
  | "syslog"
  | "journal"
  | "plain"
  | "pattern";

/** Reads the lines of one file. Its state is the last line that it was given. */
export interface LineParser {
  readonly format: FormatName;
  /** When the entry was written, in milliseconds since the epoch; NaN if it has no time. */
  readonly atMs: number;
  /** Takes a line without its line end. The bytes may be overwritten afterwards. */
  parse(bytes: Uint8Array, start: number, end: number): Parsed;
  /** Takes the end of the file, which may end an entry. */
  finish(): Parsed;
  /**
   * Cuts a field out of the entry that `parse` or `finish` just found.
   *
   * @param field An index into the fields that the parser was made for.
   * @returns Whether the entry has that field.
   */
  get(field: number, into: Slice): boolean;
  /** The names of the last entry's fields, for errors. */
  names(): readonly string[];
}
