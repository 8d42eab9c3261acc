/**
 * Parameters against the schema of their intent. The compiler is heavy, so this module is imported
 * where there are parameters.
 *
 * @module
 */

import { compileFaults, type SchemaFault } from "../answer/compile_schema.ts";
import type { Json, JsonObject } from "../types.ts";
import { referencesIn } from "./fill.ts";
import type { Intent } from "./types.ts";

type FaultsOf = (value: Json) => readonly SchemaFault[];

/** Schemas compiled so far. */
const compiled = new WeakMap<JsonObject, FaultsOf>();

function faultsOf({ parameters }: Intent): FaultsOf {
  const known = compiled.get(parameters);
  if (known !== undefined) return known;
  const made = compileFaults(parameters);
  compiled.set(parameters, made);
  return made;
}

/** The part of a value at a JSON pointer (RFC 6901). */
function partAt(value: Json, pointer: string): Json {
  return pointer.split("/").slice(1).reduce<Json>((part, step) => {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~");
    return (part as JsonObject | null)?.[name] ?? null;
  }, value);
}

/** Faults of an object's own fields: what its values are does not matter. */
const OF_NAMES: readonly string[] = ["required", "additionalProperties", "unevaluatedProperties"];

/** Whether a fault may be gone once references are filled in. */
function mayPass({ place, keyword, ofAlternative }: SchemaFault, params: JsonObject): boolean {
  if (OF_NAMES.includes(keyword) && !ofAlternative) return false;
  return referencesIn(partAt(params, place)).length > 0;
}

/**
 * What the schema of an intent has against parameters, in words; empty if they fit. What depends on
 * references that are not filled in yet is not held against them.
 */
export function paramFaults(intent: Intent, params: JsonObject): readonly string[] {
  try {
    const faults = faultsOf(intent)(params).filter((fault) => !mayPass(fault, params));
    return [...new Set(faults.map(({ text }) => text))];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [`the directory's schema of ${intent.name} can't be used (${reason})`];
  }
}
