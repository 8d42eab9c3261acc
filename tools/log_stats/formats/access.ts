/**
 * Access logs of nginx and Apache: common and combined, with or without a
 * virtual host in front and more fields behind.
 *
 * @module
 */

import { BYTE, isDigit, type LineParser, PARSED, type Parsed, type Slice } from "../entry.ts";
import { ownName } from "../names.ts";
import type { TimeReader } from "../time.ts";
import { closingQuote } from "./pairs.ts";

const FIELDS = [
  "ip",
  "user",
  "request",
  "method",
  "path",
  "protocol",
  "status",
  "bytes",
  "referrer",
  "agent",
  "duration",
  "host",
] as const;

type Field = (typeof FIELDS)[number];

/** Bytes from the bracket before the time to the quote before the request. */
const TIME_BYTES = 29;

/** Finds what is at fixed places in a line at once, and the rest when it is asked for. */
export class AccessParser implements LineParser {
  readonly format = "access";
  atMs = NaN;
  readonly #fields: readonly (Field | null)[];
  readonly #times: TimeReader;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  /** The bracket before the time. */
  #bracket = 0;
  /** The quote behind the request. */
  #quote = 0;

  constructor(fields: readonly string[], times: TimeReader) {
    this.#fields = fields.map((field) => ownName(field, FIELDS));
    this.#times = times;
  }

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    let at = start;
    while (at < end && !(bytes[at] === BYTE.openSquare && bytes[at + 27] === BYTE.closeSquare)) {
      at++;
    }
    if (bytes[at + TIME_BYTES] !== BYTE.quote || at + TIME_BYTES >= end) return PARSED.no;
    const quote = closingQuote(bytes, at + TIME_BYTES + 1, end);
    if (quote + 2 >= end || !isStatus(bytes, quote + 2)) return PARSED.no;
    this.atMs = this.#times.clf(bytes, at + 1);
    if (Number.isNaN(this.atMs)) return PARSED.no;
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#bracket = at;
    this.#quote = quote;
    return PARSED.entry;
  }

  finish(): Parsed {
    return PARSED.no;
  }

  names(): readonly string[] {
    return FIELDS;
  }

  get(field: number, into: Slice): boolean {
    const name = this.#fields[field] ?? null;
    switch (name) {
      case null:
        return false;
      case "status":
        return into.set(this.#bytes, this.#quote + 2, this.#quote + 5);
      case "request":
        return into.set(this.#bytes, this.#bracket + TIME_BYTES + 1, this.#quote);
      case "method":
      case "path":
      case "protocol":
        return this.#getRequest(name, into);
      case "ip":
      case "user":
      case "host":
        return this.#getFront(name, into);
      default:
        return this.#getBack(name, into);
    }
  }

  /** Of `GET /path HTTP/1.1`; a path may hold blanks. A malformed request has none of it. */
  #getRequest(name: "method" | "path" | "protocol", into: Slice): boolean {
    const start = this.#bracket + TIME_BYTES + 1;
    const first = find(this.#bytes, BYTE.space, start, this.#quote);
    if (first >= this.#quote || first === start) return false;
    if (name === "method") return into.set(this.#bytes, start, first);
    let last = this.#quote - 1;
    while (last > first && this.#bytes[last] !== BYTE.space) last--;
    if (last === first) last = this.#quote;
    if (name === "path") return into.set(this.#bytes, first + 1, last);
    return last < this.#quote && into.set(this.#bytes, last + 1, this.#quote);
  }

  /** Of `ip ident user` or `host:port ip ident user`. */
  #getFront(name: "ip" | "user" | "host", into: Slice): boolean {
    const words: number[] = [this.#start];
    for (let at = this.#start; at < this.#bracket - 1; at++) {
      if (this.#bytes[at] === BYTE.space) words.push(at + 1);
    }
    words.push(this.#bracket);
    const hosted = words.length > 4 ? 1 : 0;
    if (name === "host" && hosted === 0) return false;
    const word = name === "host" ? 0 : name === "ip" ? hosted : hosted + 2;
    const start = words[word] ?? this.#bracket;
    const end = name === "user" ? this.#bracket - 1 : (words[word + 1] ?? this.#bracket) - 1;
    return start < end && into.set(this.#bytes, start, end);
  }

  #getBack(name: "bytes" | "referrer" | "agent" | "duration", into: Slice): boolean {
    const bytes = this.#bytes;
    if (name === "duration" && this.#getLastWord(into)) return true;
    const start = this.#quote + 6;
    const end = find(bytes, BYTE.space, start, this.#end);
    if (name === "bytes") return isDigit(bytes[start]) && into.set(bytes, start, end);
    if (bytes[end + 1] !== BYTE.quote) return name === "duration" && this.#getDuration(end, into);
    const referrerEnd = closingQuote(bytes, end + 2, this.#end);
    if (name === "referrer") return into.set(bytes, end + 2, referrerEnd);
    const agent = referrerEnd + 3;
    if (bytes[agent - 1] !== BYTE.quote || agent > this.#end) return false;
    const agentEnd = closingQuote(bytes, agent, this.#end);
    if (name === "agent") return into.set(bytes, agent, agentEnd);
    return this.#getDuration(agentEnd + 1, into);
  }

  /** The usual place of the request time: one number behind the agent's quote. */
  #getLastWord(into: Slice): boolean {
    let start = this.#end;
    while (start > this.#quote && this.#bytes[start - 1] !== BYTE.space) start--;
    const isBehindQuote = this.#bytes[start - 2] === BYTE.quote && start - 2 > this.#quote;
    return isBehindQuote && isNumber(this.#bytes, start, this.#end) &&
      into.set(this.#bytes, start, this.#end);
  }

  /**
   * The request time among the words behind the known fields: the first that
   * is a number, bare, quoted, or behind `rt=` or the like.
   */
  #getDuration(from: number, into: Slice): boolean {
    const bytes = this.#bytes;
    for (let start = from; start < this.#end;) {
      const end = find(bytes, BYTE.space, start + 1, this.#end);
      let first = start;
      for (let at = start; at < end; at++) {
        if (bytes[at] === BYTE.equals || bytes[at] === BYTE.quote || bytes[at] === BYTE.space) {
          if (at < end - 1) first = at + 1;
        }
      }
      const last = bytes[end - 1] === BYTE.quote ? end - 1 : end;
      if (isNumber(bytes, first, last)) return into.set(bytes, first, last);
      start = end;
    }
    return false;
  }
}

/** Where a byte stands from `start` on, or `end`. */
function find(bytes: Uint8Array, byte: number, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at] !== byte) at++;
  return at;
}

function isStatus(bytes: Uint8Array, at: number): boolean {
  return isDigit(bytes[at]) && isDigit(bytes[at + 1]) && isDigit(bytes[at + 2]) &&
    !isDigit(bytes[at + 3]);
}

/** Digits with at most one dot between them. */
function isNumber(bytes: Uint8Array, start: number, end: number): boolean {
  let dots = 0;
  for (let at = start; at < end; at++) {
    if (bytes[at] === BYTE.dot && at > start) dots++;
    else if (!isDigit(bytes[at])) return false;
  }
  return end > start && dots <= 1;
}
