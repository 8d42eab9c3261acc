/**
 * Where the keys and values of a line are, for formats that name their fields.
 *
 * @module
 */

import { textOf } from "../entry.ts";
import { namesFor } from "../names.ts";

/** Pairs of a line that are noted; what is beyond is not there. */
const MAX_PAIRS = 256;

/** A way to a field: a key of the line, and keys below it. */
export interface Way {
  /** The number of the key among those that are looked for. */
  readonly key: number;
  readonly below: readonly string[];
}

const encoder = new TextEncoder();

/**
 * The pairs of one line at a time. Keys that nobody asks for cost a look at
 * their length and two of their bytes.
 */
export class Pairs {
  /** The bytes of the line; set before its pairs are noted. */
  bytes: Uint8Array = new Uint8Array(0);
  count = 0;
  /** Four numbers a pair: the key's start and end, the value's start and end. */
  readonly #places = new Int32Array(4 * MAX_PAIRS);
  readonly #keys: Uint8Array[] = [];
  /** Numbers of keys by a hash of length, first and last byte. */
  readonly #buckets: readonly number[][] = Array.from({ length: 256 }, () => []);
  /** The pair of each key in this line, or -1. */
  #pairs = new Int32Array(0);

  /** Looks for a field under all its names, and for `a.b` also below `a`. */
  waysTo(field: string): readonly Way[] {
    return namesFor(field).flatMap((name) => {
      const [first = "", ...below] = name.split(".");
      const literal = { key: this.#keyOf(name), below: [] };
      return below.length === 0 ? [literal] : [literal, { key: this.#keyOf(first), below }];
    });
  }

  /** Begins another line. */
  begin(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.count = 0;
    this.#pairs.fill(-1);
  }

  /** Notes a pair; of pairs with the same key the last counts. */
  add(key: number, keyEnd: number, value: number, valueEnd: number): void {
    if (this.count === MAX_PAIRS) return;
    const at = 4 * this.count;
    this.#places[at] = key;
    this.#places[at + 1] = keyEnd;
    this.#places[at + 2] = value;
    this.#places[at + 3] = valueEnd;
    const bucket = this.#buckets[hashOf(this.bytes, key, keyEnd)] ?? [];
    for (let i = 0; i < bucket.length; i++) {
      const known = bucket[i] ?? 0;
      if (sameBytes(this.bytes, key, keyEnd, this.#keys[known])) this.#pairs[known] = this.count;
    }
    this.count++;
  }

  /** The pair of a key that is looked for, or -1. */
  pairOf(key: number): number {
    return this.#pairs[key] ?? -1;
  }

  /** Where a pair's value starts. */
  start(pair: number): number {
    return this.#places[4 * pair + 2] ?? 0;
  }

  /** Where a pair's value ends. */
  end(pair: number): number {
    return this.#places[4 * pair + 3] ?? 0;
  }

  /** The keys of the line. */
  names(): readonly string[] {
    return Array.from({ length: this.count }, (_, pair) => {
      const [start = 0, end = 0] = this.#places.subarray(4 * pair);
      return textOf(this.bytes, start, end);
    });
  }

  #keyOf(name: string): number {
    const bytes = encoder.encode(name);
    const found = this.#keys.findIndex((key) => sameBytes(bytes, 0, bytes.length, key));
    if (found >= 0) return found;
    const key = this.#keys.push(bytes) - 1;
    this.#buckets[hashOf(bytes, 0, bytes.length)]?.push(key);
    this.#pairs = new Int32Array(this.#keys.length).fill(-1);
    return key;
  }
}

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  return ((end - start) * 31 + (bytes[start] ?? 0) * 7 + (bytes[end - 1] ?? 0)) & 255;
}

function sameBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  name: Uint8Array | undefined,
): boolean {
  if (name === undefined || end - start !== name.length) return false;
  for (let i = 0; i < name.length; i++) if (bytes[start + i] !== name[i]) return false;
  return true;
}

/** The next quote that no backslash escapes, or `end`. */
export function closingQuote(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== 34 /* " */) at += bytes[at] === 92 /* \ */ ? 2 : 1;
  return Math.min(at, end);
}
