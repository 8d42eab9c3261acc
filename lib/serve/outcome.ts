/**
 * What came of a run, as the result of a task.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import {
  RESULT_PROTOCOL,
  type ResultEnvelope,
  type ResultStatus,
  type TaskCost,
  type TaskData,
  type TaskEnvelope,
  type TaskError,
} from "../delegate/types.ts";
import type { RunResult, StopReason } from "../events.ts";
import type { Json, JsonObject } from "../types.ts";

/** A run of a task that has ended. */
export interface EndedRun {
  readonly kind: "ran";
  readonly run: RunResult;
  /** Whether it was ended at the task's own deadline. */
  readonly late: boolean;
  /** What was said last in a run that was not answered, where it has the form of an answer. */
  readonly lastWords: Json;
}

/** How a run of a task ended. */
export type RunOutcome =
  | EndedRun
  /** There is no run to tell of. */
  | { readonly kind: "failed"; readonly error: TaskError }
  /** The server stops: the task is gone on with when it is there again. */
  | { readonly kind: "left" };

/** A result without what belongs to its envelope. */
export interface Outcome {
  readonly status: ResultStatus;
  readonly data: TaskData | null;
  readonly error: TaskError | null;
}

/** Failures of a model that may pass. */
const PASSING: readonly string[] = [
  ...["unreachable", "rate_limited", "server_error", "timeout", "bad_response"],
];

/** What ends a run without an answer, as an error of its task. */
const CODES: Readonly<Partial<Record<StopReason, string>>> = {
  time_limit: "timeout",
  blocked: "denied",
  interrupted: "cancelled",
};

/** An error of a task. */
export function taskError(code: string, message: string, retriable = false): TaskError {
  return { code, message, retriable };
}

/** A task that failed without having obtained anything. */
export function failed(error: TaskError): Outcome {
  return { status: "failed", data: null, error };
}

function isData(value: Json): value is TaskData {
  return isJsonObject(value) && typeof value["summary"] === "string";
}

/** What a run obtained that was not answered; null: nothing. */
function obtainedOf({ run, lastWords }: EndedRun): TaskData | null {
  const { answer, facts, ending } = run;
  if (isData(lastWords)) return lastWords;
  const said = answer?.trim() ?? "";
  const known = facts.map(({ text }) => text);
  const done = ending?.done ?? [];
  if (said === "" && known.length === 0) return null;
  const summary = said !== "" ? said : `Not finished; ${known.length} facts were established`;
  return { summary, top_items: known.length > 0 ? known : done.slice(-10) };
}

function errorOf({ stop_reason: stop, error, ending }: RunResult): TaskError {
  if (stop === "model_error") {
    const code = error?.code ?? "error";
    return taskError(`model_${code}`, error?.message ?? "The model failed", PASSING.includes(code));
  }
  if (stop === null || stop === "schema_unmet") {
    return taskError(error?.code ?? "internal", error?.message ?? "The run failed");
  }
  const why = ending?.why ?? "it was not answered";
  return taskError(CODES[stop] ?? stop, `The task was not finished: ${why}`, stop === "time_limit");
}

/** What a run comes to. */
export function outcomeOf(ended: EndedRun): Outcome {
  const { run, late } = ended;
  if (run.stop_reason === "answered" && isData(run.data)) {
    return { status: "success", data: run.data, error: null };
  }
  const error = late
    ? taskError("timeout", "The task was not finished when its time was over", true)
    : errorOf(run);
  // What does not fit the schema, or comes from a model that failed, is nothing to build on.
  const usable = run.stop_reason !== "schema_unmet" && run.stop_reason !== "model_error";
  const data = usable ? obtainedOf(ended) : null;
  return { status: data === null ? "failed" : "partial_success", data, error };
}

/** What a task took. */
export function costOf(run: RunResult | null, latencyMs: number): TaskCost {
  const { input_tokens = 0, output_tokens = 0 } = run?.usage ?? {};
  return { input_tokens, output_tokens, latency_ms: Math.max(0, Math.round(latencyMs)) };
}

/** Puts an outcome into its envelope; the summary and the top items come first. */
export function envelopeOf(
  { task_id, trace_id }: Pick<TaskEnvelope, "task_id" | "trace_id">,
  { status, data, error }: Outcome,
  cost: TaskCost,
): ResultEnvelope {
  return {
    task_id,
    protocol: RESULT_PROTOCOL,
    status,
    data: data === null ? null : ordered(data),
    error,
    cost,
    ...(trace_id === undefined ? {} : { trace_id }),
  };
}

function ordered(data: TaskData): TaskData {
  const { summary, top_items: top, ...rest } = data as JsonObject & { readonly summary: string };
  return { summary, ...(top === undefined ? {} : { top_items: top }), ...rest };
}
