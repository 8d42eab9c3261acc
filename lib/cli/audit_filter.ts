/**
 * Which entries of the audit log are wanted.
 *
 * @module
 */

import type { AuditEntry } from "../audit/entry.ts";
import { message } from "../messages/messages.ts";
import { UsageError } from "./failure.ts";

/** The conditions of a command line; an entry has to meet all of them. */
export interface FilterOptions {
  readonly run?: string;
  readonly session?: string;
  readonly tool?: string;
  readonly decision?: string;
  readonly status?: string;
  /** A name or a number. */
  readonly user?: string;
  readonly since?: string;
  readonly until?: string;
}

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** A day, or a day with a time; local where it names no zone. */
const MOMENT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * A moment as people write it.
 *
 * @param text `2026-11-29`, `2026-11-29 12:00`, ISO 8601, or how long ago: `90s`, `30m`, `2h`, `7d`.
 * @returns Milliseconds since the epoch.
 * @throws {UsageError} If it is none.
 */
export function momentOf(text: string, option: string, nowMs: number): number {
  const [, count, unit] = /^(\d+)([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs - Number(count) * (UNITS[unit ?? ""] ?? 0);
  // A day alone would count from midnight in Greenwich.
  const whole = text.length === 10 ? `${text}T00:00` : text.replace(" ", "T");
  const ms = MOMENT.test(text) ? Date.parse(whole) : NaN;
  if (!Number.isNaN(ms)) return ms;
  const wrong = message("audit.no_moment", { text, option });
  throw new UsageError(wrong, message("audit.no_moment_hint"));
}

/** What an entry was decided to be, or ended as; null where it tells of no such thing. */
function decisionOf(entry: AuditEntry): string | null {
  if (entry.kind === "call_judged") return entry.evaluation.decision;
  return entry.kind === "call_finished" ? entry.decision : null;
}

function statusOf(entry: AuditEntry): readonly (string | null)[] {
  if (entry.kind === "call_finished") return [entry.status];
  return entry.kind === "run_finished" ? [entry.status, entry.stop_reason] : [];
}

function isOf({ user: { uid, name } }: AuditEntry, wanted: string): boolean {
  return name === wanted || uid !== null && String(uid) === wanted;
}

/** Whether an entry is wanted. */
export type EntryFilter = (entry: AuditEntry) => boolean;

/**
 * Builds the filter of a command line.
 *
 * @throws {UsageError} If a moment is none.
 */
export function filterOf(options: FilterOptions, nowMs: number): EntryFilter {
  const { run, session, tool, decision, status, user, since, until } = options;
  const tests: EntryFilter[] = [];
  if (run !== undefined) tests.push((entry) => entry.run_id === run || entry.trace_id === run);
  if (session !== undefined) tests.push((entry) => entry.session === session);
  if (tool !== undefined) tests.push((entry) => "tool" in entry && entry.tool === tool);
  if (decision !== undefined) tests.push((entry) => decisionOf(entry) === decision);
  if (status !== undefined) tests.push((entry) => statusOf(entry).includes(status));
  if (user !== undefined) tests.push((entry) => isOf(entry, user));
  if (since !== undefined) {
    const from = momentOf(since, "--since", nowMs);
    tests.push(({ at }) => Date.parse(at) >= from);
  }
  if (until !== undefined) {
    const to = momentOf(until, "--until", nowMs);
    tests.push(({ at }) => Date.parse(at) <= to);
  }
  return (entry) => tests.every((test) => test(entry));
}
