/**
 * Replacing one passage of a text, whatever its line ends are.
 *
 * @module
 */

import { distance } from "fastest-levenshtein";
import { lineEndOf, withLineEnds } from "./_text.ts";

/** Lines named of a passage that stands in several places. */
const NAMED_LINES = 5;

/** Lines looked at for one that is like the passage; the comparison is slow. */
const COMPARED_LINES = 20_000;

/** A line is compared and shown up to this, in characters. */
const COMPARED_CHARS = 200;

/** A line that differs in more than this share is not like another. */
const MOST_DIFFERENCE = 0.4;

/** The edited text, or why nothing was replaced. */
export type Edited =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: "not_found" | "ambiguous"; readonly message: string };

/** The places of a passage, overlapping ones too. */
function placesOf(text: string, passage: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + 1)) {
    places.push(at);
  }
  return places;
}

function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}

/** The place in the text as it is of a place in the text with LF line ends. */
function placeWithin(raw: string, place: number): number {
  let returns = 0;
  for (let at = raw.indexOf("\r\n"); at !== -1; at = raw.indexOf("\r\n", at + 2)) {
    if (at - returns >= place) break;
    returns++;
  }
  return place + returns;
}

/** A passage without the differences that are hard to see. */
function loosely(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The line that is most like the first one of the passage, from 1; null if none is. */
function likeliestLine(lines: readonly string[], passage: string): number | null {
  const wanted = loosely(passage.split("\n").find((line) => line.trim() !== "") ?? "")
    .slice(0, COMPARED_CHARS);
  if (wanted === "") return null;
  let best = { line: 0, far: MOST_DIFFERENCE };
  for (const [index, text] of lines.slice(0, COMPARED_LINES).entries()) {
    const line = loosely(text).slice(0, COMPARED_CHARS);
    const longest = Math.max(line.length, wanted.length);
    if (Math.abs(line.length - wanted.length) / longest >= best.far) continue;
    const far = distance(line, wanted) / longest;
    if (far < best.far) best = { line: index + 1, far };
  }
  return best.line === 0 ? null : best.line;
}

function notFound(text: string, passage: string): Edited {
  const lines = text.split("\n");
  const near = likeliestLine(lines, passage);
  const where = near === null
    ? "and no line is like its first one"
    : loosely(text).includes(loosely(passage))
    ? `except with other white space, near line ${near}`
    : `but line ${near} is like its first one: ${
      JSON.stringify((lines[near - 1] ?? "").slice(0, COMPARED_CHARS))
    }`;
  return { ok: false, code: "not_found", message: `old_text is not in the file, ${where}` };
}

function ambiguous(text: string, places: readonly number[]): Edited {
  const named = places.slice(0, NAMED_LINES).map((place) => lineAt(text, place));
  const more = places.length > named.length ? ` and ${places.length - named.length} more` : "";
  const message = `old_text is in the file ${places.length} times, at lines ${named.join(", ")}` +
    more;
  return { ok: false, code: "ambiguous", message };
}

/** Line ends for what comes in place of a passage: those of the passage, else of the text. */
function lineEndFor(replaced: string, raw: string): "\n" | "\r\n" {
  return lineEndOf(replaced.includes("\n") ? replaced : raw);
}

/**
 * Replaces a passage that stands in a text exactly once. LF and CRLF count as
 * the same; all that is not replaced stays as it is, byte for byte.
 *
 * @param oldText Not empty.
 */
export function replaceOnce(raw: string, oldText: string, newText: string): Edited {
  const text = withLineEnds(raw, "\n");
  const passage = withLineEnds(oldText, "\n");
  const places = placesOf(text, passage);
  const [place] = places;
  if (place === undefined) return notFound(text, passage);
  if (places.length > 1) return ambiguous(text, places);
  const start = placeWithin(raw, place);
  const end = placeWithin(raw, place + passage.length);
  const replacement = withLineEnds(newText, lineEndFor(raw.slice(start, end), raw));
  return { ok: true, text: raw.slice(0, start) + replacement + raw.slice(end) };
}
