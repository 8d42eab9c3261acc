/**
 * What makes a task this one and no other.
 *
 * @module
 */

import { canonicalText } from "../calls/canonical_text.ts";
import { createHash } from "node:crypto";
import type { TaskEnvelope } from "../delegate/types.ts";

/** SHA-256 of a text, in hexadecimal. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * The hash of what is asked. Times, depth and callback are no part of it: a task that is sent again
 * is the same.
 */
export function contentOf({ intent, params, attachments = [] }: TaskEnvelope): string {
  const texts = attachments.map(({ name, text = null, url = null }) => ({ name, text, url }));
  return hashOf(canonicalText({ intent, params, attachments: texts }));
}

/** Characters of a hash that name a session or a folder; a name may have 64. */
const NAME_CHARS = 32;

/**
 * A name for what belongs to a task, made of its id, which may have characters that no file has.
 *
 * @param agent Ids of several agents may be the same.
 */
export function nameOf(agent: string, taskId: string): string {
  return `task-${hashOf(`${agent}\n${taskId}`).slice(0, NAME_CHARS)}`;
}
