/**
 * Whether values are task and result envelopes: checked once, where they come in, on both ends.
 * The compiler of schemas is heavy, so this module is imported where there are envelopes.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { clip } from "../results/characters.ts";
import type { Json, JsonObject } from "../types.ts";
import resultSchema from "./schemas/result.json" with { type: "json" };
import taskSchema from "./schemas/task.json" with { type: "json" };
import {
  RESULT_PROTOCOL,
  type ResultEnvelope,
  TASK_PROTOCOL,
  type TaskEnvelope,
  type TaskError,
} from "./types.ts";

/** A value that was checked, or what is wrong with it. */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: TaskError };

/** The versions of task envelopes that rein takes. */
export const TASK_PROTOCOLS: readonly string[] = [TASK_PROTOCOL];

/** The versions of result envelopes that rein takes. */
export const RESULT_PROTOCOLS: readonly string[] = [RESULT_PROTOCOL];

/** How tasks end. */
const STATUSES: readonly Json[] = ["success", "partial_success", "failed"];

/** Stops at the first fault: a list of a million wrong items is not gone through. */
const ajv = new Ajv2020({ allErrors: false, verbose: true, logger: false });

const validateTask = ajv.compile<TaskEnvelope>(taskSchema);
const validateResult = ajv.compile<ResultEnvelope>(resultSchema);

function refused(code: string, message: string): { readonly ok: false; readonly error: TaskError } {
  return { ok: false, error: { code, message, retriable: false } };
}

function shown(value: unknown): string {
  return clip(JSON.stringify(value) ?? String(value), 60);
}

/** What is wrong, in one line: the field, what it must be and what it is. */
function faultText({ instancePath, keyword, message, params, data }: ErrorObject): string {
  const field = instancePath.slice(1).replaceAll("/", ".");
  const inside = field === "" ? "" : ` of "${field}"`;
  if (keyword === "required") return `field "${params["missingProperty"]}"${inside} is missing`;
  const allowed: unknown = params["allowedValues"];
  const choice = Array.isArray(allowed) ? ` (${allowed.join(", ")})` : "";
  return `field "${field}" ${message}${choice}, but is ${shown(data)}`;
}

function firstFault({ errors }: ValidateFunction): string {
  const [first] = errors ?? [];
  return first === undefined ? "it does not fit the schema" : faultText(first);
}

/** Refuses what says that it is of a version that is not known. */
function protocolFault(value: JsonObject, known: readonly string[]): string | null {
  const protocol = value["protocol"];
  if (typeof protocol !== "string" || known.includes(protocol)) return null;
  return `protocol ${shown(protocol)} is not known; known is ${known.join(", ")}`;
}

/** What a status demands, in words; null where the result has it. */
function statusFault({ status, data, error }: JsonObject): string | null {
  if (status !== "failed" && data === null) return `status "${status}" needs "data" with a summary`;
  if (status === "success" && isJsonObject(error)) {
    return `status "success" needs "error" to be null`;
  }
  return error === null && status !== "success" ? `status "${status}" needs an "error"` : null;
}

/**
 * Checks that a value is a task envelope. Fields that are not known stay in it.
 *
 * @param value Anything, such as parsed JSON.
 * @returns The envelope; else the code `unknown_protocol` or `invalid_envelope`. Never throws.
 */
export function checkTask(value: unknown): Checked<TaskEnvelope> {
  if (!isJsonObject(value)) return refused("invalid_envelope", "A task is a JSON object");
  const unknown = protocolFault(value, TASK_PROTOCOLS);
  if (unknown !== null) return refused("unknown_protocol", `The task's ${unknown}`);
  if (validateTask(value)) return { ok: true, value };
  return refused("invalid_envelope", `The task is no envelope: ${firstFault(validateTask)}`);
}

/**
 * Checks that a value is the result envelope of a task. Fields that are not known stay in it.
 *
 * @param value Anything, such as parsed JSON.
 * @param taskId The task that was sent.
 * @returns The envelope; else the code `unknown_protocol`, `unknown_status`, `wrong_task` or
 *   `bad_result`. Never throws.
 */
export function checkResult(value: unknown, taskId: string): Checked<ResultEnvelope> {
  if (!isJsonObject(value)) return refused("bad_result", "A result is a JSON object");
  const unknown = protocolFault(value, RESULT_PROTOCOLS);
  if (unknown !== null) return refused("unknown_protocol", `The result's ${unknown}`);
  const { status } = value;
  if (status !== undefined && !STATUSES.includes(status)) {
    const known = `known are ${STATUSES.join(", ")}`;
    return refused("unknown_status", `The result's status ${shown(status)} is not known; ${known}`);
  }
  const wrong = validateResult(value) ? null : statusFault(value) ?? firstFault(validateResult);
  if (wrong !== null) return refused("bad_result", `The result is no envelope: ${wrong}`);
  const { task_id: id } = value;
  if (id === taskId) return { ok: true, value: value as unknown as ResultEnvelope };
  return refused("wrong_task", `The result is of task ${shown(id)}, and not of "${taskId}"`);
}
