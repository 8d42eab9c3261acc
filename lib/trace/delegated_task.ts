/**
 * What the result of a call tells of tasks that it gave to other agents.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import type { Json, JsonObject } from "../types.ts";

/** A task that a call gave to another agent. */
export interface DelegatedTask {
  /** Null where it was not given an id: it was never sent. */
  readonly taskId: string | null;
  readonly agent: string;
  readonly intent: string;
  readonly status: string;
  /** What went wrong; null if nothing did. */
  readonly error: { readonly code: string; readonly message: string } | null;
  /** From its receipt to its end; null where it is not told. */
  readonly latencyMs: number | null;
}

function objectOf(value: Json | undefined): JsonObject | null {
  return isJsonObject(value) ? value : null;
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

function taskOf(told: JsonObject): DelegatedTask {
  const error = objectOf(told["error"]);
  const latency = objectOf(told["cost"])?.["latency_ms"];
  return {
    taskId: textOf(told["task_id"]) || null,
    agent: textOf(told["agent"]),
    intent: textOf(told["intent"]),
    status: textOf(told["status"]),
    error: error === null
      ? null
      : { code: textOf(error["code"]), message: textOf(error["message"]) },
    latencyMs: typeof latency === "number" ? latency : null,
  };
}

/**
 * The tasks of a result, in its order; none where it tells of none.
 *
 * @param data Of any tool, of any form: what is no task is left out.
 */
export function delegatedTasks(data: JsonObject | null): DelegatedTask[] {
  const told = data?.["tasks"];
  if (!Array.isArray(told)) return [];
  return told.map(objectOf)
    .filter((task) => task !== null)
    .map(taskOf)
    .filter(({ agent }) => agent !== "");
}
