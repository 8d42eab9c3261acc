/**
 * Bytes as blocks of whole lines, with the places of their line ends.
 *
 * @module
 */

/** Whole lines, or the beginning of a line that is too long to wait for. */
export interface LineBlock {
  /** Valid during the call only; every line ends in LF, but for an open one at the very end. */
  readonly bytes: Uint8Array;
  /** Offsets of the line ends, the first `lines` of them valid. */
  readonly ends: Int32Array;
  readonly lines: number;
  /** Whether a byte is above 0x7f. */
  readonly high: boolean;
  /** Whether there is a control character other than tab and LF. */
  readonly control: boolean;
}

/** Bytes looked at together. Source: measured; larger ones leave the processor's cache. */
export const BLOCK_BYTES = 64 * 1024;

/** A longer line is handed on in pieces, in bytes; half a block, so that there is always room. */
export const LONG_LINE_BYTES = BLOCK_BYTES / 2;

/** How far before the end of a piece a place between words is looked for, in bytes. */
const BETWEEN_WORDS_BYTES = 4096;

/** How long a terminal code is at the most that a piece must not part, in bytes. */
const CODE_BYTES = 32;

const LF = 0x0a;
const CR = 0x0d;
const ESCAPE = 0x1b;

/** Finds line ends and unusual bytes, four bytes at a time. */
export class LineScanner {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
  readonly #words: Int32Array;
  lines = 0;
  high = false;
  control = false;

  /** @param capacity In bytes, a multiple of 4. */
  constructor(capacity: number) {
    const buffer = new ArrayBuffer(capacity);
    this.bytes = new Uint8Array(buffer);
    this.#words = new Int32Array(buffer);
    this.ends = new Int32Array(capacity);
  }

  /** Looks at the first bytes. */
  scan(length: number): void {
    this.lines = 0;
    this.high = false;
    this.control = false;
    const words = this.#words;
    const whole = length >> 2;
    for (let at = 0; at < whole; at++) {
      const word = words[at]!;
      // Sets the top bit of each byte that is above 0x7f or, roughly, below 0x20.
      if (((word | ((word - 0x20202020) & ~word)) & 0x80808080) !== 0) {
        this.#look(at << 2, (at << 2) + 4);
      }
    }
    this.#look(whole << 2, length);
  }

  #look(from: number, to: number): void {
    for (let at = from; at < to; at++) {
      const byte = this.bytes[at]!;
      if (byte === LF) this.ends[this.lines++] = at;
      else if (byte > 0x7f) this.high = true;
      else if (byte < 0x20 && byte !== 0x09) this.control = true;
    }
  }

  /** What was found, as a block of the first `length` bytes with the first `lines` lines. */
  block(length: number, lines = this.lines): LineBlock {
    const { ends, high, control } = this;
    return { bytes: this.bytes.subarray(0, length), ends, lines, high, control };
  }
}

/** Where a piece of a long line may end: between words, else at least between characters. */
function pieceEnd(bytes: Uint8Array): number {
  const separators = [0x20, 0x09, 0x2c, 0x3b];
  for (let at = bytes.length; at > bytes.length - BETWEEN_WORDS_BYTES; at--) {
    if (separators.includes(bytes[at - 1]!)) return at;
  }
  const escape = bytes.lastIndexOf(ESCAPE);
  if (escape > bytes.length - CODE_BYTES) return escape;
  let end = bytes.length;
  while (end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) end--;
  return bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length;
}

/** What takes the blocks. */
export interface BlockSink {
  block(block: LineBlock): void;
  /** A long line's earlier states, overwritten by carriage returns and dropped as they came. */
  overwritten(bytes: Uint8Array): void;
}

/** Collects bytes into blocks; how they came does not show in what is handed on. */
export class LineBlocks {
  readonly #scanner = new LineScanner(BLOCK_BYTES);
  #piece: LineScanner | undefined;
  readonly #sink: BlockSink;
  readonly #overwrites: boolean;
  #length = 0;

  /** @param options Whether a carriage return begins a line anew. */
  constructor(sink: BlockSink, { overwrites }: { readonly overwrites: boolean }) {
    this.#sink = sink;
    this.#overwrites = overwrites;
  }

  /** Adds bytes of any length. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const count = Math.min(BLOCK_BYTES - this.#length, bytes.length - at);
      this.#scanner.bytes.set(bytes.subarray(at, at + count), this.#length);
      this.#length += count;
      at += count;
      if (this.#length === BLOCK_BYTES) this.#drain();
    }
  }

  /** Hands on what is left. */
  finish(): void {
    this.#drain();
    if (this.#length === 0) return;
    this.#scanner.scan(this.#length);
    this.#sink.block(this.#scanner.block(this.#length));
    this.#length = 0;
  }

  #drain(): void {
    const scanner = this.#scanner;
    scanner.scan(this.#length);
    let from = this.#drainLines();
    while (this.#length - from >= LONG_LINE_BYTES) from += this.#drainPiece(from);
    scanner.bytes.copyWithin(0, from, this.#length);
    this.#length -= from;
  }

  /** Hands on all whole lines, or those before a long one; the rest is then scanned anew. */
  #drainLines(): number {
    const scanner = this.#scanner;
    let start = 0;
    for (let line = 0; line < scanner.lines; line++) {
      const end = scanner.ends[line]!;
      if (end - start >= LONG_LINE_BYTES) return this.#drainBeforeLong(start, line);
      start = end + 1;
    }
    if (start > 0) this.#sink.block(scanner.block(start));
    return start;
  }

  /** A block holds one long line at the most, since that takes half of it. */
  #drainBeforeLong(start: number, lines: number): number {
    const scanner = this.#scanner;
    if (start > 0) this.#sink.block(scanner.block(start, lines));
    const end = scanner.ends[lines]!;
    let from = start;
    while (end - from >= LONG_LINE_BYTES) from += this.#drainPiece(from);
    scanner.bytes.copyWithin(0, from, this.#length);
    this.#length -= from;
    scanner.scan(this.#length);
    return this.#drainLines();
  }

  /** Takes a piece off a long line and returns its length. */
  #drainPiece(from: number): number {
    const bytes = this.#scanner.bytes.subarray(from, from + LONG_LINE_BYTES);
    const overwritten = this.#overwrites ? bytes.lastIndexOf(CR, LONG_LINE_BYTES - 2) : -1;
    if (overwritten > 0) {
      this.#sink.overwritten(bytes.subarray(0, overwritten));
      return overwritten;
    }
    const end = pieceEnd(bytes);
    this.#piece ??= new LineScanner(LONG_LINE_BYTES);
    this.#piece.bytes.set(bytes.subarray(0, end));
    this.#piece.scan(end);
    this.#sink.block(this.#piece.block(end));
    return end;
  }
}
