/**
 * From what was counted to what a model reads.
 *
 * @module
 */

import type { Json, JsonObject, ToolOutcome } from "../../lib/types.ts";
import { MAX_GROUPS } from "./groups.ts";
import { NO_VALUE, TIME_UNITS } from "./keys.ts";
import type { Log } from "./probe.ts";
import type { Distribution } from "./quantiles.ts";
import { type Query, type Window, windowBefore } from "./query.ts";
import type { Skipped } from "./sources.ts";
import type { Tally } from "./tally.ts";
import { formatTime, type Zone } from "./time.ts";

/** The data's length as JSON at the most, in characters; less than any tool's last resort. */
const MAX_DATA_CHARS = 6000;

/** Files that are named of those that were left out. */
const SKIPPED_NAMED = 5;

/** The share of a window without entries at its beginning that is worth a note. */
const LEAST_MISSED_SHARE = 0.02;

/** Shares of the percentiles that are given. */
const SHARES = [0.5, 0.9, 0.99] as const;
const SHARE_NAMES = ["p50", "p90", "p99"] as const;

/** A pass over the files and what it was about. */
export interface Coverage {
  readonly tally: Tally;
  readonly window: Window | null;
  readonly zone: Zone;
  /** Whether there was time for all of it. */
  readonly isWhole: boolean;
  readonly passes: number;
}

/** The files of a call. */
export interface FilesSeen {
  readonly logs: readonly Log[];
  readonly empty: number;
  readonly skipped: readonly Skipped[];
}

type Row = readonly Json[];

/** A number without digits that mean nothing. */
function round(value: number, digits = 6): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(digits)) : null;
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round(1000 * part / whole) / 10;
}

/** By how much more, in percent; null where there was nothing before. */
function change(now: number, before: number): number | null {
  return percent(now - before, before);
}

/** How many values there are is said only where some entries have none. */
function measured({ count, max, values }: Distribution, counts: boolean): Row {
  return [...(counts ? [count] : []), ...values.map((value) => round(value)), round(max)];
}

/** The largest groups; where time comes first, in the order of time. */
function topGroups(query: Query, tally: Tally): readonly number[] {
  const counted = Array.from({ length: tally.groups.size }, (_, group) => group)
    .filter((group) => tally.now.of(group) > 0)
    .sort((a, b) => tally.now.of(b) - tally.now.of(a) || a - b)
    .slice(0, query.top);
  if (TIME_UNITS[query.groupBy[0] ?? ""] === undefined) return counted;
  const keys = new Map(counted.map((group) => [group, tally.groups.values(group).join(" ")]));
  return counted.sort((a, b) => (keys.get(a) ?? "") < (keys.get(b) ?? "") ? -1 : 1);
}

function rowOf(query: Query, tally: Tally, group: number, compares: boolean): Row {
  const now = tally.now.of(group);
  const before = tally.before.of(group);
  return [
    ...tally.groups.values(group).map((value) => value === NO_VALUE ? null : value),
    now,
    percent(now, tally.matched),
    ...(compares ? [before, change(now, before)] : []),
    ...(query.percentilesOf === null
      ? []
      : measured(tally.quantiles.of(group, SHARES), tally.notNumeric > 0)),
  ];
}

function groupsOf(query: Query, tally: Tally, compares: boolean): JsonObject {
  if (query.groupBy.length === 0) return {};
  const values = tally.notNumeric > 0 ? ["values"] : [];
  const measures = query.percentilesOf === null ? [] : [...values, ...SHARE_NAMES, "max"];
  const compared = compares ? ["before", "change_pct"] : [];
  const distinct = Array.from({ length: tally.groups.size }, (_, group) => tally.now.of(group))
    .filter((count) => count > 0).length;
  return {
    groups: distinct,
    columns: [...query.groupBy, "count", "share_pct", ...compared, ...measures],
    rows: topGroups(query, tally).map((group) => rowOf(query, tally, group, compares)),
  };
}

function percentilesOf(query: Query, tally: Tally): JsonObject {
  const { percentilesOf: field } = query;
  if (field === null) return {};
  const { count, max, values } = tally.quantiles.all(SHARES);
  const named = values.map((value, i) => [SHARE_NAMES[i] ?? "", round(value)]);
  const error = `${round(100 * tally.quantiles.error, 2)} %`;
  const all = { field, values: count, ...Object.fromEntries(named), max: round(max) };
  return { percentiles: { ...all, error_at_most: error } };
}

/** From the first time that is in to the first that is not, or after one time up to another. */
function windowsOf(window: Window | null, zone: Zone): JsonObject {
  if (window === null) return {};
  const before = windowBefore(window);
  const [from, to] = window.endsWithNewest ? ["after", "through"] : ["from", "before"];
  const shift = window.endsWithNewest ? -1 : 0;
  const shown = (ms: number) => Number.isFinite(ms) ? formatTime(ms + shift, zone) : null;
  return {
    window: { [from ?? ""]: shown(window.fromMs), [to ?? ""]: shown(window.toMs) },
    ...(before === null ? {} : { compared_with: "the same length of time before" }),
  };
}

function coversOf({ firstMs, lastMs }: Tally, zone: Zone): JsonObject {
  if (!(firstMs <= lastMs)) return {};
  return { covers: { first: formatTime(firstMs, zone), last: formatTime(lastMs, zone) } };
}

function filesOf({ logs, empty, skipped }: FilesSeen): JsonObject {
  const formats: Record<string, number> = {};
  for (const { format } of logs) formats[format] = (formats[format] ?? 0) + 1;
  const named = skipped.slice(0, SKIPPED_NAMED).map(({ path, reason }) => `${path}: ${reason}`);
  const more = skipped.length - named.length;
  return {
    files: logs.length + empty,
    formats,
    ...(skipped.length === 0 ? {} : { skipped: more > 0 ? [...named, `${more} more`] : named }),
  };
}

function linesOf(tally: Tally, compares: boolean): JsonObject {
  const { read, notParsed, withoutTime, inWindow, matched, matchedBefore } = tally;
  return {
    lines: {
      read,
      not_parsed: notParsed,
      ...(withoutTime === 0 ? {} : { without_time: withoutTime }),
      ...(tally.hasWindow ? { in_window: inWindow } : {}),
      matched,
      ...(compares
        ? { matched_before: matchedBefore, change_pct: change(matched, matchedBefore) }
        : {}),
    },
  };
}

function notesOf(query: Query, { tally, window, isWhole, passes }: Coverage): readonly string[] {
  const notes: string[] = [];
  if (!isWhole) notes.push("Stopped before the end: these counts are of a part only.");
  if (passes > 1) notes.push("The entries are not in order of time, so all was read twice.");
  if (tally.ungrouped > 0) {
    const what = `More than ${MAX_GROUPS} groups: ${tally.ungrouped} entries of later ones are in`;
    notes.push(`${what} no row. Use normalize, or fewer fields.`);
  }
  if (tally.notNumeric > 0) {
    notes.push(`${tally.notNumeric} matched entries have no number in ${query.percentilesOf}.`);
  }
  const before = window && windowBefore(window);
  if (before && Number.isFinite(tally.firstMs) && missesMuch(before, tally.firstMs)) {
    notes.push("The window before is not covered from its beginning; before counts too little.");
  }
  return notes;
}

/** A log that begins a moment after a window does covers it. */
function missesMuch({ fromMs, toMs }: Window, firstMs: number): boolean {
  return firstMs - fromMs > Math.max(1000, LEAST_MISSED_SHARE * (toMs - fromMs));
}

/** Leaves out rows and then samples until all of it is short enough. */
function fit(data: JsonObject, samples: readonly Json[]): JsonObject {
  const rows = Array.isArray(data["rows"]) ? data["rows"] : [];
  for (let left = rows.length, lines = samples.length;;) {
    const whole = {
      ...data,
      ...(left < rows.length
        ? { rows: rows.slice(0, left), rows_not_shown: rows.length - left }
        : {}),
      ...(lines === 0 ? {} : { samples: samples.slice(0, lines) }),
    };
    if (JSON.stringify(whole).length <= MAX_DATA_CHARS || (left <= 1 && lines === 0)) return whole;
    if (lines > 1 || left <= 1) lines--;
    else left--;
  }
}

/**
 * The outcome of a call: one JSON object of at most about 6,000 characters.
 * Rows are arrays under `columns`; `before` and `change_pct` compare with the
 * window of the same length before.
 */
export function report(query: Query, coverage: Coverage, files: FilesSeen): ToolOutcome {
  const { tally, window, zone } = coverage;
  const compares = window !== null && windowBefore(window) !== null;
  const notes = notesOf(query, coverage);
  const broken = tally.broken.lines();
  const data = {
    ...filesOf(files),
    ...linesOf(tally, compares),
    ...coversOf(tally, zone),
    ...windowsOf(window, zone),
    ...(notes.length === 0 ? {} : { notes }),
    ...(broken.length === 0 ? {} : { not_parsed_samples: broken }),
    ...percentilesOf(query, tally),
    ...groupsOf(query, tally, compares),
  };
  const { matched, read } = tally;
  return {
    ok: true,
    data: fit(data, tally.samples.lines()),
    summary: `${matched} of ${read} ${read === 1 ? "entry" : "entries"}`,
  };
}
