/**
 * Words of servers, which may be anything, as a piece of a line.
 *
 * @module
 */

import { clip } from "../results/characters.ts";

/** A text in one line, without characters that move a cursor or turn a line around. */
export function inLine(text: string, chars: number): string {
  return clip(text.replaceAll(/[\s\p{C}]+/gu, " ").trim(), chars);
}
