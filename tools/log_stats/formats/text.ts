/**
 * Lines that begin with a time: syslog in its three forms, and any program's
 * own log with a time and, near it, a level.
 *
 * @module
 */

import {
  BYTE,
  isDigit,
  type LineParser,
  PARSED,
  type Parsed,
  type Slice,
  textOf,
} from "../entry.ts";
import { ownName } from "../names.ts";
import type { TimeReader } from "../time.ts";

const SYSLOG_FIELDS = ["level", "host", "app", "pid", "message", "facility"] as const;

const SEVERITIES = ["emerg", "alert", "crit", "err", "warning", "notice", "info", "debug"] as const;

const LEVEL_WORD =
  /(?<![A-Za-z0-9_])(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERR(?:OR)?|SEVERE|CRIT(?:ICAL)?|ALERT|EMERG|FATAL|PANIC)(?![A-Za-z0-9_])/i;

/** Where the fields of a syslog line are: start and end, -1 where there is none. */
type Span = [number, number];

/** syslog: RFC 5424, RFC 3164, and the same with ISO times as rsyslog writes files. */
export class SyslogParser implements LineParser {
  readonly format = "syslog";
  atMs = NaN;
  readonly #fields: readonly ((typeof SYSLOG_FIELDS)[number] | null)[];
  readonly #times: TimeReader;
  #bytes: Uint8Array = new Uint8Array(0);
  /** Facility and severity in one number, or -1. */
  #priority = -1;
  #host: Span = [0, 0];
  #app: Span = [0, 0];
  #pid: Span = [0, 0];
  #message: Span = [0, 0];

  constructor(fields: readonly string[], times: TimeReader) {
    this.#fields = fields.map((field) => ownName(field, SYSLOG_FIELDS));
    this.#times = times;
  }

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    this.#bytes = bytes;
    const header = this.#readPriority(start, end);
    // Only rsyslog's files have ISO times without a priority, and those have the T.
    const isOther = this.#priority < 0 && isDigit(bytes[header]) &&
      bytes[header + 10] !== 84 /* T */;
    if (isOther) return PARSED.no;
    const versioned = this.#priority >= 0 && bytes[header] === 49 /* 1 */ &&
      bytes[header + 1] === BYTE.space;
    const time = versioned ? header + 2 : header;
    this.atMs = this.#times.any(bytes, time, end);
    if (Number.isNaN(this.atMs)) return PARSED.no;
    const rest = this.#times.end + 1;
    if (bytes[rest - 1] !== BYTE.space || rest >= end) return PARSED.no;
    this.#host = this.#word(rest, end);
    if (this.#priority < 0 && isDigit(bytes[time]) && this.#isLevel(this.#host)) return PARSED.no;
    return versioned ? this.#rfc5424(end) : this.#rfc3164(end);
  }

  finish(): Parsed {
    return PARSED.no;
  }

  names(): readonly string[] {
    return SYSLOG_FIELDS;
  }

  get(field: number, into: Slice): boolean {
    const name = this.#fields[field] ?? null;
    if (name === null) return false;
    if (name === "level" || name === "facility") {
      if (this.#priority < 0) return false;
      if (name === "facility") return into.setText(String(this.#priority >> 3));
      return into.setText(SEVERITIES[this.#priority & 7] ?? "");
    }
    const [start, end] = this.#span(name);
    return start < end && into.set(this.#bytes, start, end);
  }

  #span(name: "host" | "app" | "pid" | "message"): Span {
    return { host: this.#host, app: this.#app, pid: this.#pid, message: this.#message }[name];
  }

  /** Takes `<34>`, if it stands there; returns where the rest begins. */
  #readPriority(start: number, end: number): number {
    this.#priority = -1;
    if (this.#bytes[start] !== BYTE.less) return start;
    let value = 0;
    let at = start + 1;
    for (; at < end && isDigit(this.#bytes[at]) && value < 1000; at++) {
      value = value * 10 + (this.#bytes[at] ?? 0) - BYTE.zero;
    }
    if (this.#bytes[at] !== BYTE.greater) return start;
    this.#priority = value;
    return at + 1;
  }

  /** Other programs' lines have a level where syslog has the host. */
  #isLevel([start, end]: Span): boolean {
    return end - start < 12 && LEVEL_WORD.test(textOf(this.#bytes, start, end));
  }

  #word(start: number, end: number): Span {
    let at = start;
    while (at < end && this.#bytes[at] !== BYTE.space) at++;
    return [start, at];
  }

  /** `app procid msgid [data] message` behind the host. */
  #rfc5424(end: number): Parsed {
    this.#app = this.#word(this.#host[1] + 1, end);
    this.#pid = this.#word(this.#app[1] + 1, end);
    const id = this.#word(this.#pid[1] + 1, end);
    if (id[0] >= id[1]) return PARSED.no;
    if (this.#bytes[this.#pid[0]] === BYTE.minus) this.#pid = [0, 0];
    this.#message = [this.#skipData(id[1] + 1, end), end];
    return PARSED.entry;
  }

  /** Behind `-` or `[id key="a ] b"][id …]`. */
  #skipData(start: number, end: number): number {
    if (this.#bytes[start] !== BYTE.openSquare) return Math.min(this.#word(start, end)[1] + 1, end);
    let quoted = false;
    let at = start;
    for (; at < end; at++) {
      const byte = this.#bytes[at];
      if (quoted && byte === BYTE.backslash) at++;
      else if (byte === BYTE.quote) quoted = !quoted;
      else if (!quoted && byte === BYTE.closeSquare && this.#bytes[at + 1] !== BYTE.openSquare) {
        break;
      }
    }
    return Math.min(at + 2, end);
  }

  /** `app[pid]: message` behind the host; an app's name ends before `[`, `:` or a blank. */
  #rfc3164(end: number): Parsed {
    const start = this.#host[1] + 1;
    let at = start;
    while (at < end && !isTagEnd(this.#bytes[at])) at++;
    if (at >= end || at === start) return PARSED.no;
    this.#app = [start, at];
    this.#pid = [0, 0];
    if (this.#bytes[at] === BYTE.openSquare) {
      const open = at + 1;
      while (at < end && this.#bytes[at] !== BYTE.closeSquare) at++;
      this.#pid = [open, at++];
    }
    if (this.#bytes[at] !== BYTE.colon) return PARSED.no;
    this.#message = [Math.min(this.#bytes[at + 1] === BYTE.space ? at + 2 : at + 1, end), end];
    return PARSED.entry;
  }
}

function isTagEnd(byte: number | undefined): boolean {
  return byte === BYTE.openSquare || byte === BYTE.colon || byte === BYTE.space;
}

const PLAIN_FIELDS = ["level", "message"] as const;

/** How far behind the time a level is looked for, in bytes. */
const LEVEL_BYTES = 80;

/** Any program's lines: a time first, perhaps in brackets; a level; the rest is the message. */
export class PlainParser implements LineParser {
  readonly format = "plain";
  atMs = NaN;
  readonly #fields: readonly ((typeof PLAIN_FIELDS)[number] | null)[];
  readonly #times: TimeReader;
  #bytes: Uint8Array = new Uint8Array(0);
  #rest = 0;
  #end = 0;

  constructor(fields: readonly string[], times: TimeReader) {
    this.#fields = fields.map((field) => ownName(field, PLAIN_FIELDS));
    this.#times = times;
  }

  parse(bytes: Uint8Array, start: number, end: number): Parsed {
    const bracket = bytes[start] === BYTE.openSquare ? 1 : 0;
    this.atMs = this.#times.any(bytes, start + bracket, end);
    if (Number.isNaN(this.atMs) || this.#times.end > end) return PARSED.no;
    this.#bytes = bytes;
    this.#rest = Math.min(this.#times.end + bracket, end);
    while (this.#rest < end && bytes[this.#rest] === BYTE.space) this.#rest++;
    this.#end = end;
    return PARSED.entry;
  }

  finish(): Parsed {
    return PARSED.no;
  }

  names(): readonly string[] {
    return PLAIN_FIELDS;
  }

  get(field: number, into: Slice): boolean {
    const name = this.#fields[field] ?? null;
    if (name === null) return false;
    if (name === "message") return into.set(this.#bytes, this.#rest, this.#end);
    const stop = Math.min(this.#rest + LEVEL_BYTES, this.#end);
    // One character a byte, so that places in the text are places in the bytes.
    const text = String.fromCharCode(...this.#bytes.subarray(this.#rest, stop));
    const found = LEVEL_WORD.exec(text);
    return found !== null && into.setText(found[0].toLowerCase());
  }
}
