/**
 * What is known of a run while it goes on: the one state that the stops, the
 * context and the result are made from.
 *
 * @module
 */

import type { FinishedCall } from "./calls/pipeline.ts";
import { renderObservation } from "./results/observe.ts";
import type { CallRecord, RunError } from "./events.ts";
import type { AssistantMessage, FinishReason, Message, Usage } from "./types.ts";

/** A run's state; only the functions of this file change it. */
export interface RunRecord {
  readonly task: string;
  /** The conversation, without what the context puts around it. */
  readonly messages: Message[];
  readonly calls: CallRecord[];
  steps: number;
  inputTokens: number;
  outputTokens: number;
  /** Denied calls since the last one that was not. */
  denialsInARow: number;
  /** Whether a call of the newest step with calls was denied. */
  deniedLately: boolean;
  /** The text of the newest turn, as far as it came. */
  text: string;
  /** How the newest turn ended and whether it proposed calls. */
  turn: { readonly finishReason: FinishReason; readonly calls: number } | null;
  error: RunError | null;
}

/** A run before its first step. */
export function newRecord(task: string): RunRecord {
  return {
    task,
    messages: [{ role: "user", content: task }],
    calls: [],
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    denialsInARow: 0,
    deniedLately: false,
    text: "",
    turn: null,
    error: null,
  };
}

/** Begins the next step. */
export function beginStep(record: RunRecord): void {
  record.steps++;
  record.text = "";
  record.turn = null;
}

/** Counts what a server says that a turn took. */
export function addUsage(record: RunRecord, usage: Usage): void {
  record.inputTokens += usage.inputTokens;
  record.outputTokens += usage.outputTokens;
}

/** Adds a whole turn of the model. */
export function addTurn(
  record: RunRecord,
  message: AssistantMessage,
  finishReason: FinishReason,
): void {
  record.messages.push(message);
  record.text = message.content;
  record.turn = { finishReason, calls: message.calls.length };
  if (message.calls.length > 0) record.deniedLately = false;
}

/** Adds what came of a call. */
export function addCall(record: RunRecord, finished: FinishedCall): void {
  const { call, observation } = finished;
  const content = renderObservation(observation);
  record.messages.push({ role: "tool", callId: call.id, content });
  const denied = observation.status === "denied";
  record.denialsInARow = denied ? record.denialsInARow + 1 : 0;
  record.deniedLately ||= denied;
  record.calls.push({
    id: call.id,
    step: record.steps,
    tool: call.name,
    arguments: finished.arguments,
    decision: finished.decision,
    status: observation.status,
    ms: finished.ms,
    truncated: observation.truncated.length > 0,
  });
}
