/**
 * One task of the table, as it is read.
 *
 * @module
 */

import type { SqlRow } from "../ports.ts";
import type { JsonObject } from "../types.ts";
import type { ResultEnvelope, TaskEnvelope } from "./types.ts";

/**
 * Where a task is. `waiting`: not sent yet. `running`: the agent said that it has it. `lost`: what
 * became of it is not known.
 */
export type TaskPhase =
  | "waiting"
  | "sent"
  | "running"
  | "success"
  | "partial_success"
  | "failed"
  | "timeout"
  | "cancelled"
  | "lost";

/** Phases after which nothing more happens. */
export function hasEnded(phase: TaskPhase): boolean {
  return phase !== "waiting" && phase !== "sent" && phase !== "running";
}

/** A task that is about to be asked for. */
export interface NewTask {
  readonly run: string;
  readonly call: string;
  readonly name: string;
  readonly agent: string;
  readonly intent: string;
  readonly access: "read" | "write";
}

/** How a task has ended. */
export interface TaskEnd {
  readonly phase: Exclude<TaskPhase, "waiting" | "sent" | "running">;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** What is kept of its result, and whether that is all of it; null: it brought none. */
  readonly result: { readonly kept: JsonObject; readonly whole: boolean } | null;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** A task as the table has it. */
export interface TaskRow extends NewTask {
  readonly key: number;
  /** Null until it is sent. */
  readonly id: string | null;
  readonly phase: TaskPhase;
  /** Milliseconds since the epoch. */
  readonly createdMs: number;
  readonly sentMs: number | null;
  readonly returnedMs: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly statusUrl: string | null;
  /** What was sent; null before that. */
  readonly envelope: TaskEnvelope | null;
  /** Its parameters as they are kept. */
  readonly params: JsonObject;
  /** Whether the envelope lacks secrets that were sent. */
  readonly redacted: boolean;
  /** What it brought, as far as that is kept. */
  readonly result: ResultEnvelope | null;
  /** Whether nothing of the result was cut or redacted. */
  readonly resultWhole: boolean;
}

function textOr(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function numberOr(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** What was written as JSON; null where there is nothing, or what can't be read any more. */
function jsonOf<T>(value: unknown): T | null {
  if (typeof value !== "string") return null;
  try {
    return JSON.parse(value) as T;
  } catch {
    return null;
  }
}

/** Reads a row. */
export function taskRowOf(row: SqlRow): TaskRow {
  const envelope = jsonOf<TaskEnvelope>(row["envelope"]);
  const code = textOr(row["error_code"]);
  return {
    key: Number(row["key"]),
    id: textOr(row["id"]),
    run: String(row["run"]),
    call: String(row["call"]),
    name: String(row["name"]),
    agent: String(row["agent"]),
    intent: String(row["intent"]),
    access: row["access"] === "read" ? "read" : "write",
    phase: String(row["phase"]) as TaskPhase,
    createdMs: Number(row["created_ms"]),
    sentMs: numberOr(row["sent_ms"]),
    returnedMs: numberOr(row["returned_ms"]),
    inputTokens: Number(row["input_tokens"]),
    outputTokens: Number(row["output_tokens"]),
    error: code === null ? null : { code, message: textOr(row["error"]) ?? "" },
    statusUrl: textOr(row["status_url"]),
    envelope,
    params: envelope?.params ?? {},
    redacted: row["redacted"] === 1,
    result: jsonOf<ResultEnvelope>(row["result"]),
    resultWhole: row["result_whole"] === 1,
  };
}
