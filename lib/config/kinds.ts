/**
 * The kinds of values that settings take: how each is written in a file, in an environment
 * variable and behind a flag.
 *
 * @module
 */

import type { Json, JsonObject } from "../types.ts";

/** One kind of value. What does not fit is undefined. */
export interface Kind<T> {
  /** Completes "It takes …". */
  readonly wanted: string;
  /** What a file may hold; draft 7 of JSON Schema. */
  readonly schema: JsonObject;
  /** Reads what a file holds; it takes what the schema admits, or less. */
  fromFile(value: unknown): T | undefined;
  /** Reads an environment variable or the argument of a flag. */
  fromText(text: string): T | undefined;
  /** The value as a file would hold it. */
  toFile(value: T): Json;
}

/** The bounds of a number. */
interface Bounds {
  readonly from: number;
  /** Null: any larger one. */
  readonly to: number | null;
}

/** The word that stands for null in a file, a variable or behind a flag. */
const NONE = "none";

function within(value: number, { from, to }: Bounds): boolean {
  return value >= from && (to === null || value <= to);
}

function numberOf(text: string): number {
  return text.trim() === "" ? NaN : Number(text);
}

function boundsText({ from, to }: Bounds): string {
  return to === null ? `from ${from}` : `from ${from} to ${to}`;
}

function boundsSchema({ from, to }: Bounds): JsonObject {
  return { minimum: from, ...(to === null ? {} : { maximum: to }) };
}

/** Whole numbers within bounds. */
export function whole(bounds: Bounds): Kind<number> {
  const checked = (value: unknown) =>
    Number.isSafeInteger(value) && within(Number(value), bounds) ? Number(value) : undefined;
  return {
    wanted: `a whole number ${boundsText(bounds)}`,
    schema: { type: "integer", ...boundsSchema(bounds) },
    fromFile: checked,
    fromText: (text) => checked(numberOf(text)),
    toFile: (value) => value,
  };
}

/** Numbers within bounds. */
export function real(bounds: Bounds): Kind<number> {
  const checked = (value: unknown) =>
    typeof value === "number" && Number.isFinite(value) && within(value, bounds)
      ? value
      : undefined;
  return {
    wanted: `a number ${boundsText(bounds)}`,
    schema: { type: "number", ...boundsSchema(bounds) },
    fromFile: checked,
    fromText: (text) => checked(numberOf(text)),
    toFile: (value) => value,
  };
}

/** Hours, minutes and seconds, each with its letter, in this order. */
const TIME = /^(?=\d)(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9})s)?$/;

/** A bare number of seconds. */
const SECONDS = /^\d{1,9}(\.\d{1,3})?$/;

/** The longest time in milliseconds: 24 days, since the runtime's timers end at 2^31 ms. */
const MAX_TIME_MS = 24 * 24 * 3600 * 1000;

function msOfText(text: string): number | undefined {
  const trimmed = text.trim();
  if (SECONDS.test(trimmed)) return checkedMs(Number(trimmed) * 1000);
  const parts = TIME.exec(trimmed);
  if (parts === null) return undefined;
  const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return checkedMs((((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0)) * 1000);
}

function checkedMs(ms: number): number | undefined {
  const rounded = Math.round(ms);
  return rounded >= 1 && rounded <= MAX_TIME_MS ? rounded : undefined;
}

/** A time such as `1h30m`, or a number of seconds where it is not whole. */
function timeText(ms: number): Json {
  if (ms % 1000 !== 0) return ms / 1000;
  const seconds = ms / 1000;
  const parts = [[Math.floor(seconds / 3600), "h"], [Math.floor(seconds / 60) % 60, "m"], [
    seconds % 60,
    "s",
  ]];
  return parts.filter(([count]) => count !== 0).map((part) => part.join("")).join("");
}

/** Times, in milliseconds; written as `90s`, `10m`, `1h30m` or in seconds. */
export const TIME_SPAN: Kind<number> = {
  wanted: "a time such as 90s, 10m or 1h30m, or seconds, of 24 days at the most",
  schema: {
    anyOf: [
      { type: "number", exclusiveMinimum: 0, maximum: MAX_TIME_MS / 1000 },
      { type: "string", pattern: `${TIME.source}|${SECONDS.source}` },
    ],
  },
  fromFile: (value) => {
    if (typeof value === "number") return checkedMs(value * 1000);
    return typeof value === "string" ? msOfText(value) : undefined;
  },
  fromText: msOfText,
  toFile: timeText,
};

/** What a yes or a no may be called in a variable. */
const SWITCH_WORDS: { readonly [word: string]: boolean } = {
  true: true,
  yes: true,
  "1": true,
  false: false,
  no: false,
  "0": false,
};

/** Yes or no. */
export const SWITCH: Kind<boolean> = {
  wanted: "true or false",
  schema: { type: "boolean" },
  fromFile: (value) => typeof value === "boolean" ? value : undefined,
  fromText: (text) => {
    const word = text.trim().toLowerCase();
    return Object.hasOwn(SWITCH_WORDS, word) ? SWITCH_WORDS[word] : undefined;
  },
  toFile: (value) => value,
};

/** One of a few words. */
export function choice<T extends string>(...words: readonly T[]): Kind<T> {
  const found = (value: unknown) => words.find((word) => word === value);
  return {
    wanted: `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
    schema: { enum: [...words] },
    fromFile: found,
    fromText: (text) => found(text.trim().toLowerCase()),
    toFile: (value) => value,
  };
}

/** One line that is not blank. */
const LINE = /^(?=.*\S)\P{Cc}+$/u;

function lineOf(value: unknown): string | undefined {
  return typeof value === "string" && LINE.test(value) ? value : undefined;
}

/** One line of text, or null. */
export const NAME: Kind<string | null> = {
  wanted: "a name in one line",
  schema: { type: ["string", "null"], pattern: LINE.source },
  fromFile: (value) => value === null ? null : lineOf(value),
  fromText: (text) => lineOf(text.trim()),
  toFile: (value) => value,
};

function addressOf(value: unknown): string | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url !== null && /^https?:$/.test(url.protocol) ? `${value}` : undefined;
}

/** An address as it may be shown: without a password, and without keys among its parameters. */
export function shownAddress(address: string): string {
  return address.replace(/\/\/[^/?#\s]*@/, "//***@")
    .replace(/([?&][^=&#]*(?:key|token|secret|sig|password)[^=&#]*=)[^&#]*/gi, "$1***");
}

/** The address of a server, or null. */
export const ADDRESS: Kind<string | null> = {
  wanted: "an http address such as http://127.0.0.1:11434/v1",
  schema: { type: ["string", "null"], pattern: "^[hH][tT][tT][pP][sS]?:" },
  fromFile: (value) => value === null ? null : addressOf(value),
  fromText: (text) => addressOf(text.trim()),
  toFile: (value) => value,
};

/** A kind that may also be `none`: no bound, or what rein knows itself. */
export function orNone<T>(kind: Kind<T>): Kind<T | null> {
  return {
    wanted: `${kind.wanted}, or ${NONE}`,
    schema: { anyOf: [kind.schema, { enum: [null, NONE] }] },
    fromFile: (value) => value === null || value === NONE ? null : kind.fromFile(value),
    fromText: (text) => text.trim().toLowerCase() === NONE ? null : kind.fromText(text),
    toFile: (value) => value === null ? null : kind.toFile(value),
  };
}
