/**
 * A run as a trace shows it: its steps with their thoughts, calls, decisions, tokens. It is read
 * from events as they were stored, whoever wrote them.
 *
 * @module
 */

import type { Digest, Event, Fact, RunResult, TokenUsage } from "../events.ts";
import type { Approval, Evaluation, Json, Observation } from "../types.ts";

/** A task that a call gave to another agent. */
export interface TracedTask {
  /** Null where it was not given an id: it was never sent. */
  readonly taskId: string | null;
  readonly agent: string;
  readonly intent: string;
  readonly status: string;
  /** What went wrong; null if nothing did. */
  readonly error: string | null;
  readonly latencyMs: number | null;
  /** The runs of the agent for it, as far as they are found here. */
  readonly runs: readonly TracedRun[];
}

/** One call. */
export interface TracedCall {
  readonly id: string;
  readonly tool: string;
  /** In a few words; empty where the call never got that far. */
  readonly brief: string;
  readonly arguments: Json;
  readonly evaluation: Evaluation | null;
  readonly approval: Approval | null;
  /** Null: it is not known how it ended, or it has not. */
  readonly observation: Observation | null;
  /** Milliseconds since the epoch. */
  readonly startedMs: number;
  /** Null while it runs. */
  readonly ms: number | null;
  readonly tasks: readonly TracedTask[];
}

/** Room that was made in the model's window. */
export interface TracedCompaction {
  readonly cause: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly by: string | null;
  readonly digest: Digest | null;
}

/** One step: a question to the model, and what it called. */
export interface TracedStep {
  /** From 1; 0 for what came before the first. */
  readonly step: number;
  readonly startedMs: number;
  /** When the model had answered; null where it did not. */
  readonly answeredMs: number | null;
  /** What the model said, and what it thought where it told. */
  readonly content: string;
  readonly reasoning: string | null;
  /** Null where there was no answer. */
  readonly usage: TokenUsage | null;
  /** Requests that failed and were made again. */
  readonly retries: number;
  readonly compactions: readonly TracedCompaction[];
  readonly calls: readonly TracedCall[];
  /** The last request of a run that had stopped, which offers no tools. */
  readonly closing: boolean;
}

/** One run. */
export interface TracedRun {
  readonly runId: string;
  readonly session: string | null;
  /** The same for all that one question led to, across processes; null where it is not told. */
  readonly traceId: string | null;
  readonly task: string;
  readonly model: string;
  readonly startedMs: number;
  /** The newest moment that is known. */
  readonly lastMs: number;
  readonly steps: readonly TracedStep[];
  readonly facts: readonly Fact[];
  /** Null while it goes on, or where its process was ended. */
  readonly result: RunResult | null;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenCall = Mutable<TracedCall>;
type OpenStep = Mutable<Omit<TracedStep, "calls" | "compactions">> & {
  calls: OpenCall[];
  compactions: TracedCompaction[];
};
type OpenRun = Mutable<Omit<TracedRun, "steps">> & { steps: OpenStep[] };

function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === "object" && item !== null && !Array.isArray(item));
}

const textOf = (value: unknown) => typeof value === "string" ? value : "";

/** The tasks that the result of a call tells of. */
function tasksOf(observation: Observation): TracedTask[] {
  return objectsIn(observation.data?.["tasks"])
    .filter((task) => textOf(task["agent"]) !== "")
    .map((task) => {
      const error = objectsIn([task["error"]])[0];
      const latency = objectsIn([task["cost"]])[0]?.["latency_ms"];
      return {
        taskId: textOf(task["task_id"]) || null,
        agent: textOf(task["agent"]),
        intent: textOf(task["intent"]),
        status: textOf(task["status"]),
        error: error === undefined ? null : textOf(error["message"]),
        latencyMs: typeof latency === "number" ? latency : null,
        runs: [],
      };
    });
}

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

class Tracer {
  readonly runs: OpenRun[] = [];

  take(event: Event): void {
    const atMs = Date.parse(event.at);
    if (event.type === "run_started") this.#begin(event, atMs);
    const run = this.runs.at(-1);
    if (run === undefined) return;
    run.lastMs = Math.max(run.lastMs, atMs);
    this.#follow(run, event, atMs);
  }

  #begin(event: Extract<Event, { type: "run_started" }>, startedMs: number): void {
    const { run_id: runId, session, task, model } = event;
    const traceId = textOf((event as { readonly trace_id?: unknown }).trace_id) || null;
    const head = { runId, session, traceId, task, model: model.name };
    const lastMs = startedMs;
    this.runs.push({ ...head, startedMs, lastMs, steps: [], facts: [], result: null });
  }

  #follow(run: OpenRun, event: Event, atMs: number): void {
    switch (event.type) {
      case "step_started":
        run.steps.push(newStep(event.step, atMs));
        return;
      case "model_retried":
        this.#step(run, event.step, atMs).retries++;
        return;
      case "turn_finished": {
        const step = event.closing ? this.#closing(run, event.step, atMs) : undefined;
        const { content, reasoning, usage, closing } = event;
        const answered = { content, reasoning, usage, closing, answeredMs: atMs };
        Object.assign(step ?? this.#step(run, event.step, atMs), answered);
        return;
      }
      case "context_compacted": {
        const { cause, tokens_before: tokensBefore, tokens_after: tokensAfter } = event;
        const { by, digest } = event;
        const compaction = { cause, tokensBefore, tokensAfter, by, digest };
        this.#step(run, event.step, atMs).compactions.push(compaction);
        run.facts = event.facts;
        return;
      }
      case "run_finished":
        run.result = event.result;
        if (event.result.facts?.length > 0) run.facts = event.result.facts;
        return;
      default:
        if ("call_id" in event) this.#call(run, event, atMs);
    }
  }

  /** The step that an event belongs to; one without a beginning, as after damage, is made. */
  #step(run: OpenRun, step: number, atMs: number): OpenStep {
    const last = run.steps.at(-1);
    if (last !== undefined) return last;
    const made = newStep(step, atMs);
    run.steps.push(made);
    return made;
  }

  #closing(run: OpenRun, step: number, atMs: number): OpenStep {
    const made = newStep(step, run.lastMs === 0 ? atMs : run.lastMs);
    run.steps.push(made);
    return made;
  }

  #call(run: OpenRun, event: Extract<Event, { call_id: string }>, atMs: number): void {
    const { calls } = this.#step(run, event.step, atMs);
    const call = calls.findLast(({ id }) => id === event.call_id) ?? this.#newCall(event, atMs);
    if (!calls.includes(call)) calls.push(call);
    switch (event.type) {
      case "call_judged":
        call.evaluation = event.evaluation;
        return;
      case "approval_answered":
        call.approval = event.approval;
        return;
      case "call_started":
        call.brief = event.brief;
        call.startedMs = atMs;
        return;
      case "call_finished":
        call.brief = event.brief || call.brief;
        call.arguments = event.arguments;
        call.observation = event.observation;
        call.ms = event.ms;
        call.tasks = tasksOf(event.observation);
        return;
    }
  }

  #newCall({ call_id: id, tool }: { call_id: string; tool: string }, startedMs: number): OpenCall {
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
}

/** The runs of a session, in their order. */
export function tracedRuns(events: Iterable<Event>): readonly TracedRun[] {
  const tracer = new Tracer();
  for (const event of events) tracer.take(event);
  return tracer.runs;
}

/** Finds what an agent ran for a task; empty where nothing is found here. */
export type FindRuns = (agent: string, taskId: string) => Promise<readonly TracedRun[]>;

/** How deep runs are joined at the most: what is deeper than any delegation goes is a circle. */
const MAX_DEPTH = 8;

/**
 * The same run, with the runs of the agents that it gave tasks to.
 *
 * @throws As `find`.
 */
export async function joinDelegated(
  run: TracedRun,
  find: FindRuns,
  depth = 0,
): Promise<TracedRun> {
  if (depth >= MAX_DEPTH) return run;
  const joinTask = async (task: TracedTask): Promise<TracedTask> => {
    const found = task.taskId === null ? [] : await find(task.agent, task.taskId);
    const runs = [];
    for (const each of found) runs.push(await joinDelegated(each, find, depth + 1));
    return { ...task, runs };
  };
  const steps = [];
  for (const step of run.steps) {
    const calls = [];
    for (const call of step.calls) {
      const tasks = [];
      for (const task of call.tasks) tasks.push(await joinTask(task));
      calls.push({ ...call, tasks });
    }
    steps.push({ ...step, calls });
  }
  return { ...run, steps };
}
