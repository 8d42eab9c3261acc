/**
 * What a model is told of a call that may not run.
 *
 * @module
 */

import { clip } from "../results/characters.ts";
import type { Approval, EvaluatedPart, Evaluation, ObservationError, RuleMatch } from "../types.ts";

/** Rules of this prefix say only that no other one allows something. */
const DEFAULT_RULES = "default.";

/** Characters of a judged part that are quoted. */
const QUOTED_CHARS = 160;

/** The rules of a part that led to its decision; a default only where nothing else is said. */
function tellingRules(part: EvaluatedPart): readonly RuleMatch[] {
  const rules = part.matches.filter((match) => match.decision === part.decision);
  const telling = rules.filter(({ rule }) => !rule.startsWith(DEFAULT_RULES));
  return telling.length > 0 ? telling : rules;
}

function decisiveParts({ decision, parts }: Evaluation): readonly EvaluatedPart[] {
  return parts.filter((part) => part.decision === decision);
}

/** The rules that led to the decision; what no rule allows is said only where nothing else is. */
export function decisiveRules(evaluation: Evaluation): RuleMatch[] {
  return decisiveParts(evaluation).flatMap(tellingRules);
}

/** Which parts, by which rule, and why: three of them at the most. */
function reasons(evaluation: Evaluation): string {
  const lines = decisiveParts(evaluation).flatMap((part) =>
    tellingRules(part).slice(0, 1).map(({ rule, reason }) =>
      `"${clip(part.text.replace(/\s+/g, " "), QUOTED_CHARS)}" (rule ${rule}: ${reason})`
    )
  );
  return [...new Set(lines)].slice(0, 3).join("; ");
}

/** A person's no. */
type Rejection = Extract<Approval, { granted: false; by: "person" }>;

/** What the person said with the no. */
function wordsOf({ scope, reason }: Rejection): string {
  if (reason !== null) return `in these words: "${reason}"`;
  return scope === "run" ? "and ended the run" : "without giving a reason";
}

/** Said to a model that a person gave a reason. */
const HEED = "Do what the person said. Do not try the same in another way.";

function hintOf(rules: readonly RuleMatch[], approval: Approval | null): string {
  if (approval?.granted === false && approval.by === "person" && approval.reason !== null) {
    return HEED;
  }
  const suggestions = [...new Set(rules.flatMap((rule) => rule.suggest ?? []))];
  return suggestions.length > 0
    ? suggestions.slice(0, 2).join(" ")
    : "Do not try the same in another way. Use reading commands, or tell the person what is needed.";
}

function verdict(evaluation: Evaluation, approval: Approval | null): [string, string] {
  if (evaluation.decision === "deny") return ["denied_by_policy", "The policy denies"];
  if (approval === null || approval.granted) return ["denied", "Not allowed:"];
  if (approval.by === "person") return ["rejected", `A person said no (${wordsOf(approval)}) to`];
  return ["approval_needed", `Needs a person's approval and ${approval.reason}:`];
}

/**
 * The error of a denied call.
 *
 * @param approval What a person said; null where nobody was asked.
 */
export function denialOf(evaluation: Evaluation, approval: Approval | null): ObservationError {
  const [code, verb] = verdict(evaluation, approval);
  const hint = hintOf(decisiveRules(evaluation), approval);
  return { code, message: `${verb} ${reasons(evaluation)}`, hint, retriable: false };
}
