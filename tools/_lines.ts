/**
 * A file as lines, in bounded memory.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";

/** A longer line is given in part, in characters. */
export const MAX_LINE_CHARS = 2000;

/** A file that is no text. */
export class BinaryFileError extends Error {
  override readonly name = "BinaryFileError";
}

/** One line while it comes: its beginning, and a count of the rest. */
class OpenLine {
  #text = "";
  #dropped = 0;

  get empty(): boolean {
    return this.#text === "";
  }

  push(piece: string): void {
    const room = MAX_LINE_CHARS - this.#text.length;
    this.#text += piece.slice(0, room);
    this.#dropped += Math.max(0, piece.length - room);
  }

  /** The line; begins the next one. */
  close(): string {
    const text = this.#dropped === 0 ? this.#text.replace(/\r$/, "") : this.#cut();
    this.#text = "";
    this.#dropped = 0;
    return text;
  }

  #cut(): string {
    const kept = this.#text.replace(/[\ud800-\udbff]$/, "");
    return `${kept} [… ${this.#dropped} more characters of this line left out …]`;
  }
}

/**
 * The lines of a file, without line ends.
 *
 * @throws {FileError} If it can't be read.
 * @throws {BinaryFileError} At the first NUL byte.
 */
export async function* readLines(
  files: Files,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const line = new OpenLine();
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
