/**
 * The compiler of JSON Schemas. It is heavy, so this module is imported where
 * one is first needed; and `ajv` is imported by name, which a bundle of several
 * files can do for a CommonJS package only in a static import.
 *
 * @module
 */

import { Ajv, type ValidateFunction } from "ajv";
import type { ObjectSchema } from "../types.ts";

// The tools' schemas are ours and checked by the tests, so they are not checked again here; those
// of MCP servers are taken as they are, and what can't be compiled is left out before it is offered.
const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  meta: false,
  validateSchema: false,
  strict: false,
  logger: false,
  code: { optimize: false },
});

/** Compiles the schema of a tool's arguments; takes some milliseconds. */
export function compile(schema: ObjectSchema): ValidateFunction {
  return ajv.compile(schema);
}
