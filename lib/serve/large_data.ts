/**
 * Data that is too large for a result: the first things stay, all of it becomes an attachment.
 *
 * @module
 */

import type { Attachment, ResultEnvelope, TaskData } from "../delegate/types.ts";
import { limitText } from "../results/head_tail.ts";
import type { Json } from "../types.ts";

/** Bytes of data that go into a result whole. Source: issue 8. */
export const MAX_DATA_BYTES = 32_000;

/** Bytes of what stays where there is more; it is read by a model. */
const KEPT_BYTES = 16_000;

/** Characters of a summary that is itself too long. */
const SUMMARY = { head: 3_000, tail: 1_000 };

/** The name of the attachment. */
const NAME = "data.json";

/** A result with what does not go into it. */
export interface FittedResult {
  readonly result: ResultEnvelope;
  /** What is to be kept beside it; null: all of it went in. */
  readonly attachment: { readonly name: string; readonly bytes: Uint8Array } | null;
}

const encoder = new TextEncoder();

function bytesOf(value: Json | undefined): number {
  return encoder.encode(JSON.stringify(value) ?? "").length;
}

/** As many of the first items as fit. */
function firstItems(items: readonly Json[], bytes: number): readonly Json[] {
  let left = bytes;
  const end = items.findIndex((item) => (left -= bytesOf(item) + 1) < 0);
  return end === -1 ? items : items.slice(0, end);
}

/** The summary, the first of the top items, and small fields, as far as they fit. */
function shortened(data: TaskData): TaskData {
  const { summary, top_items: top, ...rest } = data as TaskData & { readonly top_items?: Json };
  const kept: { [name: string]: Json } = {
    ...(Array.isArray(top) ? { top_items: firstItems(top, KEPT_BYTES / 2) } : {}),
  };
  const left: string[] = [];
  for (const [name, value] of Object.entries(rest)) {
    if (bytesOf(kept) + bytesOf(value) > KEPT_BYTES) left.push(name);
    else kept[name] = value;
  }
  const cut = left.length === 0 ? {} : { left_out: left };
  return { summary: limitText(summary, SUMMARY).text, ...kept, ...cut };
}

/**
 * Makes a result fit.
 *
 * @param urlOf Where an attachment can be fetched, by its name.
 */
export function fitted(
  result: ResultEnvelope,
  urlOf: (name: string) => string,
): FittedResult {
  const { data } = result;
  if (data === null || bytesOf(data) <= MAX_DATA_BYTES) return { result, attachment: null };
  const bytes = encoder.encode(`${JSON.stringify(data, null, 1)}\n`);
  const reference: Attachment = {
    name: NAME,
    media_type: "application/json",
    url: urlOf(NAME),
    bytes: bytes.length,
  };
  return {
    result: { ...result, data: shortened(data), attachments: [reference] },
    attachment: { name: NAME, bytes },
  };
}
