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
const OPTIONS: Options = {
  allErrors: true,
  strict: false,
  validateFormats: false,
  logger: false,
  code: { optimize: false },
};

/** A dialect's compiler, made where it is first needed: what checks schemas is compiled with it. */
type Compiler = Pick<Ajv, "compile" | "removeSchema">;

const makers: { readonly [dialect: string]: () => Compiler } = {
  "draft 7": () => new Ajv(OPTIONS).addMetaSchema(draft6),
  "2019-09": () => new Ajv2019(OPTIONS),
  "2020-12": () => new Ajv2020(OPTIONS),
};

const made = new Map<string, Compiler>();

function dialectOf({ $schema }: JsonObject): string {
  const said = String($schema ?? "");
  if (/draft-0[67]\b/.test(said)) return "draft 7";
  return /\b2019-09\b/.test(said) ? "2019-09" : "2020-12";
}

function compilerFor(schema: JsonObject): Compiler {
  const dialect = dialectOf(schema);
  const compiler = made.get(dialect) ?? makers[dialect]?.() ?? new Ajv2020(OPTIONS);
  made.set(dialect, compiler);
  return compiler;
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

function compiled(schema: JsonObject): ReturnType<Compiler["compile"]> {
  const compiler = compilerFor(schema);
  try {
    return compiler.compile(schema);
  } finally {
    // Another schema may have the same id.
    compiler.removeSchema(schema);
  }
}

/**
 * As {@linkcode compileSchema}, with what is known of each fault.
 *
 * @throws {Error} If it is no schema, or refers to what is not in it.
 */
export function compileFaults(schema: JsonObject): (value: Json) => readonly SchemaFault[] {
  const validate = compiled(schema);
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
