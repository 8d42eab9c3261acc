/**
 * Envelopes as text.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";
import type { ResultEnvelope, TaskData, TaskEnvelope } from "./types.ts";

/** Data with what a reader wants first in front: its summary, then its top items. */
export function orderedData(data: TaskData): TaskData {
  const { summary, top_items: top, ...rest } = data as JsonObject & { readonly summary: string };
  return { summary, ...(top === undefined ? {} : { top_items: top }), ...rest };
}

/** A task as one line of JSON, without a line end. */
export function taskText(task: TaskEnvelope): string {
  return JSON.stringify(task);
}

/** A result as one line of JSON, without a line end; its fields in the order of the schema. */
export function resultText(result: ResultEnvelope): string {
  const { task_id, protocol, status, data, ...rest } = result;
  const ordered = data === null ? null : orderedData(data);
  return JSON.stringify({ task_id, protocol, status, data: ordered, ...rest });
}
