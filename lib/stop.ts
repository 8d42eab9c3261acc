/**
 * When a run ends and how.
 *
 * @module
 */

import type { RunRecord } from "./record.ts";
import type { RunStatus, StopReason } from "./events.ts";

/** What tokens cost, in any currency for a million. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Of input that the server had kept from an earlier request; as input where left out. */
  readonly cachedInput?: number;
}

/** The bounds of a run; null is none. */
export interface Limits {
  /** Requests to the model; 15 by default. Source: the design. */
  readonly maxSteps: number;
  /** Denied calls in a row; 3 by default. Source: the design. */
  readonly maxDenials: number;
  /** Tokens in and out, as the server counts them. */
  readonly maxTokens: number | null;
  readonly maxTimeMs: number | null;
  /** In the currency of the prices. */
  readonly maxCost: number | null;
  readonly prices: Prices | null;
}

/** The bounds that a run has where nobody sets others. */
export const DEFAULT_LIMITS: Limits = {
  maxSteps: 15,
  maxDenials: 3,
  maxTokens: null,
  maxTimeMs: null,
  maxCost: null,
  prices: null,
};

/** What is known beside the record when it is asked whether a run ends. */
export interface Circumstances {
  /** Whether somebody interrupted the run. */
  readonly interrupted: boolean;
  /** Whether its time is over. */
  readonly late: boolean;
  /** Tokens that the next request would take, as far as it can be told; 0 if that is not known. */
  readonly nextTokens: number;
}

/** What a number of tokens costs, or null where nobody set prices. */
export function costOf(
  { inputTokens, cachedInputTokens, outputTokens }: Pick<
    RunRecord,
    "inputTokens" | "cachedInputTokens" | "outputTokens"
  >,
  prices: Prices | null,
): number | null {
  if (prices === null) return null;
  const { input, cachedInput = input, output } = prices;
  const cached = Math.min(cachedInputTokens, inputTokens);
  return ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) /
    1_000_000;
}

function afterTurn(record: RunRecord): StopReason | null {
  if (record.turn === null || record.turn.calls > 0) return null;
  if (record.turn.finishReason === "length") return "token_limit";
  // What is said right after a denial is not an answer that a script can rely on.
  return record.deniedLately ? "blocked" : "answered";
}

/**
 * Whether the next turn would pass a limit of tokens or cost, as long as the turns before it on
 * average. One more is set aside for the one that sums up.
 */
export function overBudget(
  record: RunRecord,
  limits: Limits,
  nextTokens: number,
): StopReason | null {
  const inputTokens = record.inputTokens + 2 * nextTokens;
  const outputTokens = record.outputTokens +
    Math.ceil(2 * record.outputTokens / Math.max(1, record.steps));
  const { maxTokens, maxCost, prices } = limits;
  if (maxTokens !== null && inputTokens + outputTokens >= maxTokens) return "token_limit";
  const { cachedInputTokens } = record;
  const cost = costOf({ inputTokens, cachedInputTokens, outputTokens }, prices);
  return maxCost !== null && cost !== null && cost >= maxCost ? "cost_limit" : null;
}

/**
 * Decides whether a run ends here.
 *
 * @param record The run so far.
 * @returns Why it ends, or null if it goes on.
 */
export function stopAfter(
  record: RunRecord,
  limits: Limits,
  { interrupted, late, nextTokens }: Circumstances,
): StopReason | null {
  if (interrupted) return "interrupted";
  const turn = afterTurn(record);
  // What has already come in time counts.
  if (late) return turn === "answered" ? turn : "time_limit";
  if (record.exhausted) return "context_exhausted";
  if (record.error !== null) return "model_error";
  if (turn !== null) return turn;
  if (record.denialsInARow >= limits.maxDenials) return "blocked";
  if (record.repetition.tooOften) return "repeating";
  if (record.steps >= limits.maxSteps) return "step_limit";
  return overBudget(record, limits, nextTokens);
}

/** The status that a stop reason amounts to. */
export function statusOf(stop: StopReason): RunStatus {
  if (stop === "answered") return "success";
  return stop === "model_error" || stop === "schema_unmet" ? "failed" : "unfinished";
}
