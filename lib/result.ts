/**
 * The result of a run, from its record.
 *
 * @module
 */

import { endingOf } from "./ending.ts";
import type { RunResult, StopReason } from "./events.ts";
import type { RunRecord } from "./record.ts";
import { costOf, type Limits, statusOf } from "./stop.ts";
import type { Model } from "./types.ts";

/** What a result says beside its record. */
export interface ResultFacts {
  readonly runId: string;
  readonly model: Pick<Model, "name" | "recorded">;
  readonly limits: Limits;
  readonly nowMs: number;
  /** Items of the task's list that are not done. */
  readonly openItems: readonly string[];
}

/** What is said beside calls is no answer. */
function answerOf(record: RunRecord): string | null {
  const beside = record.turn !== null && record.turn.calls > 0 && !record.closed;
  return beside || record.text.trim() === "" ? null : record.text;
}

/** Builds the result of a run that has stopped. */
export function resultOf(record: RunRecord, stop: StopReason, facts: ResultFacts): RunResult {
  const { model, limits } = facts;
  return {
    schema: "rein-result/1",
    run_id: facts.runId,
    status: statusOf(stop),
    stop_reason: stop,
    answer: answerOf(record),
    data: record.data,
    model: { name: model.name, recorded: model.recorded },
    steps: record.steps,
    usage: {
      input_tokens: record.inputTokens,
      ...(record.cachedInputTokens > 0 ? { cached_input_tokens: record.cachedInputTokens } : {}),
      output_tokens: record.outputTokens,
      estimated: record.estimated,
    },
    cost: costOf(record, limits.prices),
    elapsed_ms: Math.max(0, facts.nowMs - record.startedMs),
    session: record.session,
    calls: record.calls,
    facts: record.compaction.facts,
    error: record.error,
    ending: endingOf(stop, record, facts),
  };
}
