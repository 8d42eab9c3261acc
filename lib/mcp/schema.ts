/**
 * The schemas of other people's tools, made to those of rein's own.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import type { Json, JsonObject, ObjectSchema } from "../types.ts";

/** Characters of a schema as JSON at the most: more is no description of arguments. */
const MAX_SCHEMA_CHARS = 20_000;

/**
 * Keywords that are taken out: identities would meet those of other schemas, `$async` makes a check
 * that never fails, and a pattern of a stranger's can take a regular expression hours.
 */
const DROPPED: readonly string[] = [
  ...["$schema", "$id", "id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$async"],
  ...["pattern", "patternProperties", "propertyNames"],
];

/** Keywords whose values are schemas by name. */
const BY_NAME: readonly string[] = ["properties", "$defs", "definitions", "dependentSchemas"];

/** Keywords whose values are data, whatever they look like. */
const DATA: readonly string[] = ["enum", "const", "default", "examples", "required"];

/** The schema of arguments, or what is wrong with it. */
export type ReadSchema =
  | { readonly ok: true; readonly schema: ObjectSchema }
  | { readonly ok: false; readonly fault: string };

function cleanedAll(schemas: JsonObject): { [name: string]: JsonObject } {
  const entries = Object.entries(schemas).map(([name, schema]) => [name, cleaned(schema)]);
  return Object.fromEntries(entries.filter(([, schema]) => isJsonObject(schema)));
}

/** A pattern is still told, in words. */
function described(schema: JsonObject): JsonObject {
  const { pattern, description } = schema;
  if (typeof pattern !== "string") return {};
  const told = `(pattern: ${pattern.slice(0, 200)})`;
  return { description: typeof description === "string" ? `${description} ${told}` : told };
}

function cleaned(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(cleaned);
  // `true` as a schema admits everything.
  if (schema === true) return {};
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema).filter(([key]) => !DROPPED.includes(key))
    .map(([key, value]) => {
      if (DATA.includes(key)) return [key, value];
      if (BY_NAME.includes(key) && isJsonObject(value)) return [key, cleanedAll(value)];
      return [
        key,
        typeof value === "boolean" && key === "additionalProperties" ? value : cleaned(value),
      ];
    });
  return { ...Object.fromEntries(entries), ...described(schema) };
}

/** Whether further arguments are admitted: where nothing is said, only a schema without any has them. */
function further(said: Json | undefined, named: boolean): boolean | JsonObject {
  if (typeof said === "boolean") return said;
  return isJsonObject(said) ? cleaned(said) as JsonObject : !named;
}

/**
 * Reads the schema of a tool's arguments. What stands beside its properties (`anyOf`, `if`) is left
 * to the server, since models' APIs take none of it at this place.
 *
 * @param raw As the server sent it.
 */
export function readSchema(raw: unknown): ReadSchema {
  if (raw === undefined) return readSchema({ type: "object" });
  if (!isJsonObject(raw)) return { ok: false, fault: "its schema is no object" };
  const chars = JSON.stringify(raw).length;
  if (chars > MAX_SCHEMA_CHARS) {
    return { ok: false, fault: `its schema has ${chars} characters of ${MAX_SCHEMA_CHARS}` };
  }
  const { type = "object", properties: given = {}, required = [], $defs, definitions } = raw;
  if (type !== "object") return { ok: false, fault: "its schema is not that of an object" };
  if (!isJsonObject(given)) {
    return { ok: false, fault: "the properties of its schema are no object" };
  }
  const properties = cleanedAll(given);
  const needed = Array.isArray(required) ? required : [];
  return {
    ok: true,
    schema: {
      type: "object",
      properties,
      required: Object.keys(properties).filter((name) => needed.includes(name)),
      additionalProperties: further(
        raw["additionalProperties"],
        Object.keys(properties).length > 0,
      ),
      ...(isJsonObject($defs) ? { $defs: cleanedAll($defs) } : {}),
      ...(isJsonObject(definitions) ? { definitions: cleanedAll(definitions) } : {}),
    },
  };
}
