import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { SCHEMAS } from "../lib/cli/schemas.ts";
import type { PlayedRun } from "./fakes.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });

function compile(name: string): ValidateFunction {
  const schema = SCHEMAS[name];
  if (typeof schema !== "object" || schema === null) throw new TypeError(`No schema "${name}"`);
  return ajv.compile(schema);
}

const validateDebug = compile("debug");
const validateEvent = compile("event");
const validateAudit = compile("audit");
const validateBatch = compile("batch");
const validateResult = compile("result");

/** What is wrong with a value that was printed as JSON. */
function faultsOf(value: unknown, validate: ValidateFunction): string[] {
  if (validate(JSON.parse(JSON.stringify(value)))) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** What is wrong with a line of a debug file, by its published schema. */
export function debugFaults(line: unknown): string[] {
  return faultsOf(line, validateDebug);
}

/** What is wrong with an event, by its published schema. */
export function eventFaults(event: unknown): string[] {
  return faultsOf(event, validateEvent);
}

/** What is wrong with a result, by its published schema. */
export function resultFaults(result: unknown): string[] {
  return faultsOf(result, validateResult);
}

/** What is wrong with an entry of the audit log, by its published schema. */
export function auditFaults(entry: unknown): string[] {
  return faultsOf(entry, validateAudit);
}

/** What is wrong with a line of a batch, by its published schema. */
export function batchFaults(line: unknown): string[] {
  return faultsOf(line, validateBatch);
}

/** What is wrong with anything that a run told. */
export function runFaults({ events, result }: PlayedRun): string[] {
  return [...events.flatMap(eventFaults), ...resultFaults(result)];
}
