/**
 * Finding many short texts in bytes at once, fast: a search that skips ahead
 * (Wu and Manber, 1994) by the pair of bytes under the end of its window.
 *
 * @module
 */

/** A text to be found, case aside. */
export interface Anchor {
  /** Lower case; at least 4 characters; a leading `?` stands for any byte or the beginning. */
  readonly text: string;
  /** What a hit is reported as. */
  readonly id: number;
}

/** Called for each hit with the offset of the text, a leading `?` not counted. */
export type OnHit = (id: number, start: number, end: number) => void;

/** Bytes of an anchor that the search looks at; the shortest anchor has as many. */
const WINDOW = 4;

const WILD = 0x3f;

/** Pairs that text is full of: an anchor's window should not end in one. Source: English text. */
const COMMON_PAIRS = new Set(
  ("th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve " +
    "co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur").split(" "),
);

interface Entry {
  readonly id: number;
  readonly bytes: Uint8Array;
  /** Where the window begins in the bytes. */
  readonly window: number;
  /** The byte where the window begins, or that of `?`. */
  readonly first: number;
  /** 1 where the first byte may be any. */
  readonly skip: number;
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

const ALL_BYTES: readonly number[] = Array.from({ length: 256 }, (_, value) => value);

/** Every byte that is the same letter, or every byte there is. */
function variantsOf(byte: number, wild: boolean): readonly number[] {
  if (wild) return ALL_BYTES;
  return byte >= 0x61 && byte <= 0x7a ? [byte, byte - 0x20] : [byte];
}

/** The place of the window whose end is the rarest. */
function rarestWindow(bytes: Uint8Array): number {
  const pair = (at: number) => String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0);
  const cost = (at: number) =>
    (COMMON_PAIRS.has(pair(at + 2)) ? 2 : 0) + (COMMON_PAIRS.has(pair(at + 1)) ? 1 : 0);
  let best = 0;
  for (let at = 1; at + WINDOW <= bytes.length; at++) if (cost(at) < cost(best)) best = at;
  return best;
}

/** Finds the anchors it was made for; safe to share. */
export class AnchorScanner {
  /** How far to go on from a pair of bytes; 0 where an anchor's window may end. */
  readonly #shifts = new Uint8Array(0x10000).fill(WINDOW - 1);
  /** Which of `#ending` have their window's end in a pair; 0 where none has. */
  readonly #slots = new Uint16Array(0x10000);
  readonly #ending: Entry[][] = [[]];
  /** Anchors that may stand at the very beginning, without a byte before them. */
  readonly #wild: Entry[] = [];

  /** @throws {RangeError} If an anchor is shorter than 4 bytes. */
  constructor(anchors: readonly Anchor[]) {
    for (const { text, id } of anchors) this.#add(new TextEncoder().encode(text), id);
  }

  #add(bytes: Uint8Array, id: number): void {
    if (bytes.length < WINDOW) throw new RangeError(`Anchor ${id} has fewer than 4 bytes`);
    const skip = bytes[0] === WILD ? 1 : 0;
    const window = rarestWindow(bytes);
    const entry = { id, bytes, window, first: bytes[window] ?? 0, skip };
    if (skip === 1) this.#wild.push(entry);
    for (let at = 0; at + 1 < WINDOW; at++) this.#addPair(entry, at);
  }

  #addPair(entry: Entry, at: number): void {
    const place = entry.window + at;
    const shift = WINDOW - 2 - at;
    for (const first of variantsOf(entry.bytes[place] ?? 0, entry.skip === 1 && place === 0)) {
      for (const second of variantsOf(entry.bytes[place + 1] ?? 0, false)) {
        const pair = first << 8 | second;
        this.#shifts[pair] = Math.min(shift, this.#shifts[pair] ?? 0);
        if (shift === 0) this.#addEnding(pair, entry);
      }
    }
  }

  #addEnding(pair: number, entry: Entry): void {
    if (this.#slots[pair] === 0) this.#slots[pair] = this.#ending.push([]) - 1;
    this.#ending[this.#slots[pair] ?? 0]?.push(entry);
  }

  /** Reports every hit in order of its window; several may overlap. */
  scan(bytes: Uint8Array, onHit: OnHit): void {
    for (const entry of this.#wild) this.#try(bytes, entry, -1, onHit);
    const shifts = this.#shifts;
    const last = bytes.length - 1;
    for (let at = WINDOW - 2; at < last;) {
      const pair = bytes[at]! << 8 | bytes[at + 1]!;
      const shift = shifts[pair]!;
      if (shift !== 0) at += shift;
      else this.#tryAll(bytes, pair, at++ - (WINDOW - 2), onHit);
    }
  }

  #tryAll(bytes: Uint8Array, pair: number, window: number, onHit: OnHit): void {
    const entries = this.#ending[this.#slots[pair]!]!;
    const first = lower(bytes[window]!);
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index]!;
      // Most candidates end here.
      if (entry.first !== first && entry.first !== WILD) continue;
      if (window >= entry.window) this.#try(bytes, entry, window - entry.window, onHit);
    }
  }

  #try(bytes: Uint8Array, entry: Entry, start: number, onHit: OnHit): void {
    const end = start + entry.bytes.length;
    if (end > bytes.length) return;
    for (let at = entry.skip; at < entry.bytes.length; at++) {
      if (lower(bytes[start + at]!) !== entry.bytes[at]) return;
    }
    onHit(entry.id, start + entry.skip, end);
  }
}
