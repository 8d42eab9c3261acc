/**
 * The id of a task: derived, so that the same task has the same one whenever it is sent.
 *
 * @module
 */

import { canonicalText } from "../calls/canonical_text.ts";
import type { JsonObject } from "../types.ts";

/** Where a task comes from. */
export interface TaskOrigin {
  /** The run in which the call began. */
  readonly run: string;
  /** The id of the call. */
  readonly call: string;
  /** The task's name within the call. */
  readonly name: string;
}

/** What is asked, with all references filled in. */
export interface TaskContent {
  readonly agent: string;
  readonly intent: string;
  readonly params: JsonObject;
}

/** Characters of a hash that an id keeps: 128 bits. */
const HASH_CHARS = 32;

async function hashOf(text: string): Promise<string> {
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(text).digest("hex");
}

/** The id of a task: the same for the same origin and content, whatever the order of keys. */
export async function taskIdOf(
  { run, call, name }: TaskOrigin,
  { agent, intent, params }: TaskContent,
): Promise<string> {
  const hash = await hashOf(canonicalText([run, call, name, agent, intent, params]));
  return `t-${hash.slice(0, HASH_CHARS)}`;
}

/** The id that all tasks share to which one run leads. */
export async function traceIdOf(run: string): Promise<string> {
  return (await hashOf(canonicalText(["trace", run]))).slice(0, HASH_CHARS);
}
