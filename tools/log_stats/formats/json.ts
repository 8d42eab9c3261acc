/**
 * JSON lines, the output of `journalctl -o json` among them.
 *
 * @module
 */

import { type FormatName, type LineParser, PARSED, type Parsed, Slice, textOf } from "../entry.ts";
import { namesFor } from "../names.ts";
import type { TimeReader } from "../time.ts";

type Fields = { readonly [name: string]: unknown };

/** Fields nested in fields are named like `http.status`, down to this depth. */
const MAX_DEPTH = 4;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseFields(bytes: Uint8Array, start: number, end: number): Fields | null {
  if (bytes[start] !== 123 /* { */) return null;
  try {
    const value: unknown = JSON.parse(textOf(bytes, start, end));
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

/** What a name stands for: a key with exactly that name, or a path of keys. */
function lookUp(fields: Fields, name: string, keys: readonly string[]): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  if (keys.length === 1) return undefined;
  let value: unknown = fields;
  for (const key of keys) value = isFields(value) ? value[key] : undefined;
  return value;
}

interface Name {
  readonly name: string;
  readonly keys: readonly string[];
}

function splitNames(field: string): readonly Name[] {
  return namesFor(field).map((name) => ({ name, keys: name.split(".", MAX_DEPTH) }));
}

/** Journald writes bytes that are no text as an array of numbers. */
function shown(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0)) {
    return textOf(Uint8Array.from(value), 0, value.length);
  }
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Parses each line as JSON; what is asked for is looked up. */
export class JsonParser implements LineParser {
  readonly format: FormatName;
  atMs = NaN;
  readonly #fields: readonly (readonly Name[])[];
  readonly #time = splitNames("time");
  readonly #times: TimeReader;
  readonly #timeText = new Slice();
  #entry: Fields = {};

  constructor(fields: readonly string[], times: TimeReader, format: FormatName = "json") {
    this.format = format;
    this.#fields = fields.map(splitNames);
    this.#times = times;
  }

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    const entry = parseFields(bytes, start, end);
    if (entry === null) return PARSED.no;
    this.#entry = entry;
    this.atMs = NaN;
    if (this.#find(this.#time, this.#timeText)) {
      const text = this.#timeText;
      this.atMs = this.#times.any(text.bytes, text.start, text.end);
    }
    return PARSED.entry;
  }

  finish(): Parsed {
    return PARSED.no;
  }

  names(): readonly string[] {
    return namesIn(this.#entry, "");
  }

  get(field: number, into: Slice): boolean {
    return this.#find(this.#fields[field] ?? [], into);
  }

  #find(names: readonly Name[], into: Slice): boolean {
    for (const { name, keys } of names) {
      const value = lookUp(this.#entry, name, keys);
      if (value !== undefined && value !== null) return into.setText(shown(value));
    }
    return false;
  }
}

function namesIn(fields: Fields, prefix: string): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    isFields(value) && prefix.split(".").length < MAX_DEPTH
      ? namesIn(value, `${prefix}${name}.`)
      : [prefix + name]
  );
}
