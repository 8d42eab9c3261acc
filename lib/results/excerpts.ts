/**
 * Which lines from the middle of a cut output are shown all the same.
 *
 * @module
 */

import type { TextLimit } from "../types.ts";
import type { SalientLine } from "./salient.ts";

/** What could be shown. */
export interface Excerpts {
  /** The most telling first. */
  readonly lines: readonly SalientLine[];
  /** Words of trouble with how many lines have each, those with the most first. */
  readonly totals: readonly (readonly [string, number])[];
  /** The number that the text's first line is shown with. */
  readonly firstLine: number;
}

/** Nothing to show. */
export const NO_EXCERPTS: Excerpts = { lines: [], totals: [], firstLine: 1 };

/** What is shown. */
export interface ChosenExcerpts {
  /** In the order of the text. */
  readonly lines: readonly SalientLine[];
  /** Characters that they take. */
  readonly chars: number;
  /** What the note says of them, and the lines themselves after it; both may be empty. */
  readonly but: string;
  readonly text: string;
}

/** The part of a limit that excerpts may take. */
const SHARE = 0.25;

/** Excerpts at the most. */
const MAX_LINES = 12;

/** Room for a line's number, in characters. */
const NUMBER_CHARS = 12;

/** Words whose totals are told. */
const MAX_WORDS = 5;

const END = "[… end of these lines …]";

/**
 * Chooses what fits.
 *
 * @param limit Characters of head and tail; a quarter of them may be taken.
 * @param between Only lines after the first number, up to the second, come into question.
 */
export function chooseExcerpts(
  { lines, totals, firstLine }: Excerpts,
  { head, tail }: TextLimit,
  [after, upTo]: readonly [number, number],
): ChosenExcerpts {
  const most = Math.floor((head + tail) * SHARE);
  const chosen: SalientLine[] = [];
  let chars = 0;
  for (const candidate of lines) {
    const cost = candidate.text.length + NUMBER_CHARS;
    if (candidate.line <= after || candidate.line > upTo || chars + cost > most) continue;
    chosen.push(candidate);
    chars += cost;
    if (chosen.length === MAX_LINES) break;
  }
  if (chosen.length === 0) return { lines: [], chars: 0, but: "", text: "" };
  chosen.sort((a, b) => a.line - b.line);
  const words = totals.slice(0, MAX_WORDS)
    .map(([word, count]) => `"${word}" in ${count.toLocaleString("en-US")}`).join(", ");
  const but = `, but for these lines (in the whole output: ${words})`;
  const rows = chosen.map(({ line, text }) => `${line + firstLine - 1}: ${text}`);
  return { lines: chosen, chars, but, text: `\n${rows.join("\n")}\n${END}` };
}

/** How much of the text the excerpts show, and how many line ends: those of whole lines. */
export function keptOf(lines: readonly SalientLine[]): { chars: number; lineEnds: number } {
  let chars = 0;
  let lineEnds = 0;
  for (const { shownChars, whole } of lines) {
    chars += shownChars + (whole ? 1 : 0);
    if (whole) lineEnds++;
  }
  return { chars, lineEnds };
}
