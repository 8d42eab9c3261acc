/**
 * The fields that a query needs, and which of them were ever there.
 *
 * @module
 */

import type { LineParser, Slice } from "./entry.ts";

/** Fields in the order in which parsers are made for them. */
export class FieldList {
  readonly names: string[] = [];
  readonly #wanted = new Set<string>();
  /** Whether each was asked for, and whether it was ever there. */
  readonly #asked: boolean[] = [];
  readonly #found: boolean[] = [];

  /** Adds a field, or finds it; unless it may be missing, never finding it is an error. */
  add(name: string, { mayBeMissing = false } = {}): number {
    if (!mayBeMissing) this.#wanted.add(name);
    const known = this.names.indexOf(name);
    return known < 0 ? this.names.push(name) - 1 : known;
  }

  /** Cuts a field out of a parser's entry. */
  get(parser: LineParser, field: number, into: Slice): boolean {
    const found = parser.get(field, into);
    this.#asked[field] = true;
    if (found) this.#found[field] = true;
    return found;
  }

  /** Fields that were asked for in some entry and that no entry had. */
  missing(): readonly string[] {
    return this.names.filter((name, field) =>
      this.#wanted.has(name) && this.#asked[field] && !this.#found[field]
    );
  }
}
