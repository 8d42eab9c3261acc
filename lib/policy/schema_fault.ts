/**
 * Says what the schema has against a policy, in words for people.
 *
 * @module
 */

import { Ajv, type ErrorObject } from "ajv";
import { type FilePlace, type Path, shownValue, type YamlContent } from "../yaml/document.ts";

/** The first thing that a schema has against some content. */
export interface SchemaFault {
  /** The keyword of JSON Schema that does not hold. */
  readonly keyword: string;
  readonly path: Path;
  readonly value: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Finds the first fault; null where there is none. */
export type SchemaCheck = (content: unknown) => SchemaFault | null;

/** Compiles a schema. */
export function createCheck(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  const validate = new Ajv({ meta: false, validateSchema: false, strict: false, verbose: true })
    .compile(schema);
  return (content) => validate(content) ? null : firstFault(validate.errors ?? []);
}

function firstFault(errors: readonly ErrorObject[]): SchemaFault | null {
  const error = errors.find(({ keyword }) => keyword !== "oneOf") ?? errors[0];
  if (error === undefined) return null;
  const { keyword, instancePath, data, message = "is not possible" } = error;
  const path = instancePath.split("/").slice(1)
    .map((step) => /^\d+$/.test(step) ? Number(step) : unescaped(step));
  return { keyword, path, value: data, params: error.params, message };
}

/** A step of a JSON pointer (RFC 6901) as the key that it is. */
function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

/** The message for a fault, which names the value and what is wanted, and its place. */
export function faultWords(
  fault: SchemaFault,
  written: YamlContent,
): { readonly message: string; readonly at: FilePlace } {
  const { path, params } = fault;
  const where = String(path.at(-1) ?? "policy");
  const value = shownValue(fault.value);
  const at = written.placeOf(path);
  switch (fault.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const message = `Unknown key "${key}": remove it or correct its name`;
      return { message, at: written.placeOfKey(path, key) };
    }
    case "required":
      return { message: `Key "${params["missingProperty"]}" is missing: add it`, at };
    case "enum": {
      const wanted = listed(params["allowedValues"]);
      return { message: `Value ${value} is not possible here: use one of ${wanted}`, at };
    }
    case "type":
      return { message: `Value ${value} of "${where}" must be of type ${params["type"]}`, at };
    default:
      return { message: `Value ${value} of "${where}" ${fault.message}`, at };
  }
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.join(", ") : String(values);
}
