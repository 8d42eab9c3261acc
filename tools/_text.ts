/**
 * A text file with all that belongs to it: encoding, byte-order mark, line
 * ends. What is decoded and encoded again has the same bytes.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";

/** How a text becomes bytes. */
export interface TextForm {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be" | "iso-8859-1";
  /** Whether a byte-order mark stands in front. */
  readonly mark: boolean;
}

/** A decoded file. */
export interface TextFile extends TextForm {
  /** Without the byte-order mark; line ends as they are. */
  readonly text: string;
}

/** The form of a new file. */
export const PLAIN: TextForm = { encoding: "utf-8", mark: false };

const MARKS: readonly (readonly [TextForm["encoding"], readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

function decodeStrictly(bytes: Uint8Array, encoding: TextForm["encoding"]): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** One character a byte; the decoder of that name would take windows-1252, which loses bytes. */
function decodeBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}

/**
 * Decodes a file: by its byte-order mark, else as UTF-8, else one character a byte.
 *
 * @returns Null if it is no text.
 */
export function decodeText(bytes: Uint8Array): TextFile | null {
  for (const [encoding, mark] of MARKS) {
    if (!mark.every((byte, index) => bytes[index] === byte)) continue;
    const text = decodeStrictly(bytes.subarray(mark.length), encoding);
    return text === null ? null : { text, encoding, mark: true };
  }
  if (bytes.includes(0)) return null;
  const text = decodeStrictly(bytes, "utf-8");
  if (text !== null) return { text, encoding: "utf-8", mark: false };
  return { text: decodeBytes(bytes), encoding: "iso-8859-1", mark: false };
}

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < text.length; at++) {
    view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  }
  return bytes;
}

function encodeBody(text: string, encoding: TextForm["encoding"]): Uint8Array | null {
  switch (encoding) {
    case "utf-8":
      return new TextEncoder().encode(text);
    case "utf-16le":
    case "utf-16be":
      return utf16(text, encoding === "utf-16le");
    case "iso-8859-1":
      if (/[\u0100-\uffff]/.test(text)) return null;
      return Uint8Array.from(text, (character) => character.charCodeAt(0));
  }
}

/** Encodes a text; null if the form has no bytes for one of its characters. */
export function encodeText(text: string, form: TextForm): Uint8Array | null {
  const body = encodeBody(text, form.encoding);
  if (body === null || !form.mark) return body;
  const mark = MARKS.find(([encoding]) => encoding === form.encoding)?.[1] ?? [];
  return Uint8Array.from([...mark, ...body]);
}

/** The line end that most lines have; LF where there are none. */
export function lineEndOf(text: string): "\n" | "\r\n" {
  const crlf = text.split("\r\n").length - 1;
  const lf = text.split("\n").length - 1 - crlf;
  return crlf > lf ? "\r\n" : "\n";
}

/** A text with these line ends; lone carriage returns stay. */
export function withLineEnds(text: string, lineEnd: "\n" | "\r\n"): string {
  const plain = text.replaceAll("\r\n", "\n");
  return lineEnd === "\n" ? plain : plain.replaceAll("\n", lineEnd);
}

/** A file is larger than it may be. */
export class FileTooLargeError extends Error {
  override readonly name = "FileTooLargeError";
}

/**
 * The bytes of a whole file.
 *
 * @throws {FileTooLargeError} If there are more than `maxBytes`.
 * @throws {FileError} If it can't be read.
 */
export async function readWhole(
  files: Files,
  path: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of files.read(path)) {
    size += piece.length;
    if (size > maxBytes) throw new FileTooLargeError(`"${path}" has more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}
