/**
 * The state of a session, and its newest run, from its events.
 *
 * @module
 */

import type { Event } from "../events.ts";
import { apply, newRecord, type RunRecord } from "../record.ts";

/** Folds the events of a session into a record; a session without events gives a new one. */
export function restoreRecord(events: Iterable<Event>): RunRecord {
  const record = newRecord();
  for (const event of events) apply(record, event);
  return record;
}

/** The newest run of a session, or null before the first. */
export function lastRunOf(events: Iterable<Event>): string | null {
  let last: string | null = null;
  for (const { run_id } of events) last = run_id;
  return last;
}
