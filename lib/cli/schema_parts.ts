/**
 * The pieces that JSON Schemas are written with.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";

/** The dialect of the schemas that are written here. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Any text. */
export const text: JsonObject = { type: "string" };
/** How many. */
export const count: JsonObject = { type: "integer", minimum: 0 };
/** True or false. */
export const flag: JsonObject = { type: "boolean" };

/** One of these texts. */
export function oneOf(...values: string[]): JsonObject {
  return { enum: values };
}

/** This, or null. */
export function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: "null" }] };
}

/** Any number of these. */
export function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

/** What `$defs` has under this name. */
export function ref(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

/** An object that has all of these fields and no other, but for the optional ones. */
export function object(
  properties: { readonly [name: string]: JsonObject },
  optional = {},
): JsonObject {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
