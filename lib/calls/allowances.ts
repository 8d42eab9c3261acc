/**
 * Calls that a person has allowed for the rest of a session.
 *
 * @module
 */

import type { Json } from "../types.ts";
import type { ApprovalRequest } from "./pipeline.ts";

/** The same text for the same value, whatever the order of its keys; nothing else is overlooked. */
function canonicalText(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a < b ? -1 : 1));
  });
}

/** What a person said yes to: the call as it is, and what the policy asked about it. */
function exactly({ tool, arguments: args, evaluation }: ApprovalRequest): string {
  const asked = evaluation.parts.flatMap(({ matches }) =>
    matches.map(({ rule, decision, matched }) => [rule, decision, matched])
  );
  return canonicalText([tool, args, asked]);
}

/**
 * Exact allowances: one covers the same tool with the same arguments, for as long as the policy has
 * the same to say of it, and nothing else. They are in memory: a person who goes on with a session
 * in another process is asked again.
 */
export class Allowances {
  readonly #allowed = new Set<string>();

  /** Whether this very call was allowed. */
  covers(request: ApprovalRequest): boolean {
    return request.evaluation.decision === "ask" && this.#allowed.has(exactly(request));
  }

  /** Allows this very call from now on. */
  add(request: ApprovalRequest): void {
    this.#allowed.add(exactly(request));
  }
}
