/**
 * The context of a run: what the model sees, within its window.
 *
 * @module
 */

import type { EventBody } from "../events.ts";
import type { Clock } from "../ports.ts";
import type { CompactionBody, Conversation, RunRecord } from "../record.ts";
import { usageOf } from "../turn.ts";
import type { Model, ModelRequest, ToolDefinition } from "../types.ts";
import { type Assembler, createAssembler, type Place, type Shape } from "./assemble.ts";
import { type Budget, budgetOf } from "./budget.ts";
import closingPrompt from "./closing.txt" with { type: "text" };
import { compactionOf, type CompactPorts } from "./compact.ts";
import { estimateText, TokenEstimator } from "./estimate.ts";
import { lastWords } from "./last_words.ts";

/** A request that is about to be made. */
export interface Wanted {
  readonly record: RunRecord;
  /** What is said behind everything else: how far the run is, or a closing request. */
  readonly last: string;
  readonly tools: readonly ToolDefinition[];
}

/** What a compaction needs. */
export interface CompactOptions {
  readonly model: Model;
  readonly signal: AbortSignal;
}

/** What making room needs. */
export interface RoomOptions extends CompactOptions {
  /** Whether the server has refused the request as too long, and the window that it told of. */
  readonly refused: { readonly window: number | null } | null;
}

/** What the model sees, and how much of it there is. */
export interface Context {
  /** The request as it would be made now. */
  request(wanted: Wanted): ModelRequest;
  /**
   * The last request of a run that has stopped, without tools, as much of it as fits.
   *
   * @param why Why it has stopped, in words.
   * @returns Null where there is nothing to sum up, or not even the task fits.
   */
  closing(record: RunRecord, why: string): ModelRequest | null;
  /** How many tokens a request takes, as far as that can be told without the server. */
  tokensOf(request: ModelRequest): number;
  /** Tokens of a text of the model. */
  tokensOfText(text: string): number;
  /** Learns from what the server counted; 0 if it did not. */
  learn(request: ModelRequest, inputTokens: number): void;
  /**
   * Makes room where the request would fill the window, or did not fit. The record must have
   * followed an event before the next is asked for.
   *
   * @returns Whether the request can be made; false: nothing more can be left out.
   * @throws The signal's reason, if it is aborted while the model sums up.
   */
  makeRoom(wanted: Wanted, options: RoomOptions): AsyncGenerator<EventBody, boolean>;
  /**
   * Works out how to make as much room as there can be, whether it is needed or not.
   *
   * @returns What the record has to follow; null where nothing would be gained.
   * @throws The signal's reason, if it is aborted while the model sums up.
   */
  compact(wanted: Wanted, options: CompactOptions): Promise<CompactionBody | null>;
}

/** What a context depends on. */
export interface ContextOptions {
  readonly place: Place;
  /** Tokens that the model takes at once. */
  readonly window: number;
  /** Bounds the time for a summary. */
  readonly clock: Clock;
  /** Whether thoughts go back to the model with their calls, and so take room; left out: no. */
  readonly sendsReasoning?: () => boolean;
}

/** The tool that finds what was seen earlier. */
const RECALL = "recall";

/** After a refusal the window is taken to be this much of what was sent. Source: the issue. */
const REFUSED_SHARE = 0.9;

/** Summaries that fail one after another until the model is not asked for one any more. */
const MAX_FAILED_SUMMARIES = 2;

class RunContext implements Context {
  readonly #assembler: Assembler;
  readonly #window: number;
  readonly #clock: Clock;
  readonly #estimator: TokenEstimator;
  #failedSummaries = 0;

  constructor({ place, window, clock, sendsReasoning }: ContextOptions) {
    this.#estimator = new TokenEstimator(sendsReasoning);
    this.#assembler = createAssembler(place);
    this.#window = window;
    this.#clock = clock;
  }

  request({ record, last, tools }: Wanted): ModelRequest {
    const shape = this.#shapeOf(record, tools);
    return { messages: this.#assembler.messages(record, last, shape), tools };
  }

  closing(record: RunRecord, why: string): ModelRequest | null {
    const last = closingPrompt.replace("{why}", () => why);
    const { most } = budgetOf(this.#windowOf(record), 0);
    const requestOf = (conversation: Conversation) => {
      const shape = this.#shapeOf(conversation, []);
      return { messages: this.#assembler.messages(conversation, last, shape), tools: [] };
    };
    const tokensOf = (conversation: Conversation) => this.tokensOf(requestOf(conversation));
    const { factor } = this.#estimator;
    const conversation = lastWords(record, { most, factor, tokensOf });
    return conversation === null ? null : requestOf(conversation);
  }

  tokensOf({ messages, tools }: ModelRequest): number {
    return this.#estimator.requestTokens(messages, tools);
  }

  tokensOfText(text: string): number {
    return Math.ceil(this.#estimator.factor * estimateText(text));
  }

  learn({ messages, tools }: ModelRequest, inputTokens: number): void {
    this.#estimator.correct(messages, tools, inputTokens);
  }

  async *makeRoom(wanted: Wanted, options: RoomOptions): AsyncGenerator<EventBody, boolean> {
    const { record } = wanted;
    const { refused } = options;
    const before = this.tokensOf(this.request(wanted));
    const window = this.#windowNow(record, before, refused);
    const budget = budgetOf(window, this.#fixedTokens(wanted));
    if (refused === null && before <= budget.highWater) return true;
    const cause = refused === null ? "high_water" : "refused";
    const { task } = record;
    const need = { conversation: record, task, cause, budget, tokensBefore: before } as const;
    const body = await compactionOf(need, this.#compactPorts(wanted, budget, options));
    // After a refusal what was sent is more than the budget has.
    if (body === null) return before <= budget.most;
    yield body;
    return this.tokensOf(this.request(wanted)) <= budget.most;
  }

  async compact(wanted: Wanted, options: CompactOptions): Promise<CompactionBody | null> {
    const { record } = wanted;
    const { task } = record;
    const tokensBefore = this.tokensOf(this.request(wanted));
    const shares = budgetOf(this.#windowOf(record), this.#fixedTokens(wanted));
    const budget = { ...shares, lowWater: 0, recent: 0, progress: 1 };
    const need = { conversation: record, task, cause: "asked", budget, tokensBefore } as const;
    const body = await compactionOf(need, this.#compactPorts(wanted, budget, options));
    // What is kept of a short conversation may be longer than that was.
    return body === null || body.tokens_after >= tokensBefore ? null : body;
  }

  #windowOf({ compaction }: Conversation): number {
    return Math.min(this.#window, compaction.window ?? Infinity);
  }

  #windowNow(record: RunRecord, before: number, refused: RoomOptions["refused"]): number {
    const known = this.#windowOf(record);
    if (refused === null) return known;
    return Math.min(known, refused.window ?? Infinity, Math.floor(before * REFUSED_SHARE));
  }

  #shapeOf(conversation: Conversation, tools: readonly ToolDefinition[]): Shape {
    const recall = tools.some(({ name }) => name === RECALL);
    return { window: this.#windowOf(conversation), recall };
  }

  /** Tokens of what no compaction can leave out. */
  #fixedTokens({ record, last, tools }: Wanted): number {
    const entries = record.entries.filter(({ number }) => number === record.taskEntry);
    const compaction = { ...record.compaction, facts: [], digests: [], factsLeft: 0 };
    const bare = { ...record, entries, compaction };
    return this.tokensOf(this.request({ record: bare, last, tools }));
  }

  #compactPorts(
    { last, tools }: Wanted,
    { window }: Budget,
    options: CompactOptions,
  ): CompactPorts {
    const { model, signal } = options;
    const estimator = this.#estimator;
    const shapeOf = (conversation: Conversation) => ({
      ...this.#shapeOf(conversation, tools),
      window,
    });
    // A recorded model has only turns of the run to give.
    const asked = !model.recorded && this.#failedSummaries < MAX_FAILED_SUMMARIES;
    return {
      factor: estimator.factor,
      requestTokens: (conversation) => {
        const messages = this.#assembler.messages(conversation, last, shapeOf(conversation));
        return estimator.requestTokens(messages, tools);
      },
      entryTokens: (entry, conversation) =>
        this.#assembler.entry(entry, conversation, shapeOf(conversation))
          .reduce((sum, message) => sum + estimator.factor * estimator.messageTokens(message), 0),
      textTokens: (text) => this.tokensOfText(text),
      summary: asked
        ? {
          model,
          clock: this.#clock,
          signal,
          usageOf: (turn, request) => usageOf(turn, request, this),
          ended: (ok) => {
            this.#failedSummaries = ok ? 0 : this.#failedSummaries + 1;
          },
        }
        : null,
    };
  }
}

/** Builds the context of a run. */
export function createContext(options: ContextOptions): Context {
  return new RunContext(options);
}
