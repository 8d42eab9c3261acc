/**
 * Events of a run, written down in a few words: what a record is folded from.
 *
 * @module
 */

import type { Event, EventBody, RunResult } from "../lib/events.ts";
import { apply, newRecord, type RunRecord } from "../lib/record.ts";
import { failed } from "../lib/results/observe.ts";
import type { Observation } from "../lib/types.ts";
import { fakeResults } from "./fakes.ts";

/** An observation of a denied call. */
export const DENIED: Observation = failed("denied", {
  code: "denied",
  message: "No",
  hint: "",
  retriable: false,
});

/** An observation of a call that brought `{"n": 1}`. */
export const DONE: Observation = fakeResults().observe(
  { ok: true, data: { n: 1 }, summary: "one" },
  {},
);

const USAGE = { input_tokens: 10, output_tokens: 5, estimated: false };

/** Folds events into a record as they are added, a second apart. */
export class EventLog {
  readonly record: RunRecord;
  readonly events: Event[] = [];

  constructor(record: RunRecord = newRecord()) {
    this.record = record;
  }

  /** Adds any event. */
  add(body: EventBody): this {
    const at = new Date(this.events.length * 1000).toISOString();
    const event = { schema: "rein-event/1", at, run_id: "run1", step: 0, ...body } as const;
    apply(this.record, event);
    this.events.push({ ...event, step: this.record.steps });
    return this;
  }

  task(task: string, resumed: "no" | "crashed" | "stopped" = "no"): this {
    const model = { name: "m", source: "s", recorded: false };
    return this.add({ type: "run_started", task, model, max_steps: 15, session: null, resumed });
  }

  step(): this {
    return this.add({ type: "step_started", max_steps: 15, progress: "" });
  }

  /** A turn with calls of `echo` under these ids. */
  turn(content: string, ids: readonly string[] = [], closing = false): this {
    return this.add({
      type: "turn_finished",
      reasoning: null,
      content,
      calls: ids.map((id) => ({ id, name: "echo", arguments: "{}" })),
      finish_reason: ids.length > 0 ? "calls" : "stop",
      usage: USAGE,
      closing,
    });
  }

  began(id: string): this {
    return this.add({ type: "call_started", call_id: id, tool: "echo", brief: "hi" });
  }

  call(id: string, observation: Observation = DONE): this {
    return this.add({
      type: "call_finished",
      call_id: id,
      tool: "echo",
      brief: "hi",
      arguments: {},
      decision: observation.status === "denied" ? "deny" : "allow",
      observation,
      ms: 7,
    });
  }

  /** The end of a run, of which only the reason matters here. */
  stopped(stop: RunResult["stop_reason"]): this {
    return this.add({ type: "run_finished", result: { stop_reason: stop } as RunResult });
  }
}
