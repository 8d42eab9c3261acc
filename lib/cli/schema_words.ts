/**
 * The words of JSON Schema that rein's schemas are written in, and the shapes that several share.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";

/** The version of JSON Schema. */
export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Any text. */
export const text: JsonObject = { type: "string" };
/** A number of something. */
export const count: JsonObject = { type: "integer", minimum: 0 };
/** Yes or no. */
export const flag: JsonObject = { type: "boolean" };

/** One of these words. */
export function oneOf(...values: string[]): JsonObject {
  return { enum: values };
}

/** What the schema says, or null. */
export function orNull(schema: JsonObject): JsonObject {
  return { anyOf: [schema, { type: "null" }] };
}

/** A list of such items. */
export function list(items: JsonObject): JsonObject {
  return { type: "array", items };
}

/** What `$defs` has under a name. */
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

const span = orNull(object({ start: count, end: count }));
/** A decision of the policy. */
export const decision = oneOf("allow", "ask", "deny");
/** How a call ended. */
export const status = oneOf("success", "error", "denied", "unavailable", "timeout", "cancelled");
/** Tokens of a request and its answer. */
export const usage = object(
  { input_tokens: count, output_tokens: count, estimated: flag },
  { cached_input_tokens: count },
);

const ruleMatch = object({
  rule: text,
  decision,
  reason: text,
  suggest: orNull(text),
  matched: text,
  span,
});

/** A verdict with all that led to it. */
export const evaluation = object({
  decision,
  parts: list(object({ text, span, decision, matches: list(ruleMatch) })),
});

/** What came of asking for approval. */
export const approval = {
  anyOf: [
    object({
      granted: { const: true },
      by: oneOf("person", "option", "session"),
      scope: oneOf("once", "session"),
    }),
    object({
      granted: { const: false },
      by: { const: "person" },
      scope: oneOf("once", "run"),
      reason: orNull(text),
    }),
    object({ granted: { const: false }, by: { const: "nobody" }, reason: text }),
  ],
};
