/**
 * Long texts of a page, which is bounded: short ones stay whole, long ones share what is left.
 *
 * @module
 */

import { wholeCharacter } from "../../results/characters.ts";

/** `output`: what calls brought. `said`: what models and people wrote. */
export type TextKind = "output" | "said";

/**
 * UTF-16 units of a page for each kind. Source: a page of both opens at once in a browser, and a
 * usual run of some twenty calls is whole.
 */
export const PAGE_CHARS: Readonly<Record<TextKind, number>> = { output: 200_000, said: 200_000 };

/** A text as the page has it. */
export interface PageText {
  readonly text: string;
  /** UTF-16 units that are left out. */
  readonly left: number;
}

/** Takes texts for a page. */
export interface PageTexts {
  take(kind: TextKind, text: string): PageText;
}

/**
 * The length to which texts may grow so that all fit; Infinity where they fit as they are.
 *
 * @param lengths Of the texts, in any unit.
 * @param room For all of them, in the same unit.
 */
export function fairLength(lengths: readonly number[], room: number): number {
  let left = room;
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}

/** The beginning and the end of a text: two thirds and one third of what may stay. */
function cutText(text: string, most: number): PageText {
  if (text.length <= most) return { text, left: 0 };
  const tail = Math.floor(most / 3);
  const from = wholeCharacter(text, most - tail);
  const to = Math.max(from, wholeCharacter(text, text.length - tail));
  const mark = tail === 0 ? "…" : "\n…\n";
  return { text: `${text.slice(0, from)}${mark}${text.slice(to)}`, left: to - from };
}

/**
 * Makes something of bounded texts. It is made twice: once to learn how long all texts are, once
 * with what fits.
 */
export function withinBounds<T>(make: (texts: PageTexts) => T): T {
  const lengths: Record<TextKind, number[]> = { output: [], said: [] };
  make({
    take: (kind, text) => {
      lengths[kind].push(text.length);
      return { text, left: 0 };
    },
  });
  const most = {
    output: fairLength(lengths.output, PAGE_CHARS.output),
    said: fairLength(lengths.said, PAGE_CHARS.said),
  };
  return make({ take: (kind, text) => cutText(text, most[kind]) });
}
