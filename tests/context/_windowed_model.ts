/**
 * A model with a window, as a server has it: it counts every request with a real tokenizer and
 * refuses what is too long. What it says is scripted.
 *
 * @module
 */

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import {
  type AssistantMessage,
  type Message,
  type Model,
  type ModelChunk,
  ModelError,
  type ModelRequest,
} from "../../lib/types.ts";

/** What it says to a request; `number` counts the requests that are no summaries, from 1. */
export type Reply = (request: ModelRequest, number: number) => {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: object }[];
};

/** What it is and says. */
export interface WindowedModelOptions {
  readonly window: number;
  readonly reply: Reply;
  /** What it says where it is to sum up; what a proper model would if left out. */
  readonly summarise?: (shown: string) => string;
  /** Whether a refusal tells the window; it does if left out. */
  readonly tells?: boolean;
  /** How many tokens it makes of one of `o200k_base`; 1 if left out. */
  readonly tokensEach?: number;
  /** Whether it says what it counted; it does if left out. */
  readonly counts?: boolean;
}

/** Tokens that a chat format puts around a message. */
const AROUND = 4;

/** Whether a request is one for a summary. */
export function isSummary({ messages, tools }: ModelRequest): boolean {
  return tools.length === 0 && (messages[0]?.content.startsWith("You keep the notes") ?? false);
}

/** What a proper model writes: a fact for each result with `NOTE:`, and for every third call. */
export function properSummary(shown: string): string {
  const calls = [...shown.matchAll(/^Call (\d+): (.*)\n(.*)$/gm)];
  const facts = calls.flatMap(([, number, what, result]) => {
    const note = /NOTE: ([^"\\]+)/.exec(result ?? "")?.[1];
    if (note !== undefined) return [{ text: note, call: Number(number) }];
    return Number(number) % 3 === 0 ? [{ text: `Looked at ${what}`, call: Number(number) }] : [];
  });
  return JSON.stringify({ facts, decisions: [], open: ["The rest of the hosts"] });
}

/** The model. */
export class WindowedModel implements Model {
  readonly name = "windowed";
  readonly source = "test";
  readonly recorded = false;
  /** The tokens of every request that was answered, of those for summaries, and all that came. */
  readonly asked: number[] = [];
  readonly summaries: number[] = [];
  refusals = 0;
  readonly #options: WindowedModelOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: WindowedModelOptions) {
    this.#options = options;
  }

  /** The tokens of a request. */
  count({ messages, tools }: ModelRequest): number {
    const each = messages.map((message) => AROUND + this.#countText(textOf(message)));
    const tokens = [...each, this.#countText(JSON.stringify(tools))];
    const { tokensEach = 1 } = this.#options;
    return Math.round(tokensEach * tokens.reduce((sum, one) => sum + one, 0));
  }

  async *ask(request: ModelRequest): AsyncGenerator<ModelChunk> {
    const { window, reply, summarise = properSummary, tells = true, counts = true } = this.#options;
    await Promise.resolve();
    const inputTokens = this.count(request);
    if (inputTokens > window) {
      this.refusals++;
      const told = tells ? { window } : {};
      throw new ModelError("context_length", "Too long", { hint: "Less", status: 400, ...told });
    }
    if (isSummary(request)) {
      this.summaries.push(inputTokens);
      const text = summarise(request.messages.at(-1)?.content ?? "");
      yield finished(text, [], counts ? inputTokens : 0);
      return;
    }
    const number = this.asked.push(inputTokens);
    const { text = "", calls = [] } = reply(request, number);
    const named = calls.map((call, index) => ({
      id: `call_${number}_${index + 1}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    }));
    yield finished(text, named, counts ? inputTokens : 0);
  }

  #countText(text: string): number {
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const count = countTokens(text);
    if (this.#counts.size > 500) this.#counts.clear();
    this.#counts.set(text, count);
    return count;
  }
}

function textOf(message: Message): string {
  if (message.role !== "assistant") return message.content;
  return message.content + message.calls.map((call) => call.name + call.arguments).join("");
}

function finished(
  content: string,
  calls: AssistantMessage["calls"],
  inputTokens: number,
): ModelChunk {
  return {
    type: "turn_finished",
    message: { role: "assistant", content, calls },
    finishReason: calls.length > 0 ? "calls" : "stop",
    usage: { inputTokens, outputTokens: countTokens(content) + 20 * calls.length },
  };
}
