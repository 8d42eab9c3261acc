/**
 * Taking a broken tool out of a run.
 *
 * @module
 */

import type { Observation } from "../types.ts";

/** Failures in a row after which a tool is unavailable. Source: the design. */
export const MAX_FAILURES = 3;

/**
 * Whether an observation says that the tool itself is broken. A wrong argument,
 * a missing file or a denial is no fault of the tool.
 */
function isFault({ status, error }: Observation): boolean {
  if (status === "timeout") return true;
  return status === "error" && error !== null && (error.retriable || error.code === "tool_failed");
}

/** Counts each tool's failures in a row, for one run. */
export class Breaker {
  readonly #failures = new Map<string, number>();

  /** Whether a tool may still be used. */
  available(tool: string): boolean {
    return (this.#failures.get(tool) ?? 0) < MAX_FAILURES;
  }

  /** Takes note of how a call ended; one success resets the count. */
  note(tool: string, observation: Observation): void {
    if (observation.status === "success") this.#failures.delete(tool);
    else if (isFault(observation)) this.#failures.set(tool, (this.#failures.get(tool) ?? 0) + 1);
  }
}
