/**
 * Mending arguments that are nearly JSON.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";
import { parseArguments } from "./parse.ts";

/** A code fence around the whole text, as some models put it. */
const FENCE = /^```(?:json)?\s*([\s\S]*?)\s*```$/;

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Whether quotes do not pair, as in a text that ends in the middle of a string. */
function endsInString(text: string): boolean {
  const doubles = (text.match(/\\.|"/gs) ?? []).filter((found) => found === '"').length;
  return (doubles === 0 ? count(text, /'/g) : doubles) % 2 === 1;
}

/** What a text says, without how it is written: no blanks, quotes, commas and escapes. */
function content(text: string): string {
  return text.replace(/\bTrue\b/g, "true").replace(/\bFalse\b/g, "false")
    .replace(/\bNone\b/g, "null").replace(/\\[nrt]|[\s"'`,\\]/g, "");
}

/** Whether a mend only changed how things are written, not what they say. */
function isPlain(before: string, after: string): boolean {
  const escapedQuotes = /\\"/g;
  return content(after) === content(before) &&
    count(after, escapedQuotes) === count(before, escapedQuotes);
}

/**
 * Mends trailing commas, quotes of another kind, missing quotes around names,
 * raw line ends in strings, Python's constants and a code fence around it all.
 *
 * @param text A complete text: one that ends in the middle is never mended,
 * nor is one in which a quote may or may not end a string.
 * @returns The arguments, or null where the text could mean several things.
 */
export async function repairArguments(text: string): Promise<JsonObject | null> {
  const trimmed = text.trim();
  const inner = FENCE.exec(trimmed)?.[1] ?? trimmed;
  if (!inner.startsWith("{") || !inner.endsWith("}") || endsInString(inner)) return null;
  const { jsonrepair } = await import("jsonrepair");
  try {
    const mended = jsonrepair(inner);
    const parsed = isPlain(inner, mended) ? parseArguments(mended) : null;
    return parsed?.ok ? parsed.args : null;
  } catch {
    return null;
  }
}
