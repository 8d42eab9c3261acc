/**
 * A call's arguments, from the model's text to a JSON object.
 *
 * @module
 */

import type { JsonObject, ObservationError } from "../types.ts";

/** The arguments, or why there are none. */
export type ParsedArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly error: ObservationError };

/** Text shown around the place of an error, in characters. */
const CONTEXT_CHARS = 20;

function invalid(message: string, hint: string): ParsedArguments {
  return {
    ok: false,
    error: { code: "invalid_arguments", message, hint, retriable: false },
  };
}

/** The position that V8 names in its message; null where it names none. */
function positionOf(message: string, text: string): number | null {
  const found = /at position (\d+)/.exec(message);
  if (found?.[1] !== undefined) return Number(found[1]);
  return /end of JSON input|Unterminated/.test(message) ? text.length : null;
}

function describe(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const reason = message.replace(/ in JSON at position.*$/s, "").replace(/, ?"?\.\.\..*$/s, "");
  const position = positionOf(message, text);
  if (position === null) return `Arguments are not JSON: ${reason}`;
  const around = text.slice(Math.max(0, position - CONTEXT_CHARS), position + CONTEXT_CHARS);
  return `Arguments are not JSON at character ${position + 1} (near ${JSON.stringify(around)}): ` +
    reason;
}

/**
 * Parses strictly; an empty text means no arguments.
 *
 * @param text As the model wrote it.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === "") return { ok: true, args: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return invalid(describe(text, error), "Send the call again with one complete JSON object.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
    return invalid(`Arguments are ${kind}, not a JSON object`, "Send one JSON object.");
  }
  return { ok: true, args: value as JsonObject };
}
