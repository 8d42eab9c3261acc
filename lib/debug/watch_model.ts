/**
 * Writing down what a model is asked and what it says.
 *
 * @module
 */

import {
  type Message,
  type Model,
  type ModelChunk,
  ModelError,
  type ModelRequest,
} from "../types.ts";
import type { DebugLog } from "./debug_log.ts";
import type { TurnFailure, TurnNote } from "./lines.ts";

/** How many messages two requests have in common, from their beginning. */
function sameMessages(first: readonly Message[], second: readonly Message[]): number {
  const differs = first.findIndex((message, index) =>
    JSON.stringify(message) !== JSON.stringify(second[index])
  );
  return differs === -1 ? Math.min(first.length, second.length) : differs;
}

function failureOf(error: unknown): TurnFailure | null {
  if (!(error instanceof ModelError)) return null;
  const { code, message, hint, window } = error;
  return { code, message, hint, window };
}

/** Counts the questions of a process and writes them down. */
export class ModelWatch {
  readonly #log: DebugLog;
  #asks = 0;
  #messages: readonly Message[] = [];
  #definitions = "";

  constructor(log: DebugLog) {
    this.#log = log;
  }

  /** The number of the newest question; null before the first. */
  get ask(): number | null {
    return this.#asks === 0 ? null : this.#asks;
  }

  /** The same model, with all that it is asked and says written down. */
  watch(model: Model): Model {
    const watched: Model = Object.create(model, {
      ask: {
        value: (request: ModelRequest, signal: AbortSignal) => this.#asked(model, request, signal),
      },
    });
    return watched;
  }

  async *#asked(
    model: Model,
    request: ModelRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ModelChunk> {
    const ask = ++this.#asks;
    this.#write(ask, request);
    const notes: TurnNote[] = [];
    let text = "";
    try {
      for await (const chunk of model.ask(request, signal)) {
        if (chunk.type === "turn_finished") {
          const { message, finishReason, usage } = chunk;
          const turn = { message, finish_reason: finishReason, usage };
          this.#log.write({ type: "turn", ask, notes, ...turn });
        } else if (chunk.type === "text") {
          text += chunk.text;
        } else if (chunk.type !== "reasoning") {
          notes.push(chunk);
          if (chunk.type === "restart") text = "";
        }
        yield chunk;
      }
    } catch (error) {
      this.#log.write({ type: "turn_failed", ask, notes, text, error: failureOf(error) });
      throw error;
    }
  }

  #write(ask: number, { messages, tools, answerSchema }: ModelRequest): void {
    const definitions = JSON.stringify(tools);
    if (tools.length > 0 && definitions !== this.#definitions) {
      this.#definitions = definitions;
      this.#log.write({ type: "definitions", tools });
    }
    const same = sameMessages(this.#messages, messages);
    this.#messages = messages;
    this.#log.write({
      type: "asked",
      ask,
      same,
      messages: messages.slice(same),
      tools: tools.map(({ name }) => name),
      answer_schema: answerSchema ?? null,
    });
  }
}
