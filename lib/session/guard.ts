/**
 * A call that was running when its process ended may have taken effect: it is not made again
 * unless a person says so.
 *
 * @module
 */

import { parseArguments } from "../calls/parse.ts";
import type { RunRecord } from "../record.ts";
import type { Evaluation, Json, JudgeRequest, Tool } from "../types.ts";

/** Judges a call; never rejects. */
export type AsyncJudge = (request: JudgeRequest) => Promise<Evaluation>;

/** What the guard depends on. */
export interface GuardOptions {
  readonly record: Pick<RunRecord, "interrupted">;
  readonly tools: readonly Tool[];
  /** Allows what only reads. */
  readonly readOnly: AsyncJudge;
}

/** The rule by which such a call asks. */
export const INTERRUPTED_RULE = "rein.interrupted";

const RULE = {
  rule: INTERRUPTED_RULE,
  decision: "ask",
  reason: "The same call was interrupted when rein ended, and may have taken effect",
  suggest: "Look at what is there before you do it again.",
} as const;

/** What an interrupted call was about to do, as a policy judges it; null if that can't be told. */
function requestOf(call: { tool: string; arguments: Json }, tools: readonly Tool[]) {
  const tool = tools.find(({ name }) => name === call.tool);
  if (tool === undefined) return null;
  const { arguments: args } = call;
  const parsed = typeof args === "string" ? parseArguments(args) : { ok: false as const };
  if (!parsed.ok) return null;
  return { tool: tool.name, effect: tool.effect, subjects: tool.subjects(parsed.args) };
}

function isSame(one: JudgeRequest, other: JudgeRequest): boolean {
  return one.tool === other.tool &&
    JSON.stringify(one.subjects) === JSON.stringify(other.subjects);
}

function asking(evaluation: Evaluation, { tool }: JudgeRequest): Evaluation {
  if (evaluation.decision === "deny") return evaluation;
  const match = { ...RULE, matched: tool, span: null };
  const part = { text: tool, span: null, decision: "ask", matches: [match] } as const;
  return { decision: "ask", parts: [part, ...evaluation.parts] };
}

/**
 * Wraps a judge: what changes something and was interrupted before is asked.
 *
 * @param judge Decides on everything else.
 */
export function guardInterrupted(
  judge: AsyncJudge,
  { record, tools, readOnly }: GuardOptions,
): AsyncJudge {
  return async (request) => {
    const evaluation = await judge(request);
    const again = record.interrupted.some((call) => {
      const before = requestOf(call, tools);
      return before !== null && isSame(before, request);
    });
    if (!again || (await readOnly(request)).decision === "allow") return evaluation;
    return asking(evaluation, request);
  };
}
