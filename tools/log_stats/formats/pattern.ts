/**
 * Lines of a form that the caller describes: a regular expression with named
 * groups.
 *
 * @module
 */

import type { RE2JS } from "re2js";
import { type LineParser, PARSED, type Parsed, type Slice, textOf } from "../entry.ts";
import { ownName } from "../names.ts";
import type { TimeReader } from "../time.ts";

const encoder = new TextEncoder();

/** Matches each line; RE2 takes time in proportion to the line, whatever the pattern. */
export class PatternParser implements LineParser {
  readonly format = "pattern";
  atMs = NaN;
  readonly #pattern: RE2JS;
  readonly #names: readonly string[];
  readonly #fields: readonly (string | null)[];
  readonly #time: string | null;
  readonly #times: TimeReader;
  #groups: ReadonlyMap<string, string | null> = new Map();

  constructor(fields: readonly string[], times: TimeReader, pattern: RE2JS) {
    this.#pattern = pattern;
    this.#names = Object.keys(pattern.namedGroups());
    this.#fields = fields.map((field) => ownName(field, this.#names));
    this.#time = ownName("time", this.#names);
    this.#times = times;
  }

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    const matcher = this.#pattern.matcher(textOf(bytes, start, end));
    if (!matcher.find()) return PARSED.no;
    this.#groups = new Map(this.#names.map((name) => [name, matcher.group(name)]));
    const time = encoder.encode(this.#groups.get(this.#time ?? "") ?? "");
    this.atMs = this.#times.any(time, 0, time.length);
    return PARSED.entry;
  }

  finish(): Parsed {
    return PARSED.no;
  }

  names(): readonly string[] {
    return this.#names;
  }

  get(field: number, into: Slice): boolean {
    const value = this.#groups.get(this.#fields[field] ?? "") ?? null;
    return value !== null && into.setText(value);
  }
}
