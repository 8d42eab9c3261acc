/**
 * Which models' servers can hold an answer to a JSON Schema.
 *
 * @module
 */

import type { Model } from "../types.ts";

/**
 * Whether the server of a model takes `response_format` with a schema. None is known to; what is
 * known of models and servers belongs here.
 */
export function canBindAnswer(_model: Pick<Model, "name" | "source" | "recorded">): boolean {
  return false;
}
