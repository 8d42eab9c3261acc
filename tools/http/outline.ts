/**
 * JSON made short by its structure: arrays lose items, not the text its end.
 *
 * @module
 */

import type { Json } from "../../lib/types.ts";

/** How much of a value is kept. */
interface Detail {
  readonly items: number;
  readonly keys: number;
  /** Characters of one string. */
  readonly chars: number;
  readonly depth: number;
}

/** From generous to sparing; the first one that fits is taken. */
const DETAILS: readonly Detail[] = [
  { items: 50, keys: 200, chars: 2000, depth: 30 },
  { items: 20, keys: 100, chars: 500, depth: 12 },
  { items: 10, keys: 60, chars: 300, depth: 8 },
  { items: 5, keys: 40, chars: 200, depth: 6 },
  { items: 3, keys: 30, chars: 100, depth: 5 },
  { items: 2, keys: 20, chars: 60, depth: 4 },
  { items: 1, keys: 10, chars: 40, depth: 3 },
];

function shortText(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const kept = text.slice(0, chars).replace(/[\ud800-\udbff]$/, "");
  return `${kept}… (${text.length} characters)`;
}

function shortList(list: readonly Json[], detail: Detail, depth: number): Json {
  if (depth >= detail.depth && list.length > 0) return `[… ${list.length} items]`;
  const kept = list.slice(0, detail.items).map((item) => shortened(item, detail, depth + 1));
  const more = list.length - kept.length;
  return more === 0 ? kept : [...kept, `… ${more} more of ${list.length} items`];
}

function shortObject(
  object: { readonly [key: string]: Json },
  detail: Detail,
  depth: number,
): Json {
  const entries = Object.entries(object);
  if (depth >= detail.depth && entries.length > 0) return `{… ${entries.length} keys}`;
  const kept = entries.slice(0, detail.keys)
    .map(([key, value]) => [shortText(key, detail.chars), shortened(value, detail, depth + 1)]);
  const more = entries.length - kept.length;
  const rest = more === 0 ? [] : [["…", `${more} more of ${entries.length} keys`]];
  return Object.fromEntries([...kept, ...rest]);
}

function shortened(value: Json, detail: Detail, depth: number): Json {
  if (typeof value === "string") return shortText(value, detail.chars);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? shortList(value, detail, depth)
    : shortObject(value as { readonly [key: string]: Json }, detail, depth);
}

/** A JSON text, and whether something was left out of it. */
export interface Outline {
  readonly text: string;
  readonly shortened: boolean;
}

/**
 * Writes a value as compact JSON of about `maxChars` characters. What is left
 * out is counted in its place.
 */
export function outlineJson(value: Json, maxChars: number): Outline {
  let text = "";
  for (const detail of DETAILS) {
    text = JSON.stringify(shortened(value, detail, 0));
    if (text.length <= maxChars) break;
  }
  return { text, shortened: text !== wholeText(value, text.length) };
}

/** The whole text of a value, or null if it is longer than that; depth can make it unwritable. */
function wholeText(value: Json, chars: number): string | null {
  try {
    const text = JSON.stringify(value);
    return text.length === chars ? text : null;
  } catch {
    return null;
  }
}
