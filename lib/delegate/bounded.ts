/**
 * What agents send: never more than was agreed to take, and only what is plain JSON.
 *
 * @module
 */

import { clip } from "../results/characters.ts";

/** Bytes of one answer at the most. Source: the issue; larger details are files of their own. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Objects and lists inside each other at the most: what is deeper breaks whoever prints it. */
const MAX_DEPTH = 200;

/** Pieces of bytes up to a limit. */
export class BoundedBytes {
  readonly #maxBytes: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Takes a piece; false once it is too much, and nothing is kept any more. */
  add(piece: Uint8Array): boolean {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) {
      this.#pieces = [];
      return false;
    }
    this.#pieces.push(piece.slice());
    return true;
  }

  /**
   * All of it as text; malformed UTF-8 becomes U+FFFD.
   *
   * @param fatal Whether malformed UTF-8 is no text at all.
   * @throws {TypeError} Where that is so.
   */
  text({ fatal = false }: { readonly fatal?: boolean } = {}): string {
    const decoder = new TextDecoder("utf-8", { fatal });
    return this.#pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") +
      decoder.decode();
  }
}

/**
 * Reads a body to its end.
 *
 * @returns Its text, or null if it is larger: then the rest is not read.
 * @throws What the stream fails with.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<string | null> {
  if (body === null) return "";
  const bytes = new BoundedBytes(maxBytes);
  for await (const piece of body) {
    if (!bytes.add(piece)) return null;
  }
  return bytes.text();
}

/** The end of a string of JSON, from its opening quotation mark on. */
function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end;
}

/** Whether brackets outside of strings stand too deep inside each other. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/**
 * Parses the JSON of somebody else.
 *
 * @returns Undefined for what is no JSON, or too deep.
 */
export function parseForeign(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The first words of something unexpected, in one line, without the tags of HTML; may be empty. */
export function firstWords(text: string): string {
  const start = text.slice(0, 4000);
  const inLine = (words: string) => words.replace(/\s+/g, " ").trim();
  return clip(inLine(start.replace(/<[^>]*>/g, " ")) || inLine(start), 120);
}
