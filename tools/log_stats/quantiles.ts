/**
 * Percentiles of many groups in bounded memory.
 *
 * Values are counted in buckets that grow with the value: the exponent and the
 * first bits of the mantissa of a double choose one, so a bucket's values
 * differ by 0.2 % at the most. Each bucket keeps the first value that it got,
 * and answers with that: what is asked about short times, in whole
 * milliseconds, is exact. Where there are too many buckets, each two
 * neighbours become one, and the stated error doubles.
 *
 * @module
 */

/** Buckets at the most, of all groups together; they then take 24 MB. */
const MAX_BUCKETS = 1 << 19;

/** Bits of the mantissa at the beginning: an error of 1 in 512. */
const MANTISSA_BITS = 9;

/** Bits of sign and exponent in front of them. */
const EXPONENT_BITS = 12;

const SPREAD = 0x9e3779b1;

/** What is known of a group's values. */
export interface Distribution {
  readonly count: number;
  /** Exact; NaN if there are no values. */
  readonly max: number;
  /** In the order of the shares that were asked for. */
  readonly values: readonly number[];
}

interface Bucket {
  /** The first value that it got. */
  readonly first: number;
  readonly count: number;
}

/** The values of groups, numbered from 0. */
export class Quantiles {
  readonly #most: number;
  #bits = MANTISSA_BITS;
  #used = 0;
  /** A hash table with open addressing; group + 1 and bucket are the key, 0 is empty. */
  #groups = new Uint32Array(1 << 12);
  #buckets = new Uint32Array(1 << 12);
  #counts = new Float64Array(1 << 12);
  #firsts = new Float64Array(1 << 12);
  readonly #maxima = new Map<number, number>();
  readonly #double = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#double.buffer);

  constructor(most = MAX_BUCKETS) {
    this.#most = most;
  }

  /** By how much a percentile may be off, as a share of its value. */
  get error(): number {
    return 2 ** -this.#bits;
  }

  /** Takes a finite value. */
  add(group: number, value: number): void {
    this.#put(group, value, 1);
    const max = this.#maxima.get(group);
    if (max === undefined || value > max) this.#maxima.set(group, value);
    if (this.#used * 2 > this.#groups.length) this.#grow();
  }

  /**
   * A group's distribution by nearest rank: a share of 0.99 gives the value that
   * 99 % of the group's values do not exceed.
   */
  of(group: number, shares: readonly number[]): Distribution {
    const buckets = this.#select((other) => other === group + 1);
    return distributionOf(buckets, this.#maxima.get(group) ?? NaN, shares);
  }

  /** The distribution of all values, whatever their group. */
  all(shares: readonly number[]): Distribution {
    let max = NaN;
    for (const each of this.#maxima.values()) if (!(each <= max)) max = each;
    return distributionOf(this.#select((other) => other > 0), max, shares);
  }

  #select(isWanted: (group: number) => boolean): Bucket[] {
    const found: Bucket[] = [];
    for (let slot = 0; slot < this.#groups.length; slot++) {
      if (!isWanted(this.#groups[slot] ?? 0)) continue;
      found.push({ first: this.#firsts[slot] ?? NaN, count: this.#counts[slot] ?? 0 });
    }
    return found;
  }

  #bucketOf(value: number): number {
    this.#double[0] = value;
    const [, high = 0] = this.#halves;
    return high >>> (32 - EXPONENT_BITS - this.#bits);
  }

  #put(group: number, value: number, count: number): void {
    const bucket = this.#bucketOf(value);
    const mask = this.#groups.length - 1;
    const hash = Math.imul(bucket ^ Math.imul(group, SPREAD), SPREAD);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#groups[slot] !== 0) {
      if (this.#groups[slot] === group + 1 && this.#buckets[slot] === bucket) {
        this.#counts[slot] = (this.#counts[slot] ?? 0) + count;
        return;
      }
      slot = (slot + 1) & mask;
    }
    this.#groups[slot] = group + 1;
    this.#buckets[slot] = bucket;
    this.#counts[slot] = count;
    this.#firsts[slot] = value;
    this.#used++;
  }

  /** Makes room: a larger table, or coarser buckets where that would be too large. */
  #grow(): void {
    const [groups, counts, firsts] = [this.#groups, this.#counts, this.#firsts];
    let slots = groups.length;
    if (slots >= 2 * this.#most && this.#bits > 0) this.#bits--;
    else slots *= 2;
    this.#groups = new Uint32Array(slots);
    this.#buckets = new Uint32Array(slots);
    this.#counts = new Float64Array(slots);
    this.#firsts = new Float64Array(slots);
    this.#used = 0;
    for (let slot = 0; slot < groups.length; slot++) {
      const group = groups[slot] ?? 0;
      if (group > 0) this.#put(group - 1, firsts[slot] ?? 0, counts[slot] ?? 0);
    }
    if (this.#used * 2 > this.#groups.length) this.#grow();
  }
}

function distributionOf(buckets: Bucket[], max: number, shares: readonly number[]): Distribution {
  buckets.sort((a, b) => a.first - b.first);
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  const values = shares.map((share) => atRank(buckets, Math.max(1, Math.ceil(share * count))));
  return { count, max, values };
}

function atRank(buckets: readonly Bucket[], rank: number): number {
  let seen = 0;
  for (const bucket of buckets) {
    seen += bucket.count;
    if (seen >= rank) return bucket.first;
  }
  return NaN;
}
