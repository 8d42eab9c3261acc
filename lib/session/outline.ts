/**
 * What happened in a session, run by run, as people and programs want to see it.
 *
 * @module
 */

import type { Event } from "../events.ts";

/** One call of a run. */
export interface CallOutline {
  readonly id: string;
  readonly step: number;
  readonly tool: string;
  /** The arguments in a few words; empty where the call never got that far. */
  brief: string;
  /** How it ended; `unfinished`: it was proposed or begun, and nothing is known of its end. */
  status: string;
  /** The result in a few words. */
  summary: string;
  ms: number | null;
}

/** Something that was established. */
export interface FactOutline {
  readonly text: string;
  /** The id of the call that showed it; empty where that is not known. */
  readonly call: string;
  readonly step: number;
}

/** One run. */
export interface RunOutline {
  readonly run_id: string;
  readonly task: string;
  readonly model: string;
  /** How it ended; `running` where it has not, or was broken off. */
  state: string;
  steps: number;
  readonly calls: readonly CallOutline[];
  /** The newest state of what was established. */
  facts: readonly FactOutline[];
  /** Null where there is none. */
  answer: string | null;
}

/** A run while its events are read. */
type OpenRun = RunOutline & { readonly calls: CallOutline[] };

/** Events are read as they come: a later rein may have written more kinds, or other fields. */
type Fields = { readonly [name: string]: unknown };

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value as Fields : {};
}

const textOf = (value: unknown) => typeof value === "string" ? value : "";
const numberOf = (value: unknown) => typeof value === "number" ? value : 0;

function newRun(event: Fields): OpenRun {
  return {
    run_id: textOf(event["run_id"]),
    task: textOf(event["task"]),
    model: textOf(fieldsOf(event["model"])["name"]),
    state: "running",
    steps: 0,
    calls: [],
    facts: [],
    answer: null,
  };
}

function factsIn(value: unknown): FactOutline[] {
  if (!Array.isArray(value)) return [];
  return value.map(fieldsOf).map(({ text, call, step }) => ({
    text: textOf(text),
    call: textOf(call),
    step: numberOf(step),
  }));
}

/** The call that an event is about, begun where it is new. */
function callOf(run: OpenRun, event: Fields): CallOutline {
  const id = textOf(event["call_id"]);
  const step = numberOf(event["step"]);
  // Models give ids that are unique in their turn, and some no better than that.
  const known = run.calls.findLast((call) => call.id === id && call.step === step);
  if (known !== undefined) return known;
  const tool = textOf(event["tool"]);
  const call = { id, step, tool, brief: "", status: "unfinished", summary: "", ms: null };
  run.calls.push(call);
  return call;
}

function finishCall(call: CallOutline, event: Fields): void {
  const { status, summary } = fieldsOf(event["observation"]);
  call.status = textOf(status);
  call.summary = textOf(summary);
  call.ms = numberOf(event["ms"]);
}

function finishRun(run: OpenRun, result: Fields): void {
  run.state = textOf(result["stop_reason"]) || "failed";
  run.answer = typeof result["answer"] === "string" ? result["answer"] : null;
}

/** Adds what an event tells; kinds that are not known tell nothing. */
function follow(run: OpenRun, event: Fields): void {
  run.steps = Math.max(run.steps, numberOf(event["step"]));
  switch (event["type"]) {
    case "call_proposed":
      callOf(run, event);
      return;
    case "call_started":
      callOf(run, event).brief = textOf(event["brief"]);
      return;
    case "call_finished": {
      const call = callOf(run, event);
      call.brief = textOf(event["brief"]) || call.brief;
      return finishCall(call, event);
    }
    case "context_compacted":
      run.facts = factsIn(event["facts"]);
      return;
    case "run_finished":
      return finishRun(run, fieldsOf(event["result"]));
  }
}

/**
 * Reads a session's events once.
 *
 * @returns Its runs in order; what stands before the first run's beginning, as after damage, is a
 * run without a task.
 */
export function outlineOf(events: Iterable<Event>): RunOutline[] {
  const runs: OpenRun[] = [];
  for (const event of events) {
    const fields = fieldsOf(event);
    const last = runs.at(-1);
    const begins = last === undefined || fields["type"] === "run_started" ||
      last.run_id !== textOf(fields["run_id"]);
    const run = begins ? newRun(fields) : last;
    if (begins) runs.push(run);
    follow(run, fields);
  }
  return runs;
}
