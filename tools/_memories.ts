/**
 * What `remember` and `recall` share.
 *
 * @module
 */

import { MemoryError } from "../lib/ports.ts";
import type { JsonObject, ToolOutcome } from "../lib/types.ts";

/** A key is longer than a word and shorter than a sentence, in characters. */
const MAX_KEY_CHARS = 100;

/** The `key` field of a schema. */
export function keyField(description: string): JsonObject {
  return { type: "string", minLength: 1, maxLength: MAX_KEY_CHARS, description };
}

/** Does the work; a store that can't be used is an outcome. */
export async function orMemoryFailure(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const hint = "Go on without it, and say so.";
    return { ok: false, error: { code: "memory", message: error.message, hint, retriable: false } };
  }
}
