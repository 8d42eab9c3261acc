/**
 * Comparing a run with the same run done again.
 *
 * @module
 */

import type { RecordedAsk, RecordedRun } from "../debug/read.ts";
import type { Event } from "../events.ts";
import { isServerTool } from "../mcp/names.ts";
import { renderObservation } from "../results/observe.ts";
import type { JsonObject, Message, ToolDefinition } from "../types.ts";
import { type Difference, firstDifference, messageText } from "./difference.ts";
import { recordedCalls } from "./stand_ins.ts";

/** Tools that depend on what else there was: servers, and agents. A replay has neither. */
function isFromElsewhere({ name }: ToolDefinition): boolean {
  return isServerTool(name) || name === "delegate";
}

/** What a model sees of a tool. */
function shown({ name, description, parameters }: ToolDefinition): string {
  return JSON.stringify({ name, description, parameters });
}

/** Rein's own tools that are offered in another way than they were. */
export function compareDefinitions(
  { runId: run, definitions }: RecordedRun,
  today: readonly ToolDefinition[],
): readonly Difference[] {
  return definitions.flatMap((recorded) => {
    if (isFromElsewhere(recorded)) return [];
    const now = today.find(({ name }) => name === recorded.name);
    if (now !== undefined && shown(now) === shown(recorded)) return [];
    const what = now === undefined ? "gone" : "changed";
    return [{ kind: "definition", run, tool: recorded.name, what } as const];
  });
}

/** The first message of a request that differs; null: none does. */
export function compareRequest(
  run: string,
  { ask, request }: RecordedAsk,
  messages: readonly Message[],
): Difference | null {
  const count = Math.max(messages.length, request.messages.length);
  for (let index = 0; index < count; index++) {
    const [before, after] = [request.messages[index], messages[index]];
    const lines = firstDifference(
      before ? messageText(before) : "",
      after ? messageText(after) : "",
    );
    if (lines === null && before?.role === after?.role) continue;
    const role = after?.role ?? before?.role ?? "";
    const roles = { recorded: before?.role ?? null, now: after?.role ?? null };
    return { kind: "request", run, ask, message: index + 1, role, ...lines ?? roles };
  }
  return null;
}

/** Calls that ended in another way, or were not made. */
export function compareCalls(
  { runId: run, events }: RecordedRun,
  told: readonly Event[],
): readonly Difference[] {
  const today = recordedCalls(told);
  return recordedCalls(events).flatMap(({ id, tool, observation }) => {
    const again = today.find((call) => call.id === id);
    const now = again ? renderObservation(again.observation) : "not made";
    const lines = firstDifference(renderObservation(observation), now);
    if (lines === null) return [];
    const { recorded, now: other } = lines;
    const text = { recorded: recorded ?? "", now: other ?? "" };
    return [{ kind: "call", run, call: id, tool, ...text } as const];
  });
}

/**
 * What a result says that must be the same again: no times, no ids.
 *
 * @returns Null where the events end before the run.
 */
export function comparedResult(events: readonly Event[]): JsonObject | null {
  const last = events.findLast(({ type }) => type === "run_finished");
  if (last?.type !== "run_finished") return null;
  const { status, stop_reason, answer, data, steps, usage, facts, error, ending } = last.result;
  const calls = last.result.calls.map(({ id, step, tool, decision, status, truncated }) => (
    { id, step, tool, decision, status, truncated }
  ));
  const fields = { status, stop_reason, answer, data, steps, usage, calls, facts, error, ending };
  return JSON.parse(JSON.stringify(fields));
}

/** Fields of a result that differ. */
export function compareResults(
  run: string,
  recorded: JsonObject | null,
  now: JsonObject | null,
): readonly Difference[] {
  if (recorded === null || now === null) return [];
  return Object.entries(recorded).flatMap(([field, before]) => {
    const after = now[field] ?? null;
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [{ kind: "result", run, field, recorded: before, now: after } as const];
  });
}
