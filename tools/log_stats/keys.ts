/**
 * The key that an entry is grouped by, as bytes.
 *
 * @module
 */

import { BYTE, type LineParser, Slice } from "./entry.ts";
import type { FieldList } from "./fields.ts";
import { SEPARATOR } from "./groups.ts";
import { copyNormalized } from "./normalize.ts";
import { levelName } from "./levels.ts";
import type { Query } from "./query.ts";
import { formatTime, offsetAt, type Zone } from "./time.ts";

/** Units of time that an entry can be grouped by: how long, and how much of an ISO time. */
export const TIME_UNITS: Readonly<Record<string, { readonly ms: number; readonly chars: number }>> =
  {
    minute: { ms: 60_000, chars: 16 },
    hour: { ms: 3_600_000, chars: 13 },
    day: { ms: 86_400_000, chars: 10 },
  };

/** Bytes of a value in a key; what is longer is cut and marked. */
const MAX_PART_BYTES = 160;

/** Bytes of a value that are looked at: what is normalised may become shorter. */
const MAX_VALUE_BYTES = 2048;

/** Stands for a value that an entry does not have. */
export const NO_VALUE = "\u0000";

const encoder = new TextEncoder();
const ELLIPSIS = encoder.encode("…");
const CLASS_END = encoder.encode("xx");

/** Writes one value of an entry's key and returns where it ends. */
type Part = (parser: LineParser, into: Uint8Array, at: number) => number;

function writeNothing(into: Uint8Array, at: number): number {
  into[at] = 0;
  return at + 1;
}

/** Cuts between characters. */
function cut(into: Uint8Array, start: number, end: number): number {
  if (end - start <= MAX_PART_BYTES) return end;
  let stop = start + MAX_PART_BYTES - ELLIPSIS.length;
  while (((into[stop] ?? 0) & 0xc0) === 0x80) stop--;
  into.set(ELLIPSIS, stop);
  return stop + ELLIPSIS.length;
}

/** Builds keys for the groups of a query. */
export class Keys {
  /** The key of the last entry, from 0. */
  readonly bytes = new Uint8Array(4 * MAX_VALUE_BYTES);
  readonly #parts: readonly Part[];
  readonly #fields: FieldList;
  readonly #normalize: boolean;
  readonly #zone: Zone;
  readonly #slice = new Slice();

  constructor(query: Query, fields: FieldList, zone: Zone) {
    this.#fields = fields;
    this.#normalize = query.normalize;
    this.#zone = zone;
    this.#parts = query.groupBy.map((name) => this.#partOf(name));
  }

  /** Writes the key of a parser's entry; returns its length. */
  write(parser: LineParser): number {
    let at = 0;
    for (let i = 0; i < this.#parts.length; i++) {
      if (i > 0) this.bytes[at++] = SEPARATOR;
      at = this.#parts[i]?.(parser, this.bytes, at) ?? at;
    }
    return at;
  }

  #partOf(name: string): Part {
    const unit = TIME_UNITS[name];
    if (unit !== undefined) return this.#timePart(unit);
    if (name === "endpoint") return this.#endpointPart();
    if (name === "status_class") return this.#classPart();
    if (name === "level") return this.#levelPart();
    const field = this.#fields.add(name);
    return (parser, into, at) => {
      if (!this.#fields.get(parser, field, this.#slice)) return writeNothing(into, at);
      return cut(into, at, this.#copy(into, at));
    };
  }

  /** Copies the slice. */
  #copy(into: Uint8Array, at: number): number {
    const { bytes, start } = this.#slice;
    const end = Math.min(this.#slice.end, start + MAX_VALUE_BYTES);
    if (this.#normalize) return copyNormalized([bytes, start, end], into, at);
    let to = at;
    for (let from = start; from < end; from++) into[to++] = bytes[from] ?? 0;
    return to;
  }

  /** Method and path, unless an entry has a field of that name. */
  #endpointPart(): Part {
    const endpoint = this.#fields.add("endpoint", { mayBeMissing: true });
    const method = this.#fields.add("method", { mayBeMissing: true });
    const path = this.#fields.add("path");
    return (parser, into, at) => {
      const slice = this.#slice;
      if (parser.get(endpoint, slice)) return cut(into, at, this.#copy(into, at));
      let to = at;
      if (parser.get(method, slice)) {
        to = cut(into, at, this.#copy(into, at));
        into[to++] = BYTE.space;
      }
      if (!this.#fields.get(parser, path, slice)) return writeNothing(into, at);
      return cut(into, at, this.#copy(into, to));
    };
  }

  /** `5xx` for a status of 503. */
  #classPart(): Part {
    const field = this.#fields.add("status");
    return (parser, into, at) => {
      if (!this.#fields.get(parser, field, this.#slice)) return writeNothing(into, at);
      into[at] = this.#slice.bytes[this.#slice.start] ?? 0;
      into.set(CLASS_END, at + 1);
      return at + 1 + CLASS_END.length;
    };
  }

  /** Levels by rein's own names, so that `WARN`, `warning` and 40 are one. */
  #levelPart(): Part {
    const field = this.#fields.add("level");
    const names = new Map<string, Uint8Array>();
    return (parser, into, at) => {
      if (!this.#fields.get(parser, field, this.#slice)) return writeNothing(into, at);
      const text = this.#slice.text();
      const name = names.get(text) ?? encoder.encode(levelName(text)).slice(0, MAX_PART_BYTES);
      if (names.size < 100) names.set(text, name);
      into.set(name, at);
      return at + name.length;
    };
  }

  /** Keeps what it worked out: the next entry is mostly of the same minute. */
  #timePart({ ms, chars }: { readonly ms: number; readonly chars: number }): Part {
    let [from, to] = [0, 0];
    let text: Uint8Array = new Uint8Array(0);
    return ({ atMs }, into, at) => {
      if (Number.isNaN(atMs)) return writeNothing(into, at);
      if (atMs < from || atMs >= to) {
        const shift = offsetAt(atMs, this.#zone) * 60_000;
        from = Math.floor((atMs + shift) / ms) * ms - shift;
        to = from + ms;
        text = encoder.encode(formatTime(from, this.#zone).slice(0, chars));
      }
      into.set(text, at);
      return at + text.length;
    };
  }
}
