/**
 * The bytes of a log, plain or gzipped, as they come and as lines.
 *
 * @module
 */

import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Files } from "../../lib/ports.ts";
import { BYTE } from "./entry.ts";

/** Large enough that reading costs little, small enough to stay in the processor's cache. */
const PIECE_BYTES = 512 * 1024;

/** A longer line is counted, but not parsed. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** What is read of a file. */
export interface Reading {
  readonly path: string;
  readonly isGzip: boolean;
  /** Bytes on disk to leave out at the beginning; of no use for gzip. */
  readonly start: number;
  /** Where to stop on disk; what is written after that is not read. Infinity for all. */
  readonly end: number;
  /** Bytes that are read at once. */
  readonly pieceBytes?: number;
}

/** A gzipped file that is broken or cut off. */
export class BrokenGzipError extends Error {
  override readonly name = "BrokenGzipError";
}

/** Asks for the next piece while this one is worked on. */
async function* readAhead(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const ask = () => {
    const next = iterator.next();
    // It may fail while nobody waits; whoever waits for it next gets to know.
    next.catch(() => {});
    return next;
  };
  try {
    for (let next = ask();;) {
      const piece = await next;
      if (piece.done) return;
      next = ask();
      yield piece.value;
    }
  } finally {
    await iterator.return?.();
  }
}

async function* upTo(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let left = bytes;
  for await (const piece of pieces) {
    if (piece.length >= left) return yield piece.subarray(0, left);
    left -= piece.length;
    yield piece;
  }
}

/** Leaves out the mark that some programs begin UTF-8 with. */
async function* withoutMark(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const piece of pieces) {
    const hasMark = isFirst && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf;
    isFirst = false;
    yield hasMark ? piece.subarray(3) : piece;
  }
}

/**
 * DecompressionStream would do, but ends at the first of several members,
 * which is what appending to a gzipped log gives.
 */
async function* gunzip(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const source = Readable.from(pieces);
  const plain = createGunzip({ chunkSize: PIECE_BYTES });
  source.on("error", (error) => plain.destroy(error));
  try {
    yield* source.pipe(plain);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (!code.startsWith("Z_")) throw error;
    throw new BrokenGzipError("The gzip data is broken or cut off", { cause: error });
  } finally {
    source.destroy();
    plain.destroy();
  }
}

/**
 * The bytes of a log. A piece is good until the next but one is asked for.
 *
 * @throws {FileError} If it can't be read.
 * @throws {BrokenGzipError} Behind what could be unpacked.
 */
export function readPieces(
  files: Files,
  { path, isGzip, start, end, pieceBytes = PIECE_BYTES }: Reading,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const options = { start, pieceBytes, reuse: !isGzip };
  const pieces = upTo(files.read(path, signal, options), end - start);
  return withoutMark(isGzip ? gunzip(pieces) : readAhead(pieces));
}

/** Takes a line: bytes without LF, which may be overwritten afterwards. */
export type OnLine = (bytes: Uint8Array, start: number, end: number) => void;

/** Makes lines of pieces. Only a line that is spread over pieces is copied. */
export class LineSplitter {
  readonly #onLine: OnLine;
  readonly #onLong: OnLine;
  #open = new Uint8Array(1 << 14);
  #length = 0;
  #isLong = false;

  /** @param onLong Takes the beginning of a line of more than {@linkcode MAX_LINE_BYTES}. */
  constructor(onLine: OnLine, onLong: OnLine) {
    this.#onLine = onLine;
    this.#onLong = onLong;
  }

  /** Takes the next bytes. */
  push(piece: Uint8Array): void {
    let start = 0;
    if (this.#length > 0 || this.#isLong) {
      const end = piece.indexOf(BYTE.lf);
      if (end < 0) return this.#keep(piece);
      this.#keep(piece.subarray(0, end));
      this.#close();
      start = end + 1;
    }
    for (;;) {
      const end = piece.indexOf(BYTE.lf, start);
      if (end < 0) break;
      this.#onLine(piece, start, end);
      start = end + 1;
    }
    if (start < piece.length) this.#keep(piece.subarray(start));
  }

  /** Takes the end: a last line need not be ended. */
  finish(): void {
    if (this.#length > 0 || this.#isLong) this.#close();
  }

  #keep(part: Uint8Array): void {
    if (this.#isLong) return;
    const length = this.#length + part.length;
    if (length > MAX_LINE_BYTES) {
      this.#isLong = true;
      return;
    }
    if (length > this.#open.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#open.length));
      larger.set(this.#open.subarray(0, this.#length));
      this.#open = larger;
    }
    this.#open.set(part, this.#length);
    this.#length = length;
  }

  #close(): void {
    (this.#isLong ? this.#onLong : this.#onLine)(this.#open, 0, this.#length);
    this.#length = 0;
    this.#isLong = false;
  }
}
