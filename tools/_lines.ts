/**
 * A file as lines, in bounded memory.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";
import { wholeCharacter } from "../lib/results/characters.ts";

/** A file that is no text. */
export class BinaryFileError extends Error {
  override readonly name = "BinaryFileError";
}

/** One line of a file, without its line end. */
export interface Line {
  readonly text: string;
  /** Characters at its end that are too many to keep. */
  readonly omittedChars: number;
}

/** One line while it comes: its beginning, and a count of the rest. */
class OpenLine {
  readonly #maxChars: number;
  #text = "";
  #chars = 0;
  #endsInReturn = false;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get empty(): boolean {
    return this.#chars === 0;
  }

  push(piece: string): void {
    if (piece === "") return;
    // One more than is kept, so that a cut inside a character can be seen.
    this.#text += piece.slice(0, this.#maxChars + 1 - this.#text.length);
    this.#chars += piece.length;
    this.#endsInReturn = piece.endsWith("\r");
  }

  /** The line; begins the next one. */
  close(): Line {
    const chars = this.#chars - (this.#endsInReturn ? 1 : 0);
    const kept = chars <= this.#maxChars ? chars : wholeCharacter(this.#text, this.#maxChars);
    const line = { text: this.#text.slice(0, kept), omittedChars: chars - kept };
    this.#text = "";
    this.#chars = 0;
    this.#endsInReturn = false;
    return line;
  }
}

/** How to read. */
export interface ReadLinesOptions {
  readonly signal: AbortSignal;
  /** A longer line is given in part, in characters. */
  readonly maxChars: number;
}

/**
 * The lines of a file.
 *
 * @throws {FileError} If it can't be read.
 * @throws {BinaryFileError} At the first NUL byte.
 */
export async function* readLines(
  files: Files,
  path: string,
  { signal, maxChars }: ReadLinesOptions,
): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  const line = new OpenLine(maxChars);
  for await (const bytes of files.read(path, signal)) {
    if (bytes.includes(0)) throw new BinaryFileError(`"${path}" is not a text file`);
    const [first = "", ...rest] = decoder.decode(bytes, { stream: true }).split("\n");
    line.push(first);
    for (const piece of rest) {
      yield line.close();
      line.push(piece);
    }
  }
  line.push(decoder.decode());
  if (!line.empty) yield line.close();
}
