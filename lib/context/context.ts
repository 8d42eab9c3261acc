/**
 * The context of a run: what the model sees, within its window.
 *
 * @module
 */

import type { EventBody } from "../events.ts";
import type { RunRecord } from "../record.ts";
import type { Message, Model, ModelRequest, ToolDefinition } from "../types.ts";
import closingPrompt from "./closing.txt" with { type: "text" };
import { type Assembler, createAssembler, type Place } from "./assemble.ts";

/** A request that is about to be made. */
export interface Wanted {
  readonly record: RunRecord;
  /** What is said behind everything else: how far the run is, or a closing request. */
  readonly last: string;
  readonly tools: readonly ToolDefinition[];
}

/** What making room needs. */
export interface RoomOptions {
  readonly model: Model;
  readonly signal: AbortSignal;
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
   * @returns Null where it can't be made.
   */
  closing(record: RunRecord, why: string): ModelRequest | null;
  /** How many tokens a request takes, as far as that can be told without the server. */
  tokensOf(request: ModelRequest): number;
  /** Tokens of a text of the model. */
  tokensOfText(text: string): number;
  /** Learns from what the server counted; 0 if it did not. */
  learn(request: ModelRequest, inputTokens: number): void;
  /**
   * Makes room where the request would fill the window, or did not fit.
   *
   * @returns Whether the request can be made; false: nothing more can be left out.
   */
  makeRoom(wanted: Wanted, options: RoomOptions): AsyncGenerator<EventBody, boolean>;
}

/** What a context depends on. */
export interface ContextOptions {
  readonly place: Place;
  /** Tokens that the model takes at once. */
  readonly window: number;
}

class RunContext implements Context {
  readonly #assemble: Assembler;

  constructor({ place }: ContextOptions) {
    this.#assemble = createAssembler(place);
  }

  request({ record, last, tools }: Wanted): ModelRequest {
    return { messages: this.#assemble(record, last), tools };
  }

  closing(record: RunRecord, why: string): ModelRequest | null {
    return this.request({ record, last: closingPrompt.replace("{why}", why), tools: [] });
  }

  tokensOf({ messages, tools }: ModelRequest): number {
    const chars = (message: Message) => JSON.stringify(message).length;
    return Math.ceil(
      (messages.reduce((sum, message) => sum + chars(message), 0) + JSON.stringify(tools).length) /
        4,
    );
  }

  tokensOfText(text: string): number {
    return Math.ceil(text.length / 4);
  }

  learn(): void {}

  // deno-lint-ignore require-yield
  async *makeRoom(_wanted: Wanted, { refused }: RoomOptions): AsyncGenerator<EventBody, boolean> {
    return await Promise.resolve(refused === null);
  }
}

/** Builds the context of a run. */
export function createContext(options: ContextOptions): Context {
  return new RunContext(options);
}
