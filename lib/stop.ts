/**
 * When a run ends and how.
 *
 * @module
 */

import type { RunRecord } from "./record.ts";
import type { RunStatus, StopReason } from "./events.ts";

/** The bounds of a run. */
export interface Limits {
  /** Requests to the model; 15 by default. Source: the design. */
  readonly maxSteps: number;
  /** Denied calls in a row; 3 by default. Source: the design. */
  readonly maxDenials: number;
}

/** The bounds that a run has where nobody sets others. */
export const DEFAULT_LIMITS: Limits = { maxSteps: 15, maxDenials: 3 };

function afterTurn(record: RunRecord): StopReason | null {
  if (record.turn === null || record.turn.calls > 0) return null;
  if (record.turn.finishReason === "length") return "token_limit";
  // What is said right after a denial is not an answer that a script can rely on.
  return record.deniedLately ? "blocked" : "answered";
}

/**
 * Decides whether a run ends here.
 *
 * @param record The run so far.
 * @param interrupted Whether the run's signal was aborted.
 * @returns Why it ends, or null if it goes on.
 */
export function stopAfter(
  record: RunRecord,
  limits: Limits,
  interrupted: boolean,
): StopReason | null {
  if (interrupted) return "interrupted";
  if (record.error !== null) return "model_error";
  const turn = afterTurn(record);
  if (turn !== null) return turn;
  if (record.denialsInARow >= limits.maxDenials) return "blocked";
  return record.steps >= limits.maxSteps ? "step_limit" : null;
}

/** The status that a stop reason amounts to. */
export function statusOf(stop: StopReason): RunStatus {
  if (stop === "answered") return "success";
  return stop === "model_error" ? "failed" : "unfinished";
}
