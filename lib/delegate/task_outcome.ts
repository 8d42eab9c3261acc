/**
 * What came of a task, and how that stands in the table.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";
import { clip } from "../results/characters.ts";
import type { PlannedTask } from "./plan.ts";
import type { TaskEnd, TaskPhase, TaskRow } from "./task_row.ts";
import { type ResultEnvelope, type TaskError, TransportError } from "./types.ts";

/** How a task came to its end. */
export type OutcomeEnd =
  /** The agent answered; it may have failed. */
  | { readonly kind: "result"; readonly result: ResultEnvelope }
  /** There is no answer. */
  | { readonly kind: "failed"; readonly error: TaskError }
  /** It was given up, or never sent: `timeout`, `orders failed`. */
  | { readonly kind: "not_obtained"; readonly why: string };

/** What came of one task of a call. */
export interface TaskOutcome {
  readonly task: PlannedTask;
  /** Its id; null where it was never sent. */
  readonly id: string | null;
  readonly end: OutcomeEnd;
}

/** A deadline passed. */
export const TIMEOUT = "timeout";

/** Somebody gave it up. */
export const CANCELLED = "cancelled";

/** Bytes of a result's JSON that are kept whole, in UTF-16 units. */
const KEPT_CHARS = 256 * 1024;

/** Characters of the summary of a result that is not. */
const SUMMARY_CHARS = 2000;

/** A failure without an answer. */
export function failure(code: string, message: string, retriable = false): OutcomeEnd {
  return { kind: "failed", error: { code, message, retriable } };
}

/** What was given up, and why. */
export function notObtained(why: string): OutcomeEnd {
  return { kind: "not_obtained", why };
}

/** A transport's failure as an end. */
export function endOfError(error: unknown): OutcomeEnd {
  if (error instanceof TransportError) return failure(error.code, error.message, error.retriable);
  const message = error instanceof Error ? error.message : String(error);
  return failure("transport_failed", message);
}

/** Whether there is something that others can use. */
export function isObtained({ end }: TaskOutcome): boolean {
  return end.kind === "result" && end.result.status !== "failed";
}

/** As much of a result as the table keeps. */
function keptOf(result: ResultEnvelope): NonNullable<TaskEnd["result"]> {
  const whole = result as unknown as JsonObject;
  if (JSON.stringify(whole).length <= KEPT_CHARS) return { kept: whole, whole: true };
  const summary = clip(result.data?.summary ?? "", SUMMARY_CHARS);
  return { kept: { ...whole, data: { summary }, attachments: [] }, whole: false };
}

/** Codes of failures after which it is not known what became of a task. */
const LOST_CODES: readonly string[] = ["lost", "unknown_outcome"];

function phaseOfWhy(why: string): TaskEnd["phase"] {
  return why === TIMEOUT ? "timeout" : why === CANCELLED ? "cancelled" : "failed";
}

/** An end as it is written into the table. */
export function tableEnd(end: OutcomeEnd): TaskEnd {
  switch (end.kind) {
    case "result": {
      const { status, error, cost } = end.result;
      const tokens = { inputTokens: cost.input_tokens, outputTokens: cost.output_tokens };
      return { phase: status, error, result: keptOf(end.result), ...tokens };
    }
    case "failed": {
      const phase = LOST_CODES.includes(end.error.code) ? "lost" : "failed";
      return { phase, error: end.error, result: null };
    }
    case "not_obtained": {
      const error = { code: "not_obtained", message: end.why };
      return { phase: phaseOfWhy(end.why), error, result: null };
    }
  }
}

const NOT_OBTAINED_PHASES: readonly TaskPhase[] = ["timeout", "cancelled"];

/** The end of a task that the table says has ended. */
export function endOfRow({ phase, result, error }: TaskRow): OutcomeEnd {
  if (result !== null) return { kind: "result", result };
  if (NOT_OBTAINED_PHASES.includes(phase)) return notObtained(phase);
  if (error?.code === "not_obtained") return notObtained(error.message);
  return failure(error?.code ?? "lost", error?.message ?? "Nothing is known of its end");
}
