/**
 * Collecting texts in tests.
 *
 * @module
 */

import type { ResultOptions } from "../../lib/results/results.ts";
import type { CollectedText, CollectRequest } from "../../lib/types.ts";
import { fakeResults } from "../fakes.ts";

/** A limit that nothing in these tests reaches. */
export const ALL = { head: 1_000_000_000, tail: 0 };

/** Collects pieces as a program's output, all of it unless told otherwise. */
export function collected(
  pieces: readonly (Uint8Array | string)[],
  request: Partial<CollectRequest> = {},
  options: Partial<ResultOptions> = {},
): CollectedText {
  const collector = fakeResults(options)
    .collect({ field: "stdout", limit: ALL, raw: true, ...request });
  for (const piece of pieces) collector.push(piece);
  return collector.finish();
}

/** The text of what a program printed. */
export function shown(output: string, request: Partial<CollectRequest> = {}): string {
  return collected([new TextEncoder().encode(output)], request).text;
}

/** Cuts bytes at the given places. */
export function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...places.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b)];
  return [...ends, bytes.length].map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
}
