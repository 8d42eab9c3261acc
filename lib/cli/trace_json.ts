/**
 * Traced runs as programs get them.
 *
 * @module
 */

import { compositionOf } from "../trace/composition.ts";
import {
  elapsedMs,
  type TracedCall,
  type TracedCompaction,
  type TracedRun,
  type TracedStep,
  type TracedTask,
} from "../trace/traced_run.ts";
import type { Followed } from "./trace_follow.ts";
import { isoOf } from "./sessions_list.ts";

function taskJson({ taskId, latencyMs, runs, ...task }: TracedTask): object {
  return { task_id: taskId, ...task, latency_ms: latencyMs, runs: runs.map(runJson) };
}

function callJson({ startedMs, tasks, ...call }: TracedCall): object {
  return { ...call, started: isoOf(startedMs), tasks: tasks.map(taskJson) };
}

function compactionJson({ tokensBefore, tokensAfter, ...rest }: TracedCompaction): object {
  return { tokens_before: tokensBefore, tokens_after: tokensAfter, ...rest };
}

function stepJson({ startedMs, answeredMs, compactions, calls, ...step }: TracedStep): object {
  return {
    ...step,
    started: isoOf(startedMs),
    model_ms: answeredMs === null ? null : answeredMs - startedMs,
    compactions: compactions.map(compactionJson),
    calls: calls.map(callJson),
  };
}

function runJson(run: TracedRun): object {
  return {
    run_id: run.runId,
    session: run.session,
    trace_id: run.traceId,
    task: run.task,
    model: run.model,
    started: isoOf(run.startedMs),
    elapsed_ms: elapsedMs(run),
    steps: run.steps.map(stepJson),
    facts: run.facts,
    composition: compositionOf(run),
    result: run.result,
  };
}

/**
 * A trace as one value. Times are ISO 8601, UTC; `model_ms` is what the model took to answer, null
 * where it did not.
 */
export function traceJson({ session }: Followed, runs: readonly TracedRun[]): object {
  return { schema: "rein-trace/1", session, runs: runs.map(runJson) };
}
