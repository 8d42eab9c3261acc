/**
 * Regular expressions that can't hang, and lines that they match.
 *
 * @module
 */

import { refusal } from "./_range.ts";
import type { ToolOutcome } from "../lib/types.ts";

/** Where a line matches, as an offset in characters; null where it does not. */
export type Matcher = (line: string) => number | null;

/** A matching line is shown up to this, in characters. */
const SHOWN_CHARS = 300;

/** Characters shown before the match, where not all of a line is. */
const BEFORE_CHARS = 100;

/** Compiles without backtracking; the outcome of a pattern that can't be used is a refusal. */
export async function compilePattern(
  text: string,
  ignoreCase: boolean,
): Promise<Matcher | ToolOutcome> {
  const { RE2JS } = await import("re2js");
  try {
    const pattern = RE2JS.compile(text, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (line) => {
      const matcher = pattern.matcher(line);
      return matcher.find() ? matcher.start() : null;
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `Pattern ${JSON.stringify(text)} can't be used: ${reason}`;
    const hint = "Use RE2 syntax: no look-around, no back-references.";
    return refusal("invalid_pattern", message, hint);
  }
}

/** A matching line, or the part of it around the match. */
export function shownLine(line: string, at: number): string {
  if (line.length <= SHOWN_CHARS) return line;
  const from = at + SHOWN_CHARS / 2 < SHOWN_CHARS ? 0 : at - BEFORE_CHARS;
  const part = line.slice(from, from + SHOWN_CHARS).toWellFormed().replace(/^\ufffd|\ufffd$/g, "");
  return `${from > 0 ? "…" : ""}${part}${from + SHOWN_CHARS < line.length ? "…" : ""}`;
}

/** The fields of a pattern in a schema. */
export const PATTERN_FIELDS = {
  pattern: {
    type: "string",
    minLength: 1,
    maxLength: 1000,
    description: "Regular expression (RE2 syntax), matched against each line.",
  },
  ignore_case: { type: "boolean", description: "false if left out." },
};
