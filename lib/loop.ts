/**
 * The loop: ask the model, run the calls that it proposes, ask again, until
 * something ends it. It knows no terminal, file, vendor or tool.
 *
 * @module
 */

import { runCalls } from "./calls/batch.ts";
import { Breaker } from "./calls/breaker.ts";
import { type Deadline, startDeadline } from "./calls/deadline.ts";
import { type CallPorts, takeUpCall } from "./calls/pipeline.ts";
import type { Context } from "./context/context.ts";
import { progressLine } from "./context/progress.ts";
import { whyOf } from "./ending.ts";
import { checkedAnswer, formReminder, formRequest, unmetError } from "./answer/hold.ts";
import type { AnswerForm } from "./answer/form.ts";
import { begunCalls, orphanEvents } from "./orphans.ts";
import {
  apply,
  beginClosing,
  newRecord,
  noteError,
  noteExhausted,
  openCalls,
  type RunRecord,
} from "./record.ts";
import { resultOf } from "./result.ts";
import { type Circumstances, type Limits, overBudget, stopAfter } from "./stop.ts";
import { faultOf, takeTurn, type Turn } from "./turn.ts";
import type { Event, EventBody, RunResult, StopReason } from "./events.ts";
import { type Model, ModelError, type ToolDefinition } from "./types.ts";

/** What a run needs. */
export interface RunPorts extends Omit<CallPorts, "breaker" | "hint" | "runOf"> {
  readonly model: Model;
  readonly context: Context;
  readonly limits: Limits;
  readonly newId: () => string;
  /** The session that keeps the run; null where nothing is kept. */
  readonly session: string | null;
  /** Items of the task's list that are not done. */
  readonly openItems: () => readonly string[];
  /** The task of another agent that the run serves; left out: a person asks. */
  readonly serves?: { readonly task_id: string; readonly trace_id?: string };
  /** What the final answer must fit; left out: any text. */
  readonly answerForm?: AnswerForm;
  /**
   * Whether calls that were proposed, and not begun when the process ended, are made when the task
   * is gone on with; left out: the model is told that they were not.
   */
  readonly runsPending?: boolean;
}

/** What is to be done. */
export interface Assignment {
  /** What the person wants, with any data that belongs to it; null: go on with what was left. */
  readonly task: string | null;
  /** The session so far; where left out, there is none. */
  readonly record?: RunRecord;
}

/** What the steps of one run need: the breaker and the time belong to the run. */
interface StepPorts extends RunPorts, CallPorts {
  readonly deadline: Pick<Deadline, "signal" | "expired">;
  /** Aborted when somebody interrupts the run; the deadline's is aborted then, too. */
  readonly interrupt: AbortSignal;
}

type Steps = AsyncGenerator<EventBody, void>;

/** Time for the request that sums up a run that had stopped, in milliseconds. */
const CLOSING_MS = 30_000;

/** Said of a call that was made before, with the same result. */
const AGAIN = "This call was made before with the same result. Do not make it again: use what " +
  "you have, do something else, or answer.";

function definitionsOf({ tools, breaker }: StepPorts): readonly ToolDefinition[] {
  return tools.filter(({ name }) => breaker.available(name)).map((
    { name, description, parameters },
  ) => ({
    name,
    description,
    parameters,
  }));
}

/** Tokens of the next request; counted only where a limit depends on it. */
function nextTokensOf(record: RunRecord, ports: StepPorts): number {
  const { maxTokens, maxCost } = ports.limits;
  if (maxTokens === null && maxCost === null) return 0;
  const wanted = { record, last: "", tools: definitionsOf(ports) };
  return ports.context.tokensOf(ports.context.request(wanted));
}

function circumstancesOf(record: RunRecord, ports: StepPorts): Circumstances {
  return {
    interrupted: ports.interrupt.aborted,
    late: ports.deadline.expired(),
    nextTokens: nextTokensOf(record, ports),
  };
}

/** Notes what went wrong with the model; an interruption is not the model's fault. */
function noteFailure(record: RunRecord, error: unknown, signal: AbortSignal): void {
  if (signal.aborted) return;
  if (!(error instanceof ModelError)) throw error;
  noteError(record, { code: error.code, message: error.message, hint: error.hint });
}

/** What a turn is asked for with. */
interface Asked {
  /** What is said behind everything else. */
  readonly last: string;
  readonly tools: readonly ToolDefinition[];
  /** Set where the answer is asked for again. */
  readonly answerForm?: AnswerForm;
}

/** Asks for the next turn, with room made for it; null: the record or a signal says why not. */
async function* nextTurn(
  record: RunRecord,
  { last, tools, answerForm }: Asked,
  ports: StepPorts,
): AsyncGenerator<EventBody, Turn | null> {
  const { context, model, deadline: { signal } } = ports;
  const wanted = { record, last, tools };
  const bound = answerForm?.bound ? { answerSchema: answerForm.schema } : {};
  const options = { closing: false, textOnly: answerForm !== undefined, signal };
  let refused: { window: number | null } | null = null;
  try {
    while (yield* context.makeRoom(wanted, { model, signal, refused })) {
      try {
        return yield* takeTurn({ ...context.request(wanted), ...bound }, ports, options);
      } catch (error) {
        if (!(error instanceof ModelError) || error.code !== "context_length") throw error;
        refused = { window: error.window };
      }
    }
    noteExhausted(record);
  } catch (error) {
    noteFailure(record, error, signal);
  }
  return null;
}

function stepRequest(record: RunRecord, ports: StepPorts): Asked {
  const progress = progressLine(record, ports.limits.maxSteps);
  const form = ports.answerForm;
  const last = form === undefined ? progress : `${progress}\n${formReminder(form.schema)}`;
  return { last, tools: definitionsOf(ports) };
}

async function* step(record: RunRecord, ports: StepPorts): Steps {
  const { maxSteps } = ports.limits;
  const progress = progressLine({ ...record, steps: record.steps + 1 }, maxSteps);
  yield { type: "step_started", max_steps: maxSteps, progress };
  const turn = yield* nextTurn(record, stepRequest(record, ports), ports);
  if (turn === null) return;
  noteError(record, faultOf(turn));
  if (record.error !== null) return;
  const { signal } = ports.deadline;
  yield* runCalls(turn.message.calls, turn.finishReason, ports, signal, () => {
    const stop = stopAfter(record, ports.limits, circumstancesOf(record, ports));
    return stop === null || stop === "step_limit";
  });
}

/** The last, text-only request of a run that has stopped; nothing depends on it. */
async function* close(record: RunRecord, stop: StopReason, ports: StepPorts): Steps {
  const request = ports.context.closing(record, whyOf(stop, record, ports.limits));
  if (request === null) return;
  beginClosing(record);
  const { signal, clear } = startDeadline(ports.clock, CLOSING_MS, ports.interrupt);
  try {
    yield* takeTurn(request, ports, { closing: true, signal });
  } catch (error) {
    if (!(error instanceof ModelError) && !signal.aborted) throw error;
  } finally {
    clear();
  }
}

/** Why the answer can't be asked for again, whether it fits or not; null if it can. */
function limitBeforeAnswer(record: RunRecord, ports: StepPorts): StopReason | null {
  if (ports.deadline.expired()) return "time_limit";
  return overBudget(record, ports.limits, nextTokensOf(record, ports));
}

/** Holds the answer to its form; null: it was asked for again. */
async function* holdAnswer(
  record: RunRecord,
  form: AnswerForm,
  ports: StepPorts,
): AsyncGenerator<EventBody, StopReason | null> {
  const limit = limitBeforeAnswer(record, ports);
  const { corrections } = record;
  const checked = checkedAnswer(form, record.text, { corrections, mayAsk: limit === null });
  yield checked;
  if (checked.fits) return "answered";
  if (checked.correction === null) {
    if (limit === null) noteError(record, unmetError(checked));
    return limit ?? "schema_unmet";
  }
  const asked = { last: formRequest(form.schema), tools: [], answerForm: form };
  const turn = yield* nextTurn(record, asked, ports);
  if (turn !== null) noteError(record, faultOf(turn));
  return null;
}

/** Stops after which the model is not asked again: it said its last word, or can't be asked. */
const WITHOUT_CLOSING: readonly StopReason[] = ["answered", "interrupted", "model_error"];

/** Makes the calls of the newest turn that have surely not begun, in a run that did not end. */
async function* pendingCalls(record: RunRecord, ports: StepPorts): Steps {
  const pending = openCalls(record).filter(({ id }) => !record.begun.has(id));
  if (pending.length === 0 || record.turn === null) return;
  const { signal } = ports.deadline;
  yield* runCalls(pending, record.turn.finishReason, ports, signal, () => !signal.aborted);
}

/** Takes up calls of tools that know how; a dry run leaves them, since they change something. */
async function* takeUp(record: RunRecord, ports: StepPorts): Steps {
  if (ports.readOnly !== null) return;
  const resumable = ports.tools.filter((tool) => tool.resumable).map(({ name }) => name);
  for (const call of begunCalls(record)) {
    if (resumable.includes(call.name)) yield* takeUpCall(call, ports, ports.deadline.signal);
  }
}

async function* steps(
  record: RunRecord,
  ports: StepPorts,
): AsyncGenerator<EventBody, StopReason> {
  // What a process that was ended in mid-run has left.
  yield* takeUp(record, ports);
  if (ports.runsPending) yield* pendingCalls(record, ports);
  yield* orphanEvents(record);
  while (true) {
    const stop = stopAfter(record, ports.limits, circumstancesOf(record, ports));
    if (stop === null) {
      yield* step(record, ports);
      continue;
    }
    if (stop === "answered" && ports.answerForm !== undefined) {
      const held = yield* holdAnswer(record, ports.answerForm, ports);
      if (held !== null) return ports.interrupt.aborted ? "interrupted" : held;
      continue;
    }
    yield* orphanEvents(record);
    const said = record.turn?.calls === 0 || record.closed;
    if (!said && !WITHOUT_CLOSING.includes(stop)) yield* close(record, stop, ports);
    return ports.interrupt.aborted ? "interrupted" : stop;
  }
}

/** The time that a run has left; without a limit it has all. */
function startTime(record: RunRecord, ports: RunPorts, signal: AbortSignal): Deadline {
  const { maxTimeMs } = ports.limits;
  if (maxTimeMs === null) return { ms: 0, signal, expired: () => false, clear: () => {} };
  const ms = Math.max(0, record.startedMs + maxTimeMs - ports.clock.now());
  return startDeadline(ports.clock, ms, signal);
}

function startEvent({ task }: Assignment, record: RunRecord, ports: RunPorts): EventBody {
  const { name, source, recorded } = ports.model;
  return {
    type: "run_started",
    task: task ?? record.task,
    model: { name, source, recorded },
    max_steps: ports.limits.maxSteps,
    session: ports.session,
    resumed: task !== null ? "no" : record.stop === null ? "crashed" : "stopped",
    ...ports.serves,
  };
}

/**
 * Runs a task to its end.
 *
 * @param assignment The task, or what to go on with.
 * @param ports The model, the tools, the policy, the context and the bounds.
 * @param signal Aborted to interrupt the run; it then ends within moments.
 * @returns The result, which is also in the last event, `run_finished`. Each event is in the
 *   record before it is handed out, and what it announces happens after the next is asked for.
 * @throws What no part of rein expects: a defect.
 */
export async function* run(
  assignment: Assignment,
  ports: RunPorts,
  signal: AbortSignal,
): AsyncGenerator<Event, RunResult> {
  const runId = ports.newId();
  const record = assignment.record ?? newRecord();
  const told = (body: EventBody): Event => {
    const at = new Date(ports.clock.now()).toISOString();
    const event = { schema: "rein-event/1", at, run_id: runId, step: 0, ...body } as const;
    apply(record, event);
    return { ...event, step: record.steps };
  };
  yield told(startEvent(assignment, record, ports));
  const hint: CallPorts["hint"] = (call) =>
    record.repetition.timesOf({ ...call, step: record.steps }) > 1 ? AGAIN : null;
  const runOf = (callId: string) => record.begun.get(callId) ?? runId;
  const deadline = startTime(record, ports, signal);
  const breaker = new Breaker();
  try {
    const bodies = steps(record, { ...ports, hint, runOf, breaker, deadline, interrupt: signal });
    let next = await bodies.next();
    for (; !next.done; next = await bodies.next()) yield told(next.value);
    const { model, limits, clock } = ports;
    const facts = { runId, model, limits, nowMs: clock.now(), openItems: ports.openItems() };
    const result = resultOf(record, next.value, facts);
    yield told({ type: "run_finished", result });
    return result;
  } finally {
    deadline.clear();
  }
}
