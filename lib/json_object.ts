/**
 * Telling JSON objects from other values.
 *
 * @module
 */

import type { JsonObject } from "./types.ts";

/** Whether a value that was JSON is an object: neither a list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
