/**
 * Text as lines, in bounded memory.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";
import { HeadTail } from "../lib/results/head_tail.ts";
import { Transcoder } from "../lib/results/transcode.ts";

/** A longer line is given in part: its beginning and its end, in characters. */
const LINE_LIMIT = { head: 1500, tail: 500 };

/** A file that is no text. */
export class BinaryFileError extends Error {
  override readonly name = "BinaryFileError";
}

/** A file's bytes as text; decoded by what its first bytes show. */
async function* textOf(
  files: Files,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  const transcoder = new Transcoder((bytes) => text += decoder.decode(bytes, { stream: true }));
  const take = () => {
    const taken = text;
    text = "";
    if (!transcoder.isBinary && !taken.includes("\0")) return taken;
    const what = transcoder.isBinary ? "is not text" : "holds NUL bytes";
    throw new BinaryFileError(`"${path}" ${what}`);
  };
  for await (const bytes of files.read(path, signal)) {
    transcoder.push(bytes);
    yield take();
  }
  transcoder.finish();
  text += decoder.decode();
  yield take();
}

/** Lines of text that comes in pieces, without line ends; a long one is cut inside. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let line = new HeadTail(LINE_LIMIT, { inline: true });
  let open = false;
  for await (const piece of pieces) {
    const parts = piece.split("\n");
    for (const [index, part] of parts.entries()) {
      if (index > 0) {
        yield line.finish().text.replace(/\r$/, "");
        line = new HeadTail(LINE_LIMIT, { inline: true });
        open = false;
      }
      line.push(part);
      open ||= part !== "";
    }
  }
  if (open) yield line.finish().text;
}

/**
 * The lines of a file, without line ends.
 *
 * @throws {FileError} If it can't be read.
 * @throws {BinaryFileError} If it is no text.
 */
export function readLines(
  files: Files,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<string> {
  return linesOf(textOf(files, path, signal));
}
