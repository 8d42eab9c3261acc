/**
 * The shapes of a run as a trace shows it: its steps with their thoughts, calls, decisions, tokens.
 *
 * @module
 */

import type { Digest, Fact, RunResult, TokenUsage } from "../events.ts";
import type { Approval, Evaluation, Json, Observation } from "../types.ts";
import type { DelegatedTask } from "./delegated_task.ts";

/** A task that a call gave to another agent. */
export interface TracedTask extends DelegatedTask {
  /** The runs of the agent for it, as far as they are found here. */
  readonly runs: readonly TracedRun[];
}

/** One call. */
export interface TracedCall {
  readonly id: string;
  readonly tool: string;
  /** In a few words; empty where the call never got that far. */
  readonly brief: string;
  readonly arguments: Json;
  readonly evaluation: Evaluation | null;
  readonly approval: Approval | null;
  /** Null: it is not known how it ended, or it has not. */
  readonly observation: Observation | null;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** Null while it runs. */
  readonly ms: number | null;
  readonly tasks: readonly TracedTask[];
}

/** Room that was made in the model's window. */
export interface TracedCompaction {
  readonly cause: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Who wrote the digest; null where there is none. */
  readonly by: string | null;
  readonly digest: Digest | null;
}

/** One step: a question to the model, and what it called. */
export interface TracedStep {
  /** From 1; 0 for what came before the first. */
  readonly step: number;
  readonly startedMs: number;
  /** When the model had answered; null where it did not. */
  readonly answeredMs: number | null;
  /** What the model said; empty where it said nothing. */
  readonly content: string;
  /** What the model thought; null where it did not tell. */
  readonly reasoning: string | null;
  /** Null where there was no answer. */
  readonly usage: TokenUsage | null;
  /** Requests that failed and were made again. */
  readonly retries: number;
  readonly compactions: readonly TracedCompaction[];
  readonly calls: readonly TracedCall[];
  /** The last request of a run that had stopped, which offers no tools. */
  readonly closing: boolean;
}

/** One run. */
export interface TracedRun {
  readonly runId: string;
  readonly session: string | null;
  /** The same for all that one question led to, across processes; null where it is not told. */
  readonly traceId: string | null;
  readonly task: string;
  readonly model: string;
  readonly startedMs: number;
  /** The newest moment that is known. */
  readonly lastMs: number;
  readonly steps: readonly TracedStep[];
  readonly facts: readonly Fact[];
  /** Null while it goes on, or where its process was ended. */
  readonly result: RunResult | null;
}

/** What a run came to, in numbers. */
export interface RunCounts {
  /** Requests to the model, the last one for a summary not counted. */
  readonly steps: number;
  readonly calls: number;
}

/** Counts the steps and the calls of a run. */
export function countsOf({ steps }: TracedRun): RunCounts {
  return {
    steps: steps.filter(({ closing, step }) => !closing && step > 0).length,
    calls: steps.reduce((sum, { calls }) => sum + calls.length, 0),
  };
}

/** Milliseconds that a run took, or has taken so far. */
export function elapsedMs({ result, startedMs, lastMs }: TracedRun): number {
  return result?.elapsed_ms ?? lastMs - startedMs;
}
