/**
 * Runs read from events as they were stored, whoever wrote them: what is missing or strange costs
 * what it tells, and nothing else.
 *
 * @module
 */

import type { Event } from "../events.ts";
import { delegatedTasks } from "./delegated_task.ts";
import type {
  TracedCall,
  TracedCompaction,
  TracedRun,
  TracedStep,
  TracedTask,
} from "./traced_run.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenCall = Mutable<TracedCall>;
type OpenStep = Mutable<Omit<TracedStep, "calls" | "compactions">> & {
  readonly calls: OpenCall[];
  readonly compactions: TracedCompaction[];
};
type OpenRun = Mutable<Omit<TracedRun, "steps">> & { readonly steps: OpenStep[] };
type Of<T extends Event["type"]> = Extract<Event, { readonly type: T }>;
type CallEvent = Extract<Event, { readonly call_id: string }>;

/** What an event added to its run, for whoever follows it. */
export type Told =
  | { readonly what: "began"; readonly run: TracedRun }
  | { readonly what: "answered"; readonly step: TracedStep }
  | { readonly what: "compacted"; readonly compaction: TracedCompaction }
  | { readonly what: "called"; readonly call: TracedCall }
  | { readonly what: "ended"; readonly run: TracedRun };

function newStep(step: number, startedMs: number): OpenStep {
  return {
    step,
    startedMs,
    answeredMs: null,
    content: "",
    reasoning: null,
    usage: null,
    retries: 0,
    compactions: [],
    calls: [],
    closing: false,
  };
}

function newCall({ call_id: id, tool }: CallEvent, startedMs: number): OpenCall {
  return {
    id,
    tool,
    brief: "",
    arguments: null,
    evaluation: null,
    approval: null,
    observation: null,
    startedMs,
    ms: null,
    tasks: [],
  };
}

/** The last step of a run; one is made where the run has none, as after damage. */
function stepOf(run: OpenRun, { step }: Event, atMs: number): OpenStep {
  const last = run.steps.at(-1);
  if (last !== undefined) return last;
  const made = newStep(step, atMs);
  run.steps.push(made);
  return made;
}

/** The step of last words, which no event begins. */
function closingStep(run: OpenRun, { step }: Event): OpenStep {
  const made = newStep(step, run.lastMs);
  run.steps.push(made);
  return made;
}

/** Where a trace comes from, as far as its events tell. */
function traceIdOf(event: Of<"run_started">): string | null {
  const { trace_id: id } = event as { readonly trace_id?: unknown };
  return typeof id === "string" && id !== "" ? id : null;
}

/** Reads runs event by event. */
export class Tracer {
  readonly #runs: OpenRun[] = [];
  /** The calls of the newest run, by their ids. */
  #calls = new Map<string, OpenCall>();

  /** The runs so far, in their order; they go on changing as events are taken. */
  get runs(): readonly TracedRun[] {
    return this.#runs;
  }

  /**
   * Takes the next event.
   *
   * @returns What is new by it; null where that is nothing to tell of yet.
   */
  take(event: Event): Told | null {
    const parsed = Date.parse(event.at);
    if (event.type === "run_started") return this.#begin(event, parsed || 0);
    const run = this.#runs.at(-1);
    if (run === undefined) return null;
    const atMs = Number.isNaN(parsed) ? run.lastMs : parsed;
    const told = this.#add(run, event, atMs);
    run.lastMs = Math.max(run.lastMs, atMs);
    return told;
  }

  #begin(event: Of<"run_started">, startedMs: number): Told {
    const { run_id: runId, session, task, model } = event;
    const head = { runId, session, traceId: traceIdOf(event), task, model: model?.name ?? "" };
    const run = { ...head, startedMs, lastMs: startedMs, steps: [], facts: [], result: null };
    this.#runs.push(run);
    this.#calls = new Map();
    return { what: "began", run };
  }

  #add(run: OpenRun, event: Event, atMs: number): Told | null {
    switch (event.type) {
      case "step_started":
        run.steps.push(newStep(event.step, atMs));
        return null;
      case "model_retried":
        stepOf(run, event, atMs).retries++;
        return null;
      case "turn_finished":
        return this.#answer(run, event, atMs);
      case "context_compacted":
        return this.#compact(run, event, atMs);
      case "run_finished":
        run.result = event.result;
        if (event.result.facts?.length > 0) run.facts = event.result.facts;
        return { what: "ended", run };
      default:
        return "call_id" in event ? this.#call(run, event, atMs) : null;
    }
  }

  #answer(run: OpenRun, event: Of<"turn_finished">, atMs: number): Told {
    const { content, reasoning, usage, closing } = event;
    const step = closing ? closingStep(run, event) : stepOf(run, event, atMs);
    return {
      what: "answered",
      step: Object.assign(step, { content, reasoning, usage, closing, answeredMs: atMs }),
    };
  }

  #compact(run: OpenRun, event: Of<"context_compacted">, atMs: number): Told {
    const { cause, tokens_before: tokensBefore, tokens_after: tokensAfter, by, digest } = event;
    const compaction = { cause, tokensBefore, tokensAfter, by, digest };
    stepOf(run, event, atMs).compactions.push(compaction);
    run.facts = event.facts ?? run.facts;
    return { what: "compacted", compaction };
  }

  #call(run: OpenRun, event: CallEvent, atMs: number): Told | null {
    const call = this.#callOf(run, event, atMs);
    switch (event.type) {
      case "call_judged":
        call.evaluation = event.evaluation;
        return null;
      case "approval_answered":
        call.approval = event.approval;
        return null;
      case "call_started":
        call.brief = event.brief;
        call.startedMs = atMs;
        return null;
      case "call_finished":
        call.brief = event.brief || call.brief;
        call.arguments = event.arguments;
        call.observation = event.observation;
        call.ms = event.ms;
        call.tasks = delegatedTasks(event.observation.data)
          .map((task): TracedTask => ({ ...task, runs: [] }));
        return { what: "called", call };
      default:
        return null;
    }
  }

  /** The call of an event; a new one belongs to the newest step. */
  #callOf(run: OpenRun, event: CallEvent, atMs: number): OpenCall {
    const known = this.#calls.get(event.call_id);
    if (known !== undefined && known.observation === null) return known;
    const made = newCall(event, atMs);
    this.#calls.set(made.id, made);
    stepOf(run, event, atMs).calls.push(made);
    return made;
  }
}

/** The runs of a session, in their order. */
export function tracedRuns(events: Iterable<Event>): readonly TracedRun[] {
  const tracer = new Tracer();
  for (const event of events) tracer.take(event);
  return tracer.runs;
}
