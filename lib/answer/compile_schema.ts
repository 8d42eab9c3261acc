/**
 * The compiler of schemas that people write, for drafts 6 and 7, 2019-09 and 2020-12 of JSON
 * Schema. It is heavy, so this module is imported where there is such a schema.
 *
 * @module
 */

import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import draft6 from "ajv/dist/refs/json-schema-draft-06.json" with { type: "json" };
import type { Json, JsonObject } from "../types.ts";

/** `format` says what a text means; only what a schema holds values to is checked. */
const OPTIONS: Options = { allErrors: true, strict: false, validateFormats: false, logger: false };

function compilerFor({ $schema }: JsonObject): Pick<Ajv, "compile"> {
  const dialect = String($schema ?? "");
  if (/draft-0[67]\b/.test(dialect)) return new Ajv(OPTIONS).addMetaSchema(draft6);
  return /\b2019-09\b/.test(dialect) ? new Ajv2019(OPTIONS) : new Ajv2020(OPTIONS);
}

function faultText({ instancePath, message, params }: ErrorObject): string {
  const place = instancePath === "" ? "the value" : instancePath;
  const named = params["additionalProperty"] ?? params["unevaluatedProperty"];
  const allowed: unknown = params["allowedValues"] ?? params["allowedValue"];
  const more = named !== undefined ? ` (${JSON.stringify(named)})` : "";
  const choice = allowed !== undefined ? ` (${JSON.stringify(allowed)})` : "";
  return `${place} ${message}${more}${choice}`;
}

/** Something in a value that does not fit a schema. */
export interface SchemaFault {
  /** Where, as a JSON pointer. */
  readonly place: string;
  readonly keyword: string;
  /** Whether it is a fault of one alternative among several. */
  readonly ofAlternative: boolean;
  /** In words. */
  readonly text: string;
}

/**
 * As {@linkcode compileSchema}, with what is known of each fault.
 *
 * @throws {Error} If it is no schema, or refers to what is not in it.
 */
export function compileFaults(schema: JsonObject): (value: Json) => readonly SchemaFault[] {
  const validate = compilerFor(schema).compile(schema);
  const faultOf = (error: ErrorObject): SchemaFault => ({
    place: error.instancePath,
    keyword: error.keyword,
    ofAlternative: /\/(anyOf|oneOf|not|if|then|else)\b/.test(error.schemaPath),
    text: faultText(error),
  });
  return (value) => validate(value) ? [] : (validate.errors ?? []).map(faultOf);
}

/**
 * Compiles a schema, in its own dialect; without one in 2020-12.
 *
 * @returns What finds the faults of a value, none if it fits.
 * @throws {Error} If it is no schema, or refers to what is not in it.
 */
export function compileSchema(schema: JsonObject): (value: Json) => readonly string[] {
  const faultsOf = compileFaults(schema);
  return (value) => faultsOf(value).map(({ text }) => text);
}
