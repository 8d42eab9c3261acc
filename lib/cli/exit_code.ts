/**
 * Exit codes that tell the truth.
 *
 * @module
 */

import type { RunResult } from "../events.ts";
import type { CallStatus } from "../types.ts";

/** The run was interrupted by a signal. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly signal: InterruptSignal;

  constructor(signal: InterruptSignal) {
    super(`Interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** The signals that end a run early but orderly. */
export type InterruptSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** 128 + the number of the signal. Source: POSIX shells. */
export const SIGNAL_EXIT_CODES: Readonly<Record<InterruptSignal, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/** Nobody reads stdout any more; as if SIGPIPE had ended the process. */
export const OUTPUT_CLOSED_EXIT_CODE = 141;

/** What counts as a failure although there is an answer. */
export interface FailOn {
  readonly failOnDenied?: boolean;
  readonly failOnToolError?: boolean;
}

/** How calls end that did not bring what they were to bring. */
const TOOL_ERRORS: readonly CallStatus[] = ["error", "timeout", "unavailable"];

/**
 * The exit code of an answered run: 4 if a call was denied, else 3 if one failed, where that
 * counts.
 */
function codeOfAnswered({ calls }: RunResult, { failOnDenied, failOnToolError }: FailOn): number {
  if (failOnDenied && calls.some(({ status }) => status === "denied")) return 4;
  return failOnToolError && calls.some(({ status }) => TOOL_ERRORS.includes(status)) ? 3 : 0;
}

/**
 * The exit code of a finished run. Source: the table in `docs/architecture.md`.
 *
 * @param interruption The reason of the run's signal, if it was aborted.
 */
export function exitCodeOf(
  result: RunResult,
  interruption: unknown,
  failOn: FailOn = {},
): number {
  switch (result.stop_reason) {
    case null:
      return 1;
    case "answered":
      return codeOfAnswered(result, failOn);
    case "step_limit":
    case "token_limit":
    case "time_limit":
    case "cost_limit":
    case "context_exhausted":
    case "repeating":
      return 3;
    case "blocked":
      return 4;
    case "model_error":
      return 5;
    case "schema_unmet":
      return 6;
    case "interrupted":
      return SIGNAL_EXIT_CODES[
        interruption instanceof Interruption ? interruption.signal : "SIGINT"
      ];
  }
}
