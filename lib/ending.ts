/**
 * What rein itself says of a run that ended without an answer: why, what was done, what was
 * obtained, what is left, how to go on.
 *
 * @module
 */

import type { RunEnding, StopReason } from "./events.ts";
import type { RunRecord } from "./record.ts";
import type { Limits } from "./stop.ts";

/** What is known of a run beside its record. */
export interface EndingFacts {
  readonly limits: Limits;
  /** Items of the task's list that are not done. */
  readonly openItems: readonly string[];
}

function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  return `${Math.round(seconds / 60)} minutes`;
}

/** Why a run stopped, in words; they follow "the run ends here: ". */
export function whyOf(stop: StopReason, record: RunRecord, limits: Limits): string {
  switch (stop) {
    case "answered":
      return "it was answered";
    case "step_limit":
      return `the limit of ${limits.maxSteps} steps was reached`;
    case "token_limit":
      return record.turn?.finishReason === "length" && record.turn.calls === 0
        ? "the model's output limit was reached"
        : `the limit of ${limits.maxTokens} tokens was reached`;
    case "time_limit":
      return `the time limit of ${duration(limits.maxTimeMs ?? 0)} was reached`;
    case "cost_limit":
      return `the cost limit of ${limits.maxCost} was reached`;
    case "context_exhausted":
      return "the conversation does not fit the model's window, and nothing more can be left out";
    case "repeating":
      return "it was repeating itself: the same call brought the same result three times";
    case "blocked":
      return "calls were denied";
    case "interrupted":
      return "it was interrupted";
    case "model_error":
      return "the model failed";
    case "schema_unmet":
      return "the answer did not fit its schema";
  }
}

/** What was established, or else what calls brought. */
function obtainedOf(record: RunRecord): string[] {
  const facts = record.compaction.facts.map(({ text }) => text);
  const text = record.text.trim();
  const partial = text === "" || record.closed ? [] : [`The model's last words: ${text}`];
  return [...facts, ...partial];
}

function leftOf(record: RunRecord, openItems: readonly string[]): string[] {
  const points = record.compaction.digests.at(-1)?.open ?? [];
  const calls = record.notRun.map((what) => `${what}: proposed and not run`);
  return [...new Set([...openItems, ...points, ...calls])];
}

/**
 * Tells of the end of a run.
 *
 * @returns Null if it was answered.
 */
export function endingOf(
  stop: StopReason,
  record: RunRecord,
  { limits, openItems }: EndingFacts,
): RunEnding | null {
  if (stop === "answered") return null;
  return {
    why: whyOf(stop, record, limits),
    done: record.done.map(({ step, what, summary }) => `[${step}] ${what} → ${summary}`),
    obtained: obtainedOf(record),
    left: leftOf(record, openItems),
    resume: record.session === null ? null : `rein resume ${record.session}`,
  };
}
