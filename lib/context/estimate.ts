/**
 * How many tokens a request takes, without a tokenizer: estimated by what its text consists of, and
 * corrected by what the model's server counts.
 *
 * @module
 */

import type { Message, ToolDefinition } from "../types.ts";
import { Count, profileText } from "./text_profile.ts";

/**
 * Tokens for each thing counted. Source: the mean number of tokens of `o200k_base` for each kind of
 * piece, in 6 MB of English, Chinese, JSON, logs and code; `tests/context/estimate_test.ts` holds
 * the error on texts that were no part of it.
 */
const TOKENS_EACH: Readonly<Record<keyof typeof Count, number>> = {
  words: 1.01,
  wordsOver4: 0.02,
  wordsOver7: 0.02,
  wordsOver10: 0.05,
  gluedWords: 1.02,
  gluedWordsOver4: 0.06,
  gluedWordsOver7: 0.03,
  gluedWordsOver10: 0.03,
  markedWords: 1.2,
  innerWords: 1.03,
  capitals: 1.03,
  capitalsOver2: 0.14,
  shortMixed: 1.04,
  mixed: 1.2,
  mixedOver2: 0.32,
  digitGroups: 1,
  spacedDigits: 1,
  singleMarks: 1,
  doubleMarks: 1.02,
  longMarks: 1.2,
  longMarksOver3: 0.5,
  quotedMarks: 1.03,
  quotedMarksOver3: 0.4,
  repeatedMarks: 1,
  repeatedMarksOver4: 0.03,
  blanks: 1,
  blanksOver16: 0.01,
  markedBreaks: 0.02,
  breaks: 1,
  hanRuns: 0.3,
  han: 0.68,
  kana: 0.6,
  hangul: 0.67,
  widePunctuation: 0.7,
  accents: 0.28,
  cyrillicWords: 0.75,
  cyrillic: 0.14,
  otherWords: 0.9,
  otherLetters: 0.2,
  symbols: 1.4,
  repeatedSymbols: 0.1,
  surrogates: 1.3,
};

const WEIGHTS = Float64Array.from(
  Object.keys(Count) as (keyof typeof Count)[],
  (name) => TOKENS_EACH[name],
);

/** What a chat format puts around a message. Source: OpenAI's guide to counting tokens. */
const MESSAGE_TOKENS = 4;

/** What it puts around a call: its id, type and place. */
const CALL_TOKENS = 6;

/** What it puts before the answer. */
const ANSWER_TOKENS = 3;

/** Counts further off than this are no counts of what was sent. */
const PLAUSIBLE = { least: 0.3, most: 3 } as const;

/** New tokens, by estimate, that say enough about a tokenizer. */
const TELLING_TOKENS = 200;

/**
 * Estimates the tokens of a text: within 8% for most texts, further off for tokenizers with other
 * habits (digits one by one, more or fewer Chinese words).
 *
 * @param text Of any length.
 * @returns Tokens, not rounded; 0 for an empty text.
 */
export function estimateText(text: string): number {
  const profile = profileText(text);
  let tokens = 0;
  for (let at = 0; at < WEIGHTS.length; at++) tokens += WEIGHTS[at]! * profile[at]!;
  return tokens;
}

/** A request whose tokens the server counted. */
interface Counted {
  readonly messages: readonly Message[];
  readonly toolTokens: number;
  /** By estimate, uncorrected. */
  readonly estimated: number;
  /** By the server. */
  readonly reported: number;
}

/**
 * Estimates requests and learns from the server's counts. What the server has counted is taken as
 * it is while the next request begins with the same messages; only what follows is estimated.
 */
export class TokenEstimator {
  readonly #messages = new WeakMap<Message, number>();
  readonly #thoughts = new WeakMap<Message, number>();
  readonly #sendsReasoning: () => boolean;
  readonly #tools = new WeakMap<ToolDefinition, number>();
  #counted: Counted | null = null;
  #factor = 1;
  /** What requests grew by, since the first that was counted. */
  #grown = { estimated: 0, reported: 0 };

  /** @param sendsReasoning Whether thoughts go back to the model with their calls. */
  constructor(sendsReasoning: () => boolean = () => false) {
    this.#sendsReasoning = sendsReasoning;
  }

  /** Tokens by the server's last count for each estimated one; 1 before there is any. */
  get factor(): number {
    return this.#factor;
  }

  /**
   * The tokens of one message with what the chat format puts around it, by estimate; multiply by
   * {@linkcode factor} for what the server would count.
   */
  messageTokens(message: Message): number {
    return this.#bareTokens(message) + (this.#sendsReasoning() ? this.#thoughtTokens(message) : 0);
  }

  #thoughtTokens(message: Message): number {
    if (message.role !== "assistant" || message.calls.length === 0) return 0;
    const known = this.#thoughts.get(message);
    if (known !== undefined) return known;
    const tokens = estimateText(message.reasoning ?? "");
    this.#thoughts.set(message, tokens);
    return tokens;
  }

  #bareTokens(message: Message): number {
    const known = this.#messages.get(message);
    if (known !== undefined) return known;
    const tokens = MESSAGE_TOKENS + estimateText(message.content) + callTokens(message);
    this.#messages.set(message, tokens);
    return tokens;
  }

  /**
   * The tokens of a whole request, as the server would count them.
   *
   * @param messages In their order, as they are sent.
   * @returns Whole tokens, rounded up.
   */
  requestTokens(messages: readonly Message[], tools: readonly ToolDefinition[]): number {
    const counted = this.#counted;
    if (counted === null) return Math.ceil(this.#estimate(messages, tools));
    const shared = sharedLength(counted.messages, messages);
    if (shared < counted.messages.length - 1) {
      return Math.ceil(this.#factor * this.#estimate(messages, tools));
    }
    const added = this.#sum(messages, shared) - this.#sum(counted.messages, shared) +
      this.#toolTokens(tools) - counted.toolTokens;
    return Math.ceil(Math.max(0, counted.reported + this.#growthFactor() * added));
  }

  /**
   * Learns from what the server counted.
   *
   * @param messages As they were sent, with `tools`.
   * @param reportedInputTokens 0 where the server does not count: nothing is learned then, nor from
   *   a count that can't be one of this request.
   */
  correct(
    messages: readonly Message[],
    tools: readonly ToolDefinition[],
    reportedInputTokens: number,
  ): void {
    const estimated = this.#estimate(messages, tools);
    const factor = reportedInputTokens / estimated;
    if (!(factor >= PLAUSIBLE.least && factor <= PLAUSIBLE.most)) return;
    const before = this.#counted;
    if (before !== null && sharedLength(before.messages, messages) >= before.messages.length - 1) {
      this.#grown.estimated += estimated - before.estimated;
      this.#grown.reported += reportedInputTokens - before.reported;
    }
    this.#factor = factor;
    const toolTokens = this.#toolTokens(tools);
    // A copy: the caller's list may be one that grows.
    this.#counted = {
      messages: [...messages],
      toolTokens,
      estimated,
      reported: reportedInputTokens,
    };
  }

  /**
   * Tokens for each estimated one in what is new. What requests grew by tells it better than whole
   * requests, which also hold what only the server knows of: its template, its own instructions.
   */
  #growthFactor(): number {
    const { estimated, reported } = this.#grown;
    const factor = reported / estimated;
    const telling = estimated >= TELLING_TOKENS && factor >= PLAUSIBLE.least &&
      factor <= PLAUSIBLE.most;
    return telling ? factor : this.#factor;
  }

  #estimate(messages: readonly Message[], tools: readonly ToolDefinition[]): number {
    return ANSWER_TOKENS + this.#toolTokens(tools) + this.#sum(messages, 0);
  }

  #sum(messages: readonly Message[], from: number): number {
    let tokens = 0;
    for (let at = from; at < messages.length; at++) tokens += this.messageTokens(messages[at]!);
    return tokens;
  }

  #toolTokens(tools: readonly ToolDefinition[]): number {
    return tools.reduce((sum, tool) => sum + this.#definitionTokens(tool), 0);
  }

  #definitionTokens(tool: ToolDefinition): number {
    const known = this.#tools.get(tool);
    if (known !== undefined) return known;
    const { name, description, parameters } = tool;
    const tokens = estimateText(
      JSON.stringify({ type: "function", function: { name, description, parameters } }),
    );
    this.#tools.set(tool, tokens);
    return tokens;
  }
}

function callTokens(message: Message): number {
  if (message.role !== "assistant") return 0;
  return message.calls.reduce(
    (sum, call) => sum + CALL_TOKENS + estimateText(call.name) + estimateText(call.arguments),
    0,
  );
}

/** How many messages both begin with. */
function sharedLength(before: readonly Message[], after: readonly Message[]): number {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && isSame(before[at]!, after[at]!)) at++;
  return at;
}

function isSame(one: Message, other: Message): boolean {
  if (one === other) return true;
  return one.role === other.role && one.content === other.content &&
    JSON.stringify(one) === JSON.stringify(other);
}
