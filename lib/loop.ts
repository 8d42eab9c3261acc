/**
 * The loop: ask the model, run the calls that it proposes, ask again, until
 * something ends it. It knows no terminal, file, vendor or tool.
 *
 * @module
 */

import { runCalls } from "./calls/batch.ts";
import { Breaker } from "./calls/breaker.ts";
import type { CallPorts } from "./calls/pipeline.ts";
import { type Assembler, progressLine, SUMMARY_REQUEST } from "./context/assemble.ts";
import { addCall, addTurn, addUsage, beginStep, newRecord, type RunRecord } from "./record.ts";
import { type Limits, statusOf, stopAfter } from "./stop.ts";
import type { Event, EventBody, RunResult, StopReason } from "./events.ts";
import {
  type Model,
  type ModelChunk,
  ModelError,
  type ModelRequest,
  type ToolDefinition,
} from "./types.ts";

/** What a run needs. */
export interface RunPorts extends Omit<CallPorts, "breaker"> {
  readonly model: Model;
  readonly assemble: Assembler;
  readonly limits: Limits;
  readonly newId: () => string;
}

/** What the steps of one run need: the breaker belongs to the run. */
type StepPorts = RunPorts & CallPorts;

type Steps = AsyncGenerator<EventBody, void>;

type Turn = Extract<ModelChunk, { type: "turn_finished" }>;

function definitionsOf({ tools, breaker }: StepPorts): readonly ToolDefinition[] {
  return tools.filter(({ name }) => breaker.available(name)).map((
    { name, description, parameters },
  ) => ({
    name,
    description,
    parameters,
  }));
}

/** Notes what went wrong with the model; an interruption is not the model's fault. */
function noteFailure(record: RunRecord, error: unknown, signal: AbortSignal): void {
  if (signal.aborted) return;
  if (!(error instanceof ModelError)) throw error;
  record.error = { code: error.code, message: error.message, hint: error.hint };
}

/** One request to the model; its text is told as it comes. */
async function* ask(
  record: RunRecord,
  request: ModelRequest,
  ports: RunPorts,
  signal: AbortSignal,
): AsyncGenerator<EventBody, Turn | null> {
  try {
    for await (const chunk of ports.model.ask(request, signal)) {
      if (chunk.type === "turn_finished") {
        addUsage(record, chunk.usage);
        return chunk;
      }
      record.text += chunk.text;
      yield { type: "text_delta", text: chunk.text };
    }
    const hint = "Try again, or use another model.";
    throw new ModelError("bad_response", "The model ended its turn without saying so", { hint });
  } catch (error) {
    noteFailure(record, error, signal);
    return null;
  }
}

function turnEvent(turn: Turn): EventBody {
  const { content, calls } = turn.message;
  const usage = {
    input_tokens: turn.usage.inputTokens,
    output_tokens: turn.usage.outputTokens,
  };
  return { type: "turn_finished", content, calls, finish_reason: turn.finishReason, usage };
}

/** A turn that cannot be gone on from. */
function faultOf(turn: Turn): RunRecord["error"] {
  const { content, calls } = turn.message;
  if (turn.finishReason === "refused") {
    const hint = "Put the task in other words, or use another model.";
    return { code: "rejected", message: "The model's server refused to answer", hint };
  }
  // A model that thought until its output limit has said nothing yet.
  if (turn.finishReason === "length") return null;
  if (content.trim() !== "" || calls.length > 0) return null;
  const hint = "Try again, or use another model.";
  return { code: "bad_response", message: "The model sent neither text nor a call", hint };
}

async function* step(record: RunRecord, ports: StepPorts, signal: AbortSignal): Steps {
  beginStep(record);
  const { maxSteps } = ports.limits;
  yield { type: "step_started", max_steps: maxSteps };
  const messages = ports.assemble(record, progressLine(record, maxSteps));
  const request = { messages, tools: definitionsOf(ports) };
  const turn = yield* ask(record, request, ports, signal);
  if (turn === null) return;
  addTurn(record, turn.message, turn.finishReason);
  yield turnEvent(turn);
  record.error = faultOf(turn);
  if (record.error !== null) return;
  yield* runCalls(turn.message.calls, turn.finishReason, ports, signal, (finished) => {
    for (const call of finished) addCall(record, call);
    const stop = stopAfter(record, ports.limits, signal.aborted);
    return stop !== "blocked" && stop !== "interrupted";
  });
}

/** The last, text-only request of a run that reached its step limit. */
async function* summarize(record: RunRecord, ports: RunPorts, signal: AbortSignal): Steps {
  record.text = "";
  record.turn = null;
  const request = { messages: ports.assemble(record, SUMMARY_REQUEST), tools: [] };
  const turn = yield* ask(record, request, ports, signal);
  if (turn === null) return;
  record.text = turn.message.content;
  record.turn = { finishReason: turn.finishReason, calls: 0 };
  yield turnEvent(turn);
}

/** What is said beside calls is no answer. */
function answerOf(record: RunRecord): string | null {
  const beside = record.turn !== null && record.turn.calls > 0;
  return beside || record.text.trim() === "" ? null : record.text;
}

function resultOf(
  record: RunRecord,
  stop: StopReason,
  run_id: string,
  model: Model,
): RunResult {
  return {
    schema: "rein-result/1",
    run_id,
    status: statusOf(stop),
    stop_reason: stop,
    answer: answerOf(record),
    model: { name: model.name, recorded: model.recorded },
    steps: record.steps,
    usage: { input_tokens: record.inputTokens, output_tokens: record.outputTokens },
    calls: record.calls,
    error: record.error,
  };
}

async function* steps(
  record: RunRecord,
  ports: StepPorts,
  signal: AbortSignal,
): AsyncGenerator<EventBody, StopReason> {
  while (true) {
    const stop = stopAfter(record, ports.limits, signal.aborted);
    if (stop === null) {
      yield* step(record, ports, signal);
      continue;
    }
    if (stop === "step_limit") yield* summarize(record, ports, signal);
    return signal.aborted ? "interrupted" : stop;
  }
}

/**
 * Runs a task to its end.
 *
 * @param task What the person wants, with any data that belongs to it.
 * @param ports The model, the tools, the policy, the context and the bounds.
 * @param signal Aborted to interrupt the run; it then ends within moments.
 * @returns The result, which is also in the last event, `run_finished`.
 * @throws What no part of rein expects: a defect.
 */
export async function* run(
  task: string,
  ports: RunPorts,
  signal: AbortSignal,
): AsyncGenerator<Event, RunResult> {
  const runId = ports.newId();
  const record = newRecord(task);
  const stamp = (body: EventBody): Event => ({
    schema: "rein-event/1",
    at: new Date(ports.clock.now()).toISOString(),
    run_id: runId,
    step: record.steps,
    ...body,
  });
  const { name, source, recorded } = ports.model;
  const { maxSteps } = ports.limits;
  yield stamp({
    type: "run_started",
    task,
    model: { name, source, recorded },
    max_steps: maxSteps,
  });
  const bodies = steps(record, { ...ports, breaker: new Breaker() }, signal);
  let next = await bodies.next();
  for (; !next.done; next = await bodies.next()) yield stamp(next.value);
  const result = resultOf(record, next.value, runId, ports.model);
  yield stamp({ type: "run_finished", result });
  return result;
}
