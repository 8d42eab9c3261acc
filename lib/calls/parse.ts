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

/** What JSON.parse says of a text, or null if it parses. */
function complaint(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Where a token stands that V8 names without its place: where beginnings of the text begin to fail. */
function unexpectedAt(text: string): number {
  let good = 0;
  for (let bad = text.length; bad - good > 1;) {
    const middle = Math.floor((good + bad) / 2);
    if (complaint(text.slice(0, middle))?.startsWith("Unexpected token")) bad = middle;
    else good = middle;
  }
  return good;
}

function positionOf(message: string, text: string): number {
  const found = /at position (\d+)/.exec(message);
  if (found?.[1] !== undefined) return Number(found[1]);
  return message.startsWith("Unexpected token") ? unexpectedAt(text) : text.length;
}

function describe(text: string, message: string): string {
  const reason = message.replace(/( in JSON)? at position.*$| of JSON input$|, (\.\.\.)?".*$/s, "");
  const position = positionOf(message, text);
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
  const fault = complaint(text);
  if (fault !== null) {
    return invalid(describe(text, fault), "Send the call again with one complete JSON object.");
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
    return invalid(`Arguments are ${kind}, not a JSON object`, "Send one JSON object.");
  }
  return { ok: true, args: value as JsonObject };
}
