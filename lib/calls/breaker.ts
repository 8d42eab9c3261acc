/**
 * Taking a broken tool out of a run.
 *
 * @module
 */

import type { Effect, Observation, Tool } from "../types.ts";

/** Failures in a row after which a tool is unavailable. Source: the design. */
export const MAX_FAILURES = 3;

/**
 * Whether an observation says that the tool itself is broken. A wrong argument,
 * a missing file, a denial or a slow command is no fault of the tool.
 */
function isFault({ status, error }: Observation, effect: Effect): boolean {
  if (status === "timeout") return effect !== "execute";
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
  note({ name, effect }: Pick<Tool, "name" | "effect">, observation: Observation): void {
    if (observation.status === "success") this.#failures.delete(name);
    else if (isFault(observation, effect)) {
      this.#failures.set(name, (this.#failures.get(name) ?? 0) + 1);
    }
  }
}
