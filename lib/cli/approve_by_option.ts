/**
 * Approval that was given on the command line, for scripts.
 *
 * @module
 */

import { decisiveRules } from "../calls/denial.ts";
import type { Approver } from "../calls/pipeline.ts";
import { INTERRUPTED_RULE } from "../session/guard.ts";
import type { Evaluation } from "../types.ts";

/** What was approved beforehand. */
export interface ApprovedRules {
  /** Ids of rules, such as `ops.delete`. */
  readonly rules: readonly string[];
  /** Whether all rules are approved that ask. */
  readonly all: boolean;
}

/** Whether all that makes a call ask was approved. */
function isApproved(evaluation: Evaluation, { rules, all }: ApprovedRules): boolean {
  const asking = decisiveRules(evaluation);
  // Whoever approves all does not know that a call was interrupted; it has to be named.
  const approved = (rule: string) => rules.includes(rule) || all && rule !== INTERRUPTED_RULE;
  return evaluation.decision === "ask" && asking.length > 0 &&
    asking.every(({ rule }) => approved(rule));
}

/**
 * Wraps an approver: what was approved beforehand is granted, the rest it decides. What is denied
 * never gets here.
 */
export function approveByOption(approve: Approver, approved: ApprovedRules): Approver {
  return (request, signal) =>
    isApproved(request.evaluation, approved)
      ? Promise.resolve({ granted: true, by: "option", scope: "once" })
      : approve(request, signal);
}
