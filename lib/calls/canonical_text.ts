/**
 * One text for one value.
 *
 * @module
 */

import type { Json } from "../types.ts";

/** The same text for the same value, whatever the order of its keys; nothing else is overlooked. */
export function canonicalText(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}
