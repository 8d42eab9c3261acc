/**
 * What a call asks for, checked and worked out once.
 *
 * @module
 */

import type { RE2JS } from "re2js";
import type { ObservationError } from "../../lib/types.ts";
import { type Level, levelRank } from "./levels.ts";
import { parseTime, type Zone } from "./time.ts";

/** What the model may ask for; see the schema in `tools/log_stats.ts`. An empty text is none. */
export interface LogStatsArgs {
  readonly paths: readonly string[];
  readonly pattern?: string;
  readonly last?: string;
  readonly from?: string;
  readonly to?: string;
  readonly level?: Level;
  readonly status?: string;
  readonly text?: string;
  readonly group_by?: readonly string[];
  readonly normalize?: boolean;
  readonly top?: number;
  readonly percentiles_of?: string;
  readonly samples?: number;
}

/** Groups that are listed if a call does not say how many. */
export const DEFAULT_TOP = 10;

/** Sample lines that are shown if a call does not say how many. */
export const DEFAULT_SAMPLES = 3;

/** The arguments are no query; the message says what is wrong. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly error: ObservationError;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.error = { code, message, hint, retriable: false };
  }
}

/** Times from `fromMs` up to, but not including, `toMs`. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether it was counted back from the newest entry, which it ends with. */
  readonly endsWithNewest: boolean;
}

/** A query without its window, which depends on what the files hold. */
export interface Query {
  readonly pattern: RE2JS | null;
  /** Milliseconds to count back, or null. */
  readonly lastMs: number | null;
  /** The least level's rank, or null. */
  readonly level: number | null;
  /** Which status codes count, by code, or null for all. */
  readonly statuses: Uint8Array | null;
  readonly text: string | null;
  readonly groupBy: readonly string[];
  readonly normalize: boolean;
  readonly top: number;
  readonly percentilesOf: string | null;
  readonly samples: number;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

function parseDuration(text: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*(s|m|h|d|w)[a-z]*$/i.exec(text.trim());
  const [, amount = "", unit = ""] = found ?? [];
  const ms = Math.round(Number(amount) * (UNITS_MS[unit.toLowerCase()] ?? 0));
  if (found !== null && ms > 0) return ms;
  const message = `"last" is ${JSON.stringify(text)}, which is no length of time`;
  throw new QueryError("invalid_arguments", message, "Write it like 15m, 1h or 7d.");
}

/** Marks the codes of `5xx, 404, 400-403`. */
function parseStatuses(text: string): Uint8Array {
  const wanted = new Uint8Array(1000);
  for (const part of text.split(",")) {
    const found = /^\s*(?:([1-9])xx|(\d{3})(?:\s*-\s*(\d{3}))?)\s*$/i.exec(part);
    if (found === null) {
      const message = `"status" holds ${JSON.stringify(part.trim())}, which is no status`;
      throw new QueryError("invalid_arguments", message, "Write it like 5xx, 404 or 500-504.");
    }
    const [, kind, first, last = first] = found;
    const from = kind === undefined ? Number(first) : Number(kind) * 100;
    wanted.fill(1, from, kind === undefined ? Number(last) + 1 : from + 100);
  }
  return wanted;
}

async function compile(pattern: string): Promise<RE2JS> {
  const { RE2JS } = await import("re2js");
  try {
    const compiled = RE2JS.compile(pattern);
    if (Object.keys(compiled.namedGroups()).length > 0) return compiled;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const hint = "Use RE2 syntax: no look-around, no back-references.";
    throw new QueryError("invalid_pattern", `"pattern" can't be used: ${reason}`, hint);
  }
  const hint = String.raw`Name the fields: (?P<time>\S+ \S+) (?P<level>\w+) (?P<message>.*)`;
  throw new QueryError("invalid_pattern", `"pattern" has no named group`, hint);
}

/**
 * Checks the arguments as far as that needs no file.
 *
 * @throws {QueryError} If they are no query.
 */
export async function parseQuery(args: LogStatsArgs): Promise<Query> {
  if (args.last && args.from) {
    const hint = `Give "last" (and "to", if not to the newest entry), or "from" and "to".`;
    throw new QueryError("invalid_arguments", `"last" and "from" exclude each other`, hint);
  }
  return {
    pattern: args.pattern ? await compile(args.pattern) : null,
    lastMs: args.last ? parseDuration(args.last) : null,
    level: args.level === undefined ? null : levelRank(args.level),
    statuses: args.status ? parseStatuses(args.status) : null,
    text: args.text || null,
    groupBy: args.group_by ?? [],
    normalize: args.normalize ?? false,
    top: Math.max(1, args.top ?? DEFAULT_TOP),
    percentilesOf: args.percentiles_of || null,
    samples: Math.max(0, args.samples ?? DEFAULT_SAMPLES),
  };
}

function readTime(name: "from" | "to", text: string, now: { nowMs: number; zone: Zone }): number {
  if (text.trim().toLowerCase() === "now") return now.nowMs;
  const ms = parseTime(text, now.zone);
  if (!Number.isNaN(ms)) return ms;
  const message = `"${name}" is ${JSON.stringify(text)}, which is no time`;
  const hint = `Write it like 2026-03-10T14:00 or 2026-03-10T14:00:00+02:00, or "now".`;
  throw new QueryError("invalid_arguments", message, hint);
}

/**
 * The window that a call asks for.
 *
 * @param known The newest entry (NaN if there is none), the present, and the
 * zone of times that name none.
 * @returns Null if all entries are asked for, with or without a time.
 * @throws {QueryError} If it is no window.
 */
export function windowOf(
  args: LogStatsArgs,
  query: Query,
  known: { readonly newestMs: number; readonly nowMs: number; readonly zone: Zone },
): Window | null {
  const { from, to } = args;
  if (query.lastMs === null && !from && !to) return null;
  const untilMs = to ? readTime("to", to, known) : Infinity;
  if (query.lastMs !== null) {
    if (to) {
      return { fromMs: untilMs - query.lastMs, toMs: untilMs, endsWithNewest: false };
    }
    // The newest entry is in: with entries to the second, an hour is 3,600 seconds.
    const toMs = known.newestMs + 1;
    return { fromMs: toMs - query.lastMs, toMs, endsWithNewest: true };
  }
  const fromMs = from ? readTime("from", from, known) : -Infinity;
  if (fromMs < untilMs) return { fromMs, toMs: untilMs, endsWithNewest: false };
  const hint = `Give a "from" that is before "to".`;
  throw new QueryError("invalid_arguments", `"from" is not before "to"`, hint);
}

/** The window of the same length before; null where a window is open on one side. */
export function windowBefore({ fromMs, toMs, endsWithNewest }: Window): Window | null {
  const length = toMs - fromMs;
  if (!Number.isFinite(length)) return null;
  return { fromMs: fromMs - length, toMs: fromMs, endsWithNewest };
}
