/**
 * The part of a text in which the words of a query stand.
 *
 * @module
 */

import { wholeCharacter } from "../results/characters.ts";
import { pairsOf, piecesOf, wordsOf } from "./query.ts";

/** Places of one word that are looked at; one of the first ones is as good as any other. */
const MAX_PLACES = 100;

/** Share of the excerpt that stands before the first word. */
const BEFORE = 0.2;

/** Share of the excerpt in which a better place for a cut is looked for. */
const BORDER = 0.15;

/** Where something stands. */
interface Place {
  readonly start: number;
  readonly end: number;
  /** Which of the words it is. */
  readonly word: number;
}

function placesOf(text: string, words: readonly string[]): Place[] {
  const lower = text.toLowerCase();
  const places = words.flatMap((word, index) => {
    const found: Place[] = [];
    const wanted = word.toLowerCase();
    for (let at = lower.indexOf(wanted); at >= 0 && found.length < MAX_PLACES;) {
      found.push({ start: at, end: at + wanted.length, word: index });
      at = lower.indexOf(wanted, at + wanted.length);
    }
    return found;
  });
  return places.sort((a, b) => a.start - b.start);
}

/** The words themselves, or what there is of them. */
function findPlaces(text: string, query: string): Place[] {
  const words = wordsOf(query);
  const whole = placesOf(text, words);
  if (whole.length > 0) return whole;
  const pieces = placesOf(text, piecesOf(words, 3));
  return pieces.length > 0 ? pieces : placesOf(text, pairsOf(words));
}

/** Where a part of the text begins that has the most different words, the first of the best. */
function bestStart(places: readonly Place[], width: number): number {
  let best = { start: places[0]?.start ?? 0, words: 0 };
  for (const [index, { start }] of places.entries()) {
    const words = new Set<number>();
    for (let next = index; next < places.length; next++) {
      const place = places[next];
      if (place === undefined || place.end > start + width) break;
      words.add(place.word);
    }
    if (words.size > best.words) best = { start, words: words.size };
  }
  return best.start;
}

/** Moves a cut forward behind a space or a line end that is near. */
function behindBorder(text: string, cut: number, reach: number): number {
  const at = text.slice(cut, cut + reach).search(/\s/);
  return wholeCharacter(text, at < 0 ? cut : cut + at + 1);
}

/** Moves a cut back before a space or a line end that is near. */
function beforeBorder(text: string, cut: number, reach: number): number {
  const near = text.slice(cut - reach, cut).search(/\s\S*$/);
  return wholeCharacter(text, near < 0 ? cut : cut - reach + near);
}

/**
 * The part of a text around the words of a query; the beginning where there are none.
 *
 * @param maxChars UTF-16 units at the most, ellipses included; at least 20.
 */
export function excerptOf(text: string, query: string, maxChars: number): string {
  const whole = text.trim();
  if (whole.length <= maxChars) return whole;
  const width = maxChars - 2;
  const reach = Math.floor(width * BORDER);
  const first = bestStart(findPlaces(whole, query), width * (1 - BEFORE));
  const wanted = Math.min(first - Math.floor(width * BEFORE), whole.length - width);
  const start = wanted <= 0 ? 0 : behindBorder(whole, wanted, Math.min(reach, first - wanted));
  const last = start + width;
  const end = last >= whole.length ? whole.length : beforeBorder(whole, last, reach);
  const before = start > 0 ? "…" : "";
  const after = end < whole.length ? "…" : "";
  return `${before}${whole.slice(start, end).trim()}${after}`;
}
