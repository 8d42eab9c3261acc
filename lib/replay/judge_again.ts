/**
 * Calls that were made, judged by another policy: which decisions would change.
 *
 * @module
 */

import { decisiveRules } from "../calls/denial.ts";
import type { Decision, Json, JsonObject, Judge, Tool } from "../types.ts";
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

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
  for (const { run, call, tool: name, arguments: args, brief, decision } of calls) {
    const tool = tools.find((known) => known.name === name);
    if (tool === undefined || !isObject(args)) {
      left++;
      continue;
    }
    judged++;
    const evaluation = judge({ tool: name, effect: tool.effect, subjects: tool.subjects(args) });
    if (evaluation.decision === decision) continue;
    const rules = [...new Set(decisiveRules(evaluation).map(({ rule }) => rule))];
    const now = { recorded: decision, now: evaluation.decision, rules };
    differences.push({ kind: "decision", run, call, tool: name, brief, ...now });
  }
  return { judged, left, differences };
}
