/**
 * Numbers that a log should have and that were not seen so far.
 *
 * @module
 */

/** A row of numbers, and where it was missed. */
export interface Gap<Place> {
  readonly from: number;
  readonly to: number;
  readonly at: Place;
}

/** Numbers out of order that are remembered at the most: memory stays bounded. */
const MAX_EARLY = 100_000;

/** What is missing, until it turns up elsewhere. */
export class Gaps<Place> {
  #gaps: Gap<Place>[] = [];
  /** Numbers that were seen before their turn. */
  readonly #early = new Set<number>();

  /** Notes numbers that should stand at a place. */
  miss(from: number, to: number, at: Place): void {
    this.#gaps.push({ from, to, at });
  }

  /** Notes a number that stands where another one should. */
  seeEarly(seq: number): void {
    if (this.#early.size < MAX_EARLY) this.#early.add(seq);
  }

  /** Notes a number that was seen late. */
  see(seq: number): void {
    if (this.#gaps.length === 0) return;
    this.#gaps = this.#gaps.flatMap((gap) => {
      if (seq < gap.from || seq > gap.to) return [gap];
      const parts = [{ ...gap, to: seq - 1 }, { ...gap, from: seq + 1 }];
      return parts.filter(({ from, to }) => from <= to);
    });
  }

  /** What is missing for good. */
  left(): readonly Gap<Place>[] {
    for (const seq of this.#early) this.see(seq);
    return this.#gaps;
  }
}
