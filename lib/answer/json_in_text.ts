/**
 * The JSON in what a model said: alone, in a code fence, or with text around it.
 *
 * @module
 */

import type { Json } from "../types.ts";

/** A JSON value as it was written, and what it means. */
export interface WrittenJson {
  /** Without the blanks between its parts; numbers are as they were written. */
  readonly text: string;
  readonly value: Json;
}

/** Takes the blanks out between the parts of a JSON text. */
export function compactJson(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|\s+/g, (part) => part.startsWith('"') ? part : "");
}

function parsed(text: string): WrittenJson | null {
  try {
    return { text: compactJson(text), value: JSON.parse(text) as Json };
  } catch {
    return null;
  }
}

/** The offset behind the bracket that closes the one at `start`, or -1. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === "\\") at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0) return at + 1;
  }
  return -1;
}

/** Places where an object or a list may begin; more are not tried, since each is read to its end. */
const MOST_PLACES = 200;

/** Objects and lists that stand in a text, none of them inside another; two at the most. */
function valuesIn(text: string): WrittenJson[] {
  const found: WrittenJson[] = [];
  let from = 0;
  for (let place = 0; place < MOST_PLACES && found.length < 2; place++) {
    const offset = text.slice(from).search(/[{[]/);
    if (offset === -1) break;
    const start = from + offset;
    const end = endOf(text, start);
    const value = end === -1 ? null : parsed(text.slice(start, end));
    if (value !== null) found.push(value);
    from = value === null ? start + 1 : end;
  }
  return found;
}

/** What a text has instead of one JSON value. */
export type JsonFault = "none" | "several";

/**
 * Finds the one JSON value of a text. Text, numbers and other single values count only where they
 * stand alone, or alone in the only code fence: a number in a sentence is no answer.
 */
export function jsonInText(text: string): WrittenJson | JsonFault {
  const alone = parsed(text);
  if (alone !== null) return alone;
  const fences = [...text.matchAll(/^[ \t]*```\w*[ \t]*\n(.*?)\n?[ \t]*```[ \t]*$/gms)];
  const [only] = fences;
  const fenced = fences.length === 1 && only !== undefined ? parsed(only[1] ?? "") : null;
  const outside = fenced === null ? text : text.replace(only?.[0] ?? "", () => "");
  const values = [...(fenced === null ? [] : [fenced]), ...valuesIn(outside)];
  const [first] = values;
  if (first === undefined) return "none";
  return values.length === 1 ? first : "several";
}
