/**
 * Reading what a caller sends, which has its bounds in bytes and in time.
 *
 * @module
 */

import type { Clock } from "../ports.ts";

/** What was sent, or what is wrong with it: an HTTP status and a code. */
export type Body =
  | { readonly ok: true; readonly value: unknown }
  | {
    readonly ok: false;
    readonly status: number;
    readonly code: string;
    readonly message: string;
  };

/** Bytes of a task at the most. Source: issue 8. */
export const MAX_BODY_BYTES = 1_000_000;

/** Time for a whole body, in milliseconds. Source: a choice; a slow client is to hold nothing. */
const BODY_MS = 15_000;

function wrong(status: number, code: string, message: string): Body {
  return { ok: false, status, code, message };
}

const TOO_LARGE = wrong(413, "too_large", `A task has ${MAX_BODY_BYTES} bytes at the most`);
const TOO_SLOW = wrong(408, "too_slow", `A task must come within ${BODY_MS / 1000} s`);

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > MAX_BODY_BYTES) return null;
    pieces.push(piece);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function parsed(bytes: Uint8Array): Body {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return wrong(400, "not_json", "The body is no JSON in UTF-8");
  }
}

/**
 * Reads the JSON of a request.
 *
 * @returns The value, or 400, 408, 413 or 415 with why. Never throws.
 */
export async function readJson(request: Request, { clock }: { clock: Clock }): Promise<Body> {
  // Anything else could come from a page in a browser without being asked for.
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type)) {
    return wrong(415, "not_json", "Send it with Content-Type: application/json");
  }
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return TOO_LARGE;
  if (request.body === null) return parsed(new Uint8Array(0));
  const done = new AbortController();
  const late = clock.sleep(BODY_MS, done.signal).then(() => "late" as const, () => "late" as const);
  try {
    const bytes = await Promise.race([bytesOf(request.body), late]);
    if (bytes === "late") return TOO_SLOW;
    return bytes === null ? TOO_LARGE : parsed(bytes);
  } catch {
    return wrong(400, "cut_off", "The body was cut off");
  } finally {
    done.abort();
  }
}
