/**
 * Files as documents: which there are below a place, and what they say.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { FileError, type Files } from "../ports.ts";
import { detectEncoding, SAMPLE_BYTES } from "../results/encoding.ts";
import { PIECE_CHARS, splitText } from "./split.ts";

/** A larger file is data, not a document, in bytes; a long book has two million. */
export const MAX_DOCUMENT_BYTES = 10_000_000;

/** Directories in each other at the most; more is a loop. */
const MAX_DEPTH = 64;

/** A file, or why something is none that can be read. */
export interface ListedFile {
  readonly path: string;
  /** Null for a file. */
  readonly refused: string | null;
}

/** A piece of a document. */
export interface DocumentPiece {
  /** Behind the path: `:12-40`. */
  readonly place: string;
  readonly text: string;
}

/** What a file holds. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly modifiedMs: number | null;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

/** What can't be a document, and why. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}

function reasonOf(error: unknown): string {
  if (error instanceof FileError) return error.message;
  throw error;
}

async function* below(
  directory: string,
  files: Files,
  depth: number,
  signal: AbortSignal,
): AsyncGenerator<ListedFile> {
  signal.throwIfAborted();
  try {
    if (depth > MAX_DEPTH) throw new FileError("unreadable", directory, "It is too deep");
    const entries = await Array.fromAsync(files.readDir(directory));
    for (const { name, kind } of entries.toSorted((a, b) => a.name < b.name ? -1 : 1)) {
      if (name.startsWith(".")) continue;
      const path = `${directory.replace(/\/$/, "")}/${name}`;
      if (kind === "directory") yield* below(path, files, depth + 1, signal);
      else if (kind === "file") yield { path, refused: null };
    }
  } catch (error) {
    yield { path: directory, refused: reasonOf(error) };
  }
}

/**
 * The files at a path: itself, or all below a directory, sorted; without hidden ones and links.
 *
 * @param path Absolute.
 */
export async function* filesAt(
  path: string,
  files: Files,
  signal: AbortSignal,
): AsyncGenerator<ListedFile> {
  try {
    const { kind } = await files.stat(path);
    if (kind === "directory") yield* below(path, files, 0, signal);
    else yield { path, refused: kind === "file" ? null : `"${path}" is no file` };
  } catch (error) {
    yield { path, refused: reasonOf(error) };
  }
}

/**
 * The bytes of a file.
 *
 * @throws {DocumentError} If there are too many of them.
 * @throws {FileError} If it can't be read.
 */
export async function readContent(
  path: string,
  files: Files,
  signal: AbortSignal,
): Promise<FileContent> {
  const { size, modifiedMs } = await files.stat(path);
  const tooLarge = `"${path}" has more than ${MAX_DOCUMENT_BYTES / 1_000_000} MB`;
  if (size > MAX_DOCUMENT_BYTES) throw new DocumentError(tooLarge);
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of files.read(path, signal)) {
    length += piece.length;
    if (length > MAX_DOCUMENT_BYTES) throw new DocumentError(tooLarge);
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return { bytes, modifiedMs, hash: createHash("sha256").update(bytes).digest("hex") };
}

/** The part of `html-to-text`, which has no types, that prints an element. */
interface Builder {
  openBlock(options: { readonly leadingLineBreaks: number }): void;
  addLiteral(text: string): void;
  closeBlock(options: { readonly trailingLineBreaks: number }): void;
}
type Walk = (children: unknown, builder: Builder) => void;

/** Prints a heading as Markdown has it. */
function headingOf(level: number) {
  return (element: { readonly children: unknown }, walk: Walk, builder: Builder) => {
    builder.openBlock({ leadingLineBreaks: 2 });
    builder.addLiteral(`${"#".repeat(level)} `);
    walk(element.children, builder);
    builder.closeBlock({ trailingLineBreaks: 2 });
  };
}

/** Headings stay headings, so that pieces tell where they stand. */
async function textOfHtml(html: string): Promise<string> {
  const { convert } = await import("html-to-text");
  const levels = [1, 2, 3, 4, 5, 6];
  const skipped = ["img", "nav", "footer", "form", "svg"];
  return convert(html, {
    wordwrap: false,
    formatters: Object.fromEntries(levels.map((level) => [`h${level}`, headingOf(level)])),
    selectors: [
      ...skipped.map((selector) => ({ selector, format: "skip" })),
      ...levels.map((level) => ({ selector: `h${level}`, format: `h${level}` })),
      { selector: "a", options: { ignoreHref: true } },
      { selector: "table", format: "dataTable" },
    ],
  });
}

/** The headings above a piece, where it does not show them itself. */
function withHeading(text: string, heading: string): string {
  const shown = heading === "" || (/^#/.test(text) && !heading.includes(" > "));
  return shown ? text : `[${heading}]\n${text}`;
}

function lines(start: number, end: number): string {
  return start === end ? `:${start}` : `:${start}-${end}`;
}

/**
 * The pieces of a document: of text, Markdown or HTML, in the encoding that it shows.
 *
 * @param path Its name tells Markdown and HTML.
 * @returns None if it holds nothing but space. A page of HTML has parts, since its lines say nothing.
 * @throws {DocumentError} If it is no text.
 */
export async function piecesOfDocument(
  path: string,
  bytes: Uint8Array,
): Promise<readonly DocumentPiece[]> {
  const encoding = detectEncoding(bytes.subarray(0, SAMPLE_BYTES));
  const notText = (what: string) => new DocumentError(`"${path}" is no text (${what})`);
  if (encoding.kind === "binary") throw notText(encoding.type);
  const text = new TextDecoder(encoding.label).decode(bytes);
  if (text.includes("\0")) throw notText("binary data");
  const html = /\.x?html?$/i.test(path) || /^\s*<(!doctype html|html)\b/i.test(text);
  const markdown = html || /\.(md|markdown|mdx)$/i.test(path);
  const plain = html ? await textOfHtml(text) : text;
  return [...splitText(plain, { markdown })].map((piece, index) => ({
    place: html ? `, part ${index + 1}` : lines(piece.startLine, piece.endLine),
    text: withHeading(piece.text, piece.heading),
  }));
}

/** Characters of a piece with its headings, about, at the most. */
export const DOCUMENT_PIECE_CHARS = PIECE_CHARS + 200;
