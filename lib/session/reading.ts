/**
 * Whether a call only read, by what the policy said of it.
 *
 * @module
 */

import type { Evaluation } from "../types.ts";

/** The ids of rules that only allow what reads begin with this; see `policies/reading/`. */
const READING = "reading.";

/** Whether a policy found every part of a call to be reading. */
export function isReading({ decision, parts }: Evaluation): boolean {
  return decision === "allow" &&
    parts.every(({ matches }) => matches.every(({ rule }) => rule.startsWith(READING)));
}
