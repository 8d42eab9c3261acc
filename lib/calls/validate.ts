/**
 * A call's arguments against its tool's schema.
 *
 * @module
 */

import type { ErrorObject, ValidateFunction } from "ajv";
import { clip } from "../results/characters.ts";
import type { JsonObject, ObjectSchema } from "../types.ts";
import { closest } from "./closest.ts";

/** Schemas compiled so far: compiling costs some milliseconds, once a run. */
const compiled = new WeakMap<ObjectSchema, ValidateFunction>();

async function validatorOf(schema: ObjectSchema): Promise<ValidateFunction> {
  const known = compiled.get(schema);
  if (known) return known;
  const { compile } = await import("./compiler.ts");
  const validate = compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** Makes the validators ready, so that the first call need not wait for them. */
export async function prepareValidation(schemas: readonly ObjectSchema[]): Promise<void> {
  for (const schema of schemas) await validatorOf(schema);
}

/** A value as it can be shown in one line. */
function show(value: unknown): string {
  return clip(JSON.stringify(value) ?? String(value), 60);
}

function unknownField(error: ErrorObject, schema: ObjectSchema): string {
  const field = String(error.params["additionalProperty"]);
  const names = Object.keys(schema.properties);
  const near = closest(field, names)[0];
  const help = near === undefined ? `known are ${names.join(", ")}` : `did you mean "${near}"?`;
  return `field "${field}" is not known (${help})`;
}

function describe(error: ErrorObject, schema: ObjectSchema): string {
  const field = error.instancePath.slice(1).replaceAll("/", ".");
  if (error.keyword === "required") {
    return `field "${error.params["missingProperty"]}" is missing`;
  }
  if (error.keyword === "additionalProperties") return unknownField(error, schema);
  const allowed = error.keyword === "enum" ? ` (${show(error.params["allowedValues"])})` : "";
  return `field "${field}" ${error.message}${allowed}, but is ${show(error.data)}`;
}

/**
 * Checks arguments against a schema.
 *
 * @returns Every fault in one line, or null if there is none.
 */
export async function validateArguments(
  schema: ObjectSchema,
  args: JsonObject,
): Promise<string | null> {
  const validate = await validatorOf(schema);
  if (validate(args)) return null;
  return (validate.errors ?? []).map((error) => describe(error, schema)).join("; ");
}
