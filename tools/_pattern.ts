/**
 * Regular expressions that can't hang, and lines that they match.
 *
 * @module
 */

import { clip, wholeCharacter } from "../lib/results/characters.ts";
import type { ToolOutcome } from "../lib/types.ts";
import { refusal } from "./_range.ts";

/** Where a line matches, as an offset in characters; null where it does not. */
export type Matcher = (line: string) => number | null;

/** What is shown of a matching line, in characters. */
const SHOWN_CHARS = 300;

/** What is shown of it before the match, in characters. */
const BEFORE_CHARS = 100;

/** A longer line is searched in part, in characters. */
export const SEARCHED_CHARS = 1_000_000;

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

/** The part of a line around a match. */
export function aroundMatch(line: string, at: number): string {
  if (line.length <= SHOWN_CHARS) return line;
  const from = wholeCharacter(line, at - BEFORE_CHARS);
  return (from === 0 ? "" : "…") + clip(line.slice(from), SHOWN_CHARS);
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
