/**
 * The body of an answer, from bytes to what a model can read.
 *
 * @module
 */

import type { HttpResponse } from "../../lib/ports.ts";
import type { Json } from "../../lib/types.ts";
import { outlineJson } from "./outline.ts";

/** Bytes read at the most; a page or a listing of an API is far smaller. */
export const MAX_BODY_BYTES = 2_000_000;

/** Characters of a JSON text, so that it passes the last resort whole. */
const JSON_CHARS = 5000;

/** Bytes shown of what is no text. */
const SHOWN_BYTES = 16;

/** What was read of a body. */
export interface Received {
  readonly bytes: Uint8Array;
  /** Whether that was all. */
  readonly complete: boolean;
}

/** A body as a model sees it. */
export interface ReadableBody {
  readonly kind: "json" | "html" | "text" | "binary" | "empty";
  readonly text: string;
  /** What the model should know of it, or null. */
  readonly note: string | null;
}

async function* decompressed(response: HttpResponse): AsyncIterable<Uint8Array> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase();
  if (encoding !== "gzip" && encoding !== "x-gzip" && encoding !== "deflate") {
    return yield* response.body;
  }
  const packed = ReadableStream.from(response.body as AsyncIterable<Uint8Array<ArrayBuffer>>);
  const format = encoding === "deflate" ? "deflate" : "gzip";
  yield* packed.pipeThrough(new DecompressionStream(format));
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece.subarray(0, size - at), at);
    at += piece.length;
  }
  return bytes;
}

/** Reads a body up to its bound; of one that breaks off or takes too long what came so far. */
export async function receive(response: HttpResponse): Promise<Received> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of decompressed(response)) {
      pieces.push(piece);
      size += piece.length;
      if (size > MAX_BODY_BYTES) return { bytes: joined(pieces, MAX_BODY_BYTES), complete: false };
    }
  } catch {
    return { bytes: joined(pieces, size), complete: false };
  }
  return { bytes: joined(pieces, size), complete: true };
}

function decoderOf(type: string): TextDecoder {
  const charset = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function binary(bytes: Uint8Array, type: string): ReadableBody {
  const first = Array.from(
    bytes.subarray(0, SHOWN_BYTES),
    (byte) => byte.toString(16).padStart(2, "0"),
  ).join(" ");
  const named = type === "" ? "unnamed type" : type;
  return { kind: "binary", text: `${named}, ${bytes.length} bytes: ${first} …`, note: null };
}

function json(text: string): ReadableBody | null {
  try {
    const { text: outlined, shortened } = outlineJson(JSON.parse(text) as Json, JSON_CHARS);
    const note = shortened ? "Shortened by structure; what is left out is counted." : null;
    return { kind: "json", text: outlined, note };
  } catch {
    return null;
  }
}

async function html(text: string): Promise<ReadableBody> {
  const { convert } = await import("html-to-text");
  const skipped = ["img", "nav", "footer", "form", "svg"].map((selector) => ({
    selector,
    format: "skip",
  }));
  const converted = convert(text, {
    wordwrap: false,
    selectors: [
      ...skipped,
      { selector: "a", options: { hideLinkHrefIfSameAsText: true, noAnchorUrl: true } },
      { selector: "table", format: "dataTable" },
    ],
  });
  return { kind: "html", text: converted, note: "The text of an HTML page." };
}

/** Makes a body readable by its content type and, where that says nothing, by its content. */
export async function readable(bytes: Uint8Array, contentType: string): Promise<ReadableBody> {
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  if (bytes.length === 0) return { kind: "empty", text: "", note: null };
  const textual = /^text\/|json|xml|yaml|javascript|x-www-form-urlencoded|^$/.test(type);
  if (!textual || (bytes.includes(0) && !/utf-16/i.test(contentType))) return binary(bytes, type);
  const text = decoderOf(contentType).decode(bytes);
  if (/^text\/html$|xhtml/.test(type)) return await html(text);
  const parsed = /json/.test(type) || /^\s*[{[]/.test(text) ? json(text) : null;
  return parsed ?? { kind: "text", text, note: null };
}
