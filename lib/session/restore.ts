/**
 * The state of a session from its events.
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
