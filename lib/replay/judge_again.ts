/**
 * Calls that were made, judged by another policy: which decisions would change.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import { decisiveRules } from "../calls/denial.ts";
import type { Decision, Evaluation, Json, Judge, Tool } from "../types.ts";
import type { Difference } from "./difference.ts";

/** A call that was judged. */
export interface JudgedCall {
  readonly run: string;
  readonly call: string;
  readonly tool: string;
  readonly arguments: Json;
  readonly brief: string;
  readonly decision: Decision;
}

/** What judging again came to. */
export interface JudgedAgain {
  /** Calls that were judged again. */
  readonly judged: number;
  /** Calls whose tool is not known here, or whose arguments were not understood. */
  readonly left: number;
  readonly differences: readonly Extract<Difference, { kind: "decision" }>[];
}

/** What is said of a call that would be judged otherwise. */
export function decisionDifference(
  { run, call, tool, brief, decision }: Omit<JudgedCall, "arguments">,
  now: Evaluation,
): Extract<Difference, { kind: "decision" }> {
  const rules = [...new Set(decisiveRules(now).map(({ rule }) => rule))];
  const decisions = { recorded: decision, now: now.decision };
  return { kind: "decision", run, call, tool, brief, ...decisions, rules };
}

/** Judges calls by a policy; none of them is run. */
export function judgeAgain(
  calls: Iterable<JudgedCall>,
  tools: readonly Tool[],
  judge: Judge,
): JudgedAgain {
  let judged = 0;
  let left = 0;
  const differences: Extract<Difference, { kind: "decision" }>[] = [];
  for (const call of calls) {
    const { tool: name, arguments: args, decision } = call;
    const tool = tools.find((known) => known.name === name);
    if (tool === undefined || !isJsonObject(args)) {
      left++;
      continue;
    }
    judged++;
    const evaluation = judge({ tool: name, effect: tool.effect, subjects: tool.subjects(args) });
    if (evaluation.decision === decision) continue;
    differences.push(decisionDifference(call, evaluation));
  }
  return { judged, left, differences };
}
