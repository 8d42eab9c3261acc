/**
 * Calls that a person has allowed for the rest of a session.
 *
 * @module
 */

import { canonicalText } from "./canonical_text.ts";
import type { ApprovalRequest } from "./pipeline.ts";

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
