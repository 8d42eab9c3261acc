/**
 * What a model is told of a call that may not run.
 *
 * @module
 */

import type { Approval, Evaluation, ObservationError, RuleMatch } from "../types.ts";

/** Rules of this prefix say only that no other one allows something. */
const DEFAULT_RULES = "default.";

/** The rules that led to the decision; what no rule allows is said only where nothing else is. */
export function decisiveRules(evaluation: Evaluation): RuleMatch[] {
  const rules = evaluation.parts
    .filter((part) => part.decision === evaluation.decision)
    .flatMap((part) => part.matches.filter((match) => match.decision === part.decision));
  const telling = rules.filter(({ rule }) => !rule.startsWith(DEFAULT_RULES));
  return telling.length > 0 ? telling : rules;
}

function reasons(rules: readonly RuleMatch[]): string {
  const lines = rules.map((rule) => `"${rule.matched}" (rule ${rule.rule}: ${rule.reason})`);
  return [...new Set(lines)].slice(0, 3).join("; ");
}

function verdict(evaluation: Evaluation, approval: Approval | null): [string, string] {
  if (evaluation.decision === "deny") return ["denied_by_policy", "The policy denies"];
  if (approval === null || approval.granted) return ["denied", "Not allowed:"];
  if (approval.by === "person") return ["rejected", `A person said no (${approval.reason}) to`];
  return ["approval_needed", `Needs a person's approval and ${approval.reason}:`];
}

/**
 * The error of a denied call.
 *
 * @param approval What a person said; null where nobody was asked.
 */
export function denialOf(evaluation: Evaluation, approval: Approval | null): ObservationError {
  const rules = decisiveRules(evaluation);
  const [code, verb] = verdict(evaluation, approval);
  const suggestions = [...new Set(rules.flatMap((rule) => rule.suggest ?? []))];
  const hint = suggestions.length > 0
    ? suggestions.slice(0, 2).join(" ")
    : "Do not try the same in another way. Use reading commands, or tell the person what is needed.";
  return { code, message: `${verb} ${reasons(rules)}`, hint, retriable: false };
}
