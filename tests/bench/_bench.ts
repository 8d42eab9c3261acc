/**
 * What a benchmark is, and the figures that several of them need.
 *
 * @module
 */

import type { Program } from "../e2e/_program.ts";

/** What benchmarks measure: rein, and small programs of the same runtime beside it. */
export interface Programs {
  readonly rein: Program;
  /** Does nothing. */
  readonly empty: Program;
  /** Does what a turn has to do and nothing else; see `_bare_loop.ts`. */
  readonly bareLoop: Program;
}

/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly unit: "ms" | "MB" | "bytes" | "tokens" | "µs";
  readonly value: number;
  /** The same measure of something simpler in the same run; null if there is none. */
  readonly reference: number | null;
  /** The most that the ratio (`×`) or the value may be; null where it is only reported. */
  readonly aim: { readonly of: "ratio" | "value"; readonly most: number } | null;
}

/** Measures something. */
export type Bench = (programs: Programs) => Promise<readonly Row[]>;

/** The middle value; the upper one of two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/**
 * Runs a measurement of each kind in turns, so that a slow moment of the machine
 * hits all; once before, not counted, to warm the disk's cache.
 */
export async function interleaved<Kind extends string>(
  runs: number,
  kinds: Readonly<Record<Kind, () => Promise<number>>>,
): Promise<Record<Kind, number[]>> {
  const names = Object.keys(kinds) as Kind[];
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Kind,
    number[]
  >;
  for (const name of names) await kinds[name]();
  for (let run = 0; run < runs; run++) {
    for (const name of names) values[name].push(await kinds[name]());
  }
  return values;
}
