/**
 * One turn of the model: asked for, told as it comes, counted.
 *
 * @module
 */

import type { Context } from "./context/context.ts";
import type { EventBody, RunError, TokenUsage } from "./events.ts";
import { type Model, type ModelChunk, ModelError, type ModelRequest } from "./types.ts";

/** A whole turn, with what the server counted. */
export type Turn = Extract<ModelChunk, { type: "turn_finished" }>;

/** What a turn is asked with. */
export interface TurnPorts {
  readonly model: Model;
  readonly context: Context;
}

/** A piece of a turn as an event. */
function told(chunk: Exclude<ModelChunk, Turn>): EventBody {
  switch (chunk.type) {
    case "text":
      return { type: "text_delta", text: chunk.text };
    case "reasoning":
      return { type: "reasoning_delta", text: chunk.text };
    case "adapted":
      return { type: "model_adapted", what: chunk.what, why: chunk.why };
    case "retry": {
      const { attempt, of, waitMs, error } = chunk;
      return { type: "model_retried", attempt, of, wait_ms: waitMs, error };
    }
    case "restart":
      return { type: "text_restarted" };
  }
}

/** Asks for one turn; its text is told as it comes. */
async function* ask(
  request: ModelRequest,
  model: Model,
  signal: AbortSignal,
): AsyncGenerator<EventBody, Turn> {
  for await (const chunk of model.ask(request, signal)) {
    if (chunk.type === "turn_finished") return chunk;
    yield told(chunk);
  }
  const hint = "Try again, or use another model.";
  throw new ModelError("bad_response", "The model ended its turn without saying so", { hint });
}

/** What a turn took, by the server's count or else by rein's. */
export function usageOf(turn: Turn, request: ModelRequest, context: Context): TokenUsage {
  const { inputTokens, cachedInputTokens = 0, outputTokens } = turn.usage;
  context.learn(request, inputTokens);
  if (inputTokens > 0) {
    return {
      input_tokens: inputTokens,
      ...(cachedInputTokens > 0 ? { cached_input_tokens: cachedInputTokens } : {}),
      output_tokens: outputTokens,
      estimated: false,
    };
  }
  const { content, reasoning = "", calls } = turn.message;
  const said = reasoning + content + calls.map((call) => call.name + call.arguments).join("");
  return {
    input_tokens: context.tokensOf(request),
    output_tokens: context.tokensOfText(said),
    estimated: true,
  };
}

/** What is asked of a turn. */
export interface TurnOptions {
  /** Whether it is the last one of a run that has stopped. */
  readonly closing: boolean;
  /** Whether calls are left out, since no tools were offered; as `closing`, if left out. */
  readonly textOnly?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Asks for one turn and tells of it.
 *
 * @throws {ModelError} If there is no turn to be had.
 * @throws The signal's reason, once it is aborted.
 */
export async function* takeTurn(
  request: ModelRequest,
  { model, context }: TurnPorts,
  { closing, textOnly = closing, signal }: TurnOptions,
): AsyncGenerator<EventBody, Turn> {
  const turn = yield* ask(request, model, signal);
  const { content, reasoning = null, calls } = turn.message;
  const usage = usageOf(turn, request, context);
  const finish_reason = turn.finishReason;
  // Where no tools were offered there are no calls, whatever the model says.
  const wanted = textOnly ? [] : calls;
  yield { type: "turn_finished", content, reasoning, calls: wanted, finish_reason, usage, closing };
  return turn;
}

/** Why a turn can't be gone on from, or null if it can. */
export function faultOf(turn: Turn): RunError | null {
  const { content, calls } = turn.message;
  if (turn.finishReason === "refused") {
    const hint = "Put the task in other words, or use another model.";
    return { code: "rejected", message: "The model's server refused to answer", hint };
  }
  // A model that thought until its output limit has said nothing yet.
  if (turn.finishReason === "length") return null;
  if (content.trim() !== "" || calls.length > 0) return null;
  if (turn.message.reasoning) {
    const hint = "Check how the server parts thoughts from the answer (its reasoning parser).";
    return { code: "bad_response", message: "The model thought, and then said nothing", hint };
  }
  const hint = "Try again, or use another model.";
  return { code: "bad_response", message: "The model sent neither text nor a call", hint };
}
