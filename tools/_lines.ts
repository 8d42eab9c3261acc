/**
 * Text as lines, in bounded memory.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";
import { HeadTail } from "../lib/results/head_tail.ts";
import { Transcoder } from "../lib/results/transcode.ts";

/** A file that is no text. */
export class BinaryFileError extends Error {
  override readonly name = "BinaryFileError";
}

/** One line, without its line end. */
export interface Line {
  /** The whole line, or its beginning and end with a note between. */
  readonly text: string;
  /** Characters between that are too many to keep. */
  readonly omittedChars: number;
}

/** One line while it comes. */
class OpenLine {
  readonly #maxChars: number;
  #kept: HeadTail;
  #empty = true;
  /** A return that may belong to the line end. */
  #return = "";

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
    this.#kept = this.#begin();
  }

  get empty(): boolean {
    return this.#empty;
  }

  #begin(): HeadTail {
    const tail = Math.floor(this.#maxChars / 4);
    return new HeadTail({ head: this.#maxChars - tail, tail }, { inline: true });
  }

  push(piece: string): void {
    if (piece === "") return;
    this.#empty = false;
    const end = piece.endsWith("\r") ? "\r" : "";
    this.#kept.push(this.#return + piece.slice(0, piece.length - end.length));
    this.#return = end;
  }

  /** The line; begins the next one. */
  close(): Line {
    const { text, omittedChars } = this.#kept.finish();
    this.#kept = this.#begin();
    this.#empty = true;
    this.#return = "";
    return { text, omittedChars };
  }
}

/** Lines of text that comes in pieces; a line of more than `maxChars` is given in part. */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  maxChars: number,
): AsyncGenerator<Line> {
  const line = new OpenLine(maxChars);
  for await (const text of pieces) {
    const [first = "", ...rest] = text.split("\n");
    line.push(first);
    for (const piece of rest) {
      yield line.close();
      line.push(piece);
    }
  }
  if (!line.empty) yield line.close();
}

/** How to read. */
export interface ReadLinesOptions {
  readonly signal: AbortSignal;
  /** A longer line is given in part, in characters. */
  readonly maxChars: number;
  /** Told how the bytes were read, where they are not plain UTF-8. */
  readonly onEncoding?: (note: string) => void;
}

/** A file's bytes as text, decoded by what the first of them show. */
async function* textOf(
  files: Files,
  path: string,
  { signal, onEncoding = () => {} }: ReadLinesOptions,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  const transcoder = new Transcoder((bytes) => text += decoder.decode(bytes, { stream: true }));
  const take = () => {
    const taken = text;
    text = "";
    if (!transcoder.isBinary && !taken.includes("\0")) return taken;
    throw new BinaryFileError(`"${path}" is not a text file`);
  };
  for await (const bytes of files.read(path, signal)) {
    transcoder.push(bytes);
    yield take();
  }
  transcoder.finish();
  text += decoder.decode();
  yield take();
  if (transcoder.note !== null) onEncoding(transcoder.note);
}

/**
 * The lines of a file.
 *
 * @throws {FileError} If it can't be read.
 * @throws {BinaryFileError} If it is no text; a NUL byte shows that.
 */
export function readLines(
  files: Files,
  path: string,
  options: ReadLinesOptions,
): AsyncGenerator<Line> {
  return linesOf(textOf(files, path, options), options.maxChars);
}
