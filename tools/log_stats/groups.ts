/**
 * Groups by their keys, as bytes: counting a line that belongs to a known
 * group allocates nothing.
 *
 * @module
 */

import { textOf } from "./entry.ts";

/** Groups at the most; their keys and counts then take about 20 MB. */
export const MAX_GROUPS = 100_000;

/** Stands between the values of a key. */
export const SEPARATOR = 0x1f;

/** The group that stands for all beyond the most. */
export const NO_GROUP = -1;

/** Keys with numbers from 0, in the order in which they came. */
export class Groups {
  /** How many there are. */
  size = 0;
  readonly #most: number;
  #keys = new Uint8Array(1 << 16);
  /** Where each group's key ends in `#keys`; it begins where the one before ends. */
  #ends = new Int32Array(1 << 10);
  #hashes = new Int32Array(1 << 10);
  /** A hash table with open addressing: group number + 1, or 0. */
  #slots = new Int32Array(1 << 12);

  constructor(most = MAX_GROUPS) {
    this.#most = most;
  }

  /**
   * The number of a key's group, a new one if need be.
   *
   * @param key Its bytes begin at 0 and may be overwritten afterwards.
   * @returns {@linkcode NO_GROUP} for a new key if there are too many already.
   */
  find(key: Uint8Array, length: number): number {
    const hash = hashOf(key, length);
    const mask = this.#slots.length - 1;
    let slot = hash & mask;
    for (;;) {
      const group = (this.#slots[slot] ?? 0) - 1;
      if (group < 0) break;
      if (this.#hashes[group] === hash && this.#equals(group, key, length)) return group;
      slot = (slot + 1) & mask;
    }
    if (this.size >= this.#most) return NO_GROUP;
    this.#slots[slot] = this.size + 1;
    return this.#add(key, length, hash);
  }

  /** The values of a group's key. */
  values(group: number): readonly string[] {
    const start = this.#start(group);
    const key = textOf(this.#keys, start, this.#ends[group] ?? start);
    return key.split(String.fromCharCode(SEPARATOR));
  }

  #start(group: number): number {
    return group === 0 ? 0 : this.#ends[group - 1] ?? 0;
  }

  #equals(group: number, key: Uint8Array, length: number): boolean {
    const start = this.#start(group);
    if ((this.#ends[group] ?? 0) - start !== length) return false;
    const keys = this.#keys;
    for (let i = 0; i < length; i++) if (keys[start + i] !== key[i]) return false;
    return true;
  }

  #add(key: Uint8Array, length: number, hash: number): number {
    const group = this.size++;
    const start = this.#start(group);
    if (start + length > this.#keys.length) this.#keys = grown(this.#keys);
    if (group === this.#ends.length) {
      this.#ends = grownInts(this.#ends);
      this.#hashes = grownInts(this.#hashes);
    }
    this.#keys.set(key.subarray(0, length), start);
    this.#ends[group] = start + length;
    this.#hashes[group] = hash;
    if (this.size * 2 > this.#slots.length) this.#rehash();
    return group;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let group = 0; group < this.size; group++) {
      let slot = (this.#hashes[group] ?? 0) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = group + 1;
    }
  }
}

/** FNV-1a, with its high bits mixed into the low ones that choose a slot. */
function hashOf(key: Uint8Array, length: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ (key[i] ?? 0), 0x01000193);
  return hash ^ (hash >>> 15);
}

function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(bytes.length * 2);
  larger.set(bytes);
  return larger;
}

function grownInts(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}

/** A count for each group, as many as there are. */
export class Counts {
  #counts = new Float64Array(1 << 10);

  /** Adds one. */
  add(group: number): void {
    if (group >= this.#counts.length) {
      const larger = new Float64Array(Math.max(group + 1, this.#counts.length * 2));
      larger.set(this.#counts);
      this.#counts = larger;
    }
    this.#counts[group] = (this.#counts[group] ?? 0) + 1;
  }

  /** The count of a group; 0 if nothing was ever added. */
  of(group: number): number {
    return this.#counts[group] ?? 0;
  }
}
