/**
 * Times as logs write them, read from bytes.
 *
 * @module
 */

import { BYTE, isDigit } from "./entry.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Bytes of a time in the common log format. */
const CLF_BYTES = 26;

/** An offset from UTC in minutes, or the zone of this machine where a log names none. */
export type Zone = number | "local";

const MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";

/** Letters of a month, packed, to its number from 0. */
const MONTH_BY_LETTERS: ReadonlyMap<number, number> = new Map(
  Array.from({ length: 12 }, (_, month) => {
    const [a, b, c] = [0, 1, 2].map((at) => MONTHS.charCodeAt(3 * month + at));
    return [pack(a ?? 0, b ?? 0, c ?? 0), month];
  }),
);

function pack(a: number, b: number, c: number): number {
  return (a << 16) | (b << 8) | c;
}

/** A number of exactly `count` digits, or NaN. */
function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = at; i < at + count; i++) {
    const digit = (bytes[i] ?? 0) - BYTE.zero;
    if (digit < 0 || digit > 9) return NaN;
    value = value * 10 + digit;
  }
  return value;
}

const UTC = pack(85, 84, 67);

function isUtc(bytes: Uint8Array, at: number): boolean {
  return pack(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0) === UTC;
}

/** A number of two digits, or NaN. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = (bytes[at] ?? 0) - BYTE.zero;
  const ones = (bytes[at + 1] ?? 0) - BYTE.zero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** Seconds, milli-, micro- or nanoseconds since 1970: whichever lie between 1973 and 2286. */
function epochMs(value: number): number {
  const found = [value * 1000, value, value / 1000, value / 1_000_000]
    .find((ms) => ms >= 1e11 && ms < 1e13);
  return found === undefined ? NaN : Math.floor(found + 0.001);
}

/** Reads times; keeps the last zone, and what it worked out for the last day. */
export class TimeReader {
  /** The zone of the last time that was read. */
  zone: Zone = "local";
  /** Where the last time that `any` read ends. */
  end = 0;
  readonly #now: Date;
  /** The last minute of the common log format, as it was written, and what it means. */
  readonly #minute = new Uint8Array(CLF_BYTES);
  #minuteMs = NaN;
  #minuteZone: Zone = 0;
  #dayKey = -1;
  #dayMs = NaN;
  #hourKey = -1;
  #hourMs = NaN;

  /** @param nowMs Gives the year to times without one. */
  constructor(nowMs: number) {
    this.#now = new Date(nowMs);
  }

  /** Reads `10/Mar/2026:14:07:16 +0000`, 26 bytes; NaN if that is not what stands there. */
  clf(bytes: Uint8Array, at: number): number {
    if (!this.#isSameMinute(bytes, at)) this.#readMinute(bytes, at);
    this.zone = this.#minuteZone;
    this.end = at + CLF_BYTES;
    const second = twoDigits(bytes, at + 18);
    return second <= 60 ? this.#minuteMs + second * 1000 : NaN;
  }

  /** Most lines are of the same minute as the one before: only the seconds differ. */
  #isSameMinute(bytes: Uint8Array, at: number): boolean {
    const minute = this.#minute;
    for (let i = 0; i < CLF_BYTES; i++) {
      if (bytes[at + i] !== minute[i] && i !== 18 && i !== 19) return false;
    }
    return true;
  }

  #readMinute(bytes: Uint8Array, at: number): void {
    this.#minute.set(bytes.subarray(at, at + CLF_BYTES));
    const day = this.#utcDay(
      digits(bytes, at + 7, 4),
      this.#month(bytes, at + 3),
      twoDigits(bytes, at),
    );
    const hour = twoDigits(bytes, at + 12);
    const minute = twoDigits(bytes, at + 15);
    const shift = this.#zoneShift(bytes, at + 21);
    this.#minuteZone = this.zone;
    this.#minuteMs = hour < 24 && minute < 60
      ? day + (hour * 60 + minute) * MINUTE_MS + shift
      : NaN;
  }

  /** Reads any known form that begins at `start`; NaN if there is none. */
  any(bytes: Uint8Array, start: number, end: number): number {
    const first = bytes[start] ?? 0;
    if (!isDigit(first)) return this.#named(bytes, start, end);
    const fifth = bytes[start + 4];
    if (fifth === BYTE.minus || fifth === BYTE.slash) return this.#iso(bytes, start, end);
    if (bytes[start + 2] === BYTE.slash && end - start >= 26) return this.clf(bytes, start);
    return this.#epoch(bytes, start, end);
  }

  /** `2026-03-10T14:07:16.123Z`; a blank for the T, slashes, a comma, and no zone will do. */
  #iso(bytes: Uint8Array, start: number, end: number): number {
    const [year, month, day] = [
      digits(bytes, start, 4),
      twoDigits(bytes, start + 5) - 1,
      twoDigits(bytes, start + 8),
    ];
    const clock = this.#clock(bytes, start + 11);
    this.end = start + 19;
    const fraction = this.#fraction(bytes, end);
    const blank = bytes[this.end] === BYTE.space ? 1 : 0;
    const shift = this.#zoneShift(bytes, this.end + blank);
    if (Number.isNaN(shift)) return this.#local(year, month, day, clock) + fraction;
    return this.#utcDay(year, month, day) + clock + fraction + shift;
  }

  /** `Mar 10 14:07:16`, or `Tue Mar 10 14:07:16.123456 2026`. */
  #named(bytes: Uint8Array, start: number, end: number): number {
    const hasYear = Number.isNaN(this.#month(bytes, start)) && bytes[start + 3] === BYTE.space;
    const from = hasYear ? start + 4 : start;
    const month = this.#month(bytes, from);
    if (Number.isNaN(month)) return NaN;
    const isPadded = bytes[from + 4] === BYTE.space;
    const day = isPadded ? digits(bytes, from + 5, 1) : twoDigits(bytes, from + 4);
    const clock = this.#clock(bytes, from + 7);
    this.end = from + 15;
    const fraction = this.#fraction(bytes, end);
    if (!hasYear) return this.#recent(month, day, clock) + fraction;
    const year = digits(bytes, this.end + 1, 4);
    this.end += 5;
    return this.#local(year, month, day, clock) + fraction;
  }

  #epoch(bytes: Uint8Array, start: number, end: number): number {
    let value = 0;
    let at = start;
    for (; at < end && isDigit(bytes[at]); at++) value = value * 10 + (bytes[at] ?? 0) - BYTE.zero;
    this.end = at;
    this.zone = 0;
    return epochMs(value) + this.#fraction(bytes, end);
  }

  /** A time without a year is the last such time before tomorrow. */
  #recent(month: number, day: number, clock: number): number {
    const year = this.#now.getFullYear();
    const ms = this.#local(year, month, day, clock);
    return ms > this.#now.getTime() + DAY_MS ? this.#local(year - 1, month, day, clock) : ms;
  }

  /** Milliseconds after a dot or comma at `this.end`, which moves on behind them. */
  #fraction(bytes: Uint8Array, end: number): number {
    const mark = bytes[this.end];
    if ((mark !== BYTE.dot && mark !== BYTE.comma) || !isDigit(bytes[this.end + 1])) return 0;
    let ms = 0;
    let unit = 100;
    for (this.end++; this.end < end && isDigit(bytes[this.end]); this.end++) {
      ms += ((bytes[this.end] ?? 0) - BYTE.zero) * unit;
      unit /= 10;
    }
    return Math.floor(ms + 1e-9);
  }

  #month(bytes: Uint8Array, at: number): number {
    const letters = pack(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
    return MONTH_BY_LETTERS.get(letters) ?? NaN;
  }

  /** `14:07:16` in milliseconds of the day. */
  #clock(bytes: Uint8Array, at: number): number {
    const hour = twoDigits(bytes, at);
    const minute = twoDigits(bytes, at + 3);
    const second = twoDigits(bytes, at + 6);
    if (!(hour < 24 && minute < 60 && second <= 60)) return NaN;
    return (hour * 60 + minute) * MINUTE_MS + second * 1000;
  }

  #signAt(bytes: Uint8Array, at: number): boolean {
    return (bytes[at] === BYTE.plus || bytes[at] === BYTE.minus) && isDigit(bytes[at + 1]);
  }

  /** Milliseconds to add for `Z`, `UTC`, `+0800`, `+08:00`; NaN if no zone stands there. */
  #zoneShift(bytes: Uint8Array, at: number): number {
    const letters = bytes[at] === 90 /* Z */ ? 1 : isUtc(bytes, at) ? 3 : 0;
    if (letters > 0) {
      this.zone = 0;
      this.end = at + letters;
      return 0;
    }
    if (!this.#signAt(bytes, at)) return NaN;
    const colon = bytes[at + 3] === BYTE.colon ? 1 : 0;
    const minutes = twoDigits(bytes, at + 1) * 60 + twoDigits(bytes, at + 3 + colon);
    this.zone = bytes[at] === BYTE.minus ? -minutes : minutes;
    this.end = at + 5 + colon;
    return -this.zone * MINUTE_MS;
  }

  /** Midnight in UTC; NaN for what is no date. Kept, since the next line is of the same day. */
  #utcDay(year: number, month: number, day: number): number {
    const key = (year * 12 + month) * 32 + day;
    if (key === this.#dayKey) return this.#dayMs;
    if (!(month >= 0 && month < 12 && day >= 1 && day <= 31)) return NaN;
    this.#dayKey = key;
    return this.#dayMs = Date.UTC(year, month, day);
  }

  /** A time of this machine's zone. */
  #local(year: number, month: number, day: number, clock: number): number {
    this.zone = "local";
    const hour = Math.floor(clock / (60 * MINUTE_MS));
    const key = ((year * 12 + month) * 32 + day) * 24 + hour;
    if (key !== this.#hourKey) {
      if (!(month >= 0 && month < 12 && day >= 1 && day <= 31)) return NaN;
      this.#hourKey = key;
      this.#hourMs = new Date(year, month, day, hour).getTime();
    }
    return this.#hourMs + clock - hour * 60 * MINUTE_MS;
  }
}

const encoder = new TextEncoder();

/**
 * Reads a time that a person wrote, such as `2026-03-10T14:00` or `2026-03-10 14:00:30+02:00`.
 *
 * @param zone Of a text that names none.
 * @returns Milliseconds since the epoch; NaN if it is no such time.
 */
export function parseTime(text: string, zone: Zone): number {
  const found = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?$/i
    .exec(text.trim());
  if (found === null) return NaN;
  const [, date, clock = "00:00", seconds = ":00", named = zone === "local" ? "" : offset(zone)] =
    found;
  const bytes = encoder.encode(`${date}T${clock}${seconds}${named.toUpperCase()}`);
  return new TimeReader(0).any(bytes, 0, bytes.length);
}

function offset(minutes: number): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** The offset of a zone at a time, in minutes. */
export function offsetAt(ms: number, zone: Zone): number {
  return zone === "local" ? -new Date(ms).getTimezoneOffset() : zone;
}

/** A time as ISO 8601 with its offset, to the second, or finer where the time is. */
export function formatTime(ms: number, zone: Zone): string {
  const minutes = offsetAt(ms, zone);
  const iso = new Date(ms + minutes * MINUTE_MS).toISOString();
  const shown = ms % 1000 === 0 ? iso.slice(0, 19) : iso.slice(0, 23);
  return shown + (minutes === 0 ? "Z" : offset(minutes));
}
