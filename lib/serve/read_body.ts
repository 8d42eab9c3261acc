/**
 * Reading what a caller sends, which has its bounds in bytes and in time.
 *
 * @module
 */

import { BoundedBytes, parseForeign } from "../delegate/bounded.ts";
import type { Clock } from "../ports.ts";

/** A body that is not taken: an HTTP status, and why. */
export interface WrongBody {
  readonly ok: false;
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** What was sent, or what is wrong with it. */
export type Body =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | WrongBody;

/** What reading depends on. */
export interface BodyOptions {
  readonly clock: Clock;
  /** Bytes at the most; {@linkcode MAX_BODY_BYTES} if left out. */
  readonly maxBytes?: number;
}

/** Bytes of a task at the most. Source: issue 8. */
export const MAX_BODY_BYTES = 1_000_000;

/** Time for a whole body, in milliseconds. Source: a choice; a slow client is to hold nothing. */
const BODY_MS = 15_000;

function wrong(status: number, code: string, message: string): WrongBody {
  return { ok: false, status, code, message };
}

const TOO_SLOW = wrong(408, "too_slow", `A body must come within ${BODY_MS / 1000} s`);
const NOT_JSON = wrong(
  400,
  "not_json",
  "The body is no JSON in UTF-8, or its brackets are too deep",
);

async function bytesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<BoundedBytes | null> {
  const bytes = new BoundedBytes(maxBytes);
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    if (!bytes.add(piece.value)) return null;
  }
  return bytes;
}

function parsed(bytes: BoundedBytes): Body {
  try {
    const text = bytes.text({ fatal: true });
    const value = parseForeign(text);
    return value === undefined ? NOT_JSON : { ok: true, text, value };
  } catch {
    return NOT_JSON;
  }
}

/**
 * Reads the JSON of a request.
 *
 * @returns The value, or 400, 408, 413 or 415 with why. Never throws.
 */
export async function readJson(
  { headers, body }: Request,
  { clock, maxBytes = MAX_BODY_BYTES }: BodyOptions,
): Promise<Body> {
  // Anything else could come from a page in a browser without being asked for.
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(headers.get("content-type") ?? "")) {
    return wrong(415, "not_json", "Send it with Content-Type: application/json");
  }
  const tooLarge = wrong(413, "too_large", `A body has ${maxBytes} bytes at the most`);
  if (Number(headers.get("content-length") ?? 0) > maxBytes) return tooLarge;
  if (body === null) return NOT_JSON;
  const reader = body.getReader();
  const done = new AbortController();
  const late = clock.sleep(BODY_MS, done.signal).then(() => "late" as const, () => "late" as const);
  try {
    const bytes = await Promise.race([bytesOf(reader, maxBytes), late]);
    if (bytes === "late") return TOO_SLOW;
    return bytes === null ? tooLarge : parsed(bytes);
  } catch {
    return wrong(400, "cut_off", "The body was cut off");
  } finally {
    done.abort();
    // Nothing is kept of a body that is waited for no more.
    await reader.cancel().catch(() => {});
  }
}
