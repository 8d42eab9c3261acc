/**
 * Calls that the model proposed and that have no result: the run or its process ended first. The
 * conversation needs a result for each.
 *
 * @module
 */

import type { EventBody } from "./events.ts";
import {
  INTERRUPTED_CODE,
  newestRound,
  NOT_RUN_CODE,
  openCalls,
  type RunRecord,
} from "./record.ts";
import { clip } from "./results/characters.ts";
import { failed } from "./results/observe.ts";
import type { Observation, ToolCall } from "./types.ts";

/** Characters of the arguments where nobody has made them brief. */
const BRIEF_CHARS = 120;

const INTERRUPTED: Observation = failed("cancelled", {
  code: INTERRUPTED_CODE,
  message: "rein was ended while this call ran; whether it took effect is not known",
  hint: "Look at what is there before you do it again.",
  retriable: false,
});

const NOT_RUN: Observation = failed("cancelled", {
  code: NOT_RUN_CODE,
  message: "The run ended before this call; it was not run",
  hint: "Send it again if it is still needed.",
  retriable: true,
});

function orphanEvent({ id, name, arguments: args }: ToolCall, begun: boolean): EventBody {
  return {
    type: "call_finished",
    call_id: id,
    tool: name,
    brief: clip(args.replace(/\s+/g, " ").trim(), BRIEF_CHARS),
    arguments: args,
    decision: null,
    observation: begun ? INTERRUPTED : NOT_RUN,
    ms: 0,
  };
}

/**
 * Calls that a process had begun when it ended, and that belong to the task of now: only those may
 * be taken up.
 */
export function begunCalls(record: RunRecord): readonly ToolCall[] {
  const round = newestRound(record);
  if (round === null || round.number < record.taskEntry) return [];
  return openCalls(record).filter(({ id }) => record.begun.has(id));
}

/** Gives every call without a result one: `interrupted` where it was begun, else `not_run`. */
export function* orphanEvents(record: RunRecord): Generator<EventBody, void> {
  for (const call of openCalls(record)) yield orphanEvent(call, record.begun.has(call.id));
}
