/**
 * Reads the text of one turn: parts thoughts from the answer, and finds calls that were written into
 * it.
 *
 * @module
 */

import type { ToolDefinition } from "../types.ts";
import type { WrittenCall } from "./call_text.ts";
import { ReasoningFilter, type SaidPiece } from "./reasoning.ts";
import { TextCallFilter } from "./text_calls.ts";

/** What a turn's text came to. */
export interface ReadTurn {
  /** What was held back, to be told now. */
  readonly pieces: readonly SaidPiece[];
  /** The answer, without thoughts and calls. */
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly WrittenCall[];
  /** Whether the last call was cut off. */
  readonly cut: boolean;
}

/** How a turn is read. */
export interface ReaderOptions {
  /** Those that were offered; calls of others are text. */
  readonly tools: readonly ToolDefinition[];
  /** Whether the model's text begins with thoughts that no tag opens. */
  readonly opensThinking: boolean;
}

/** Reads one turn's text, however it is cut into pieces. */
export class TurnReader {
  readonly #options: ReaderOptions;
  #thoughts: ReasoningFilter;
  #calls: TextCallFilter;
  #content = "";
  /** Thoughts that the server told apart by itself. */
  #told = "";
  #begun = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#thoughts = new ReasoningFilter(options.opensThinking);
    this.#calls = new TextCallFilter(options.tools);
  }

  /** Whether this model's text begins with thoughts that no tag opens; null: nobody can tell. */
  get opensThinking(): boolean | null {
    if (this.#thoughts.closedAlone) return true;
    return this.#thoughts.assumedWrongly ? false : null;
  }

  /** Adds what a piece of the stream brought; returns what of it can be told. */
  push(text: string, reasoning = ""): SaidPiece[] {
    const pieces: SaidPiece[] = [];
    if (reasoning !== "") {
      // A server that parts them itself leaves none in the text.
      if (!this.#begun && this.#told === "") this.#thoughts = new ReasoningFilter();
      this.#told += reasoning;
      pieces.push({ type: "reasoning", text: reasoning });
    }
    if (text === "") return pieces;
    this.#begun = true;
    return [...pieces, ...this.#say(this.#thoughts.push(text))];
  }

  #say(pieces: readonly SaidPiece[]): SaidPiece[] {
    return pieces.flatMap((piece): SaidPiece[] => {
      if (piece.type === "restart") this.#restart();
      if (piece.type !== "text") return [piece];
      const text = this.#calls.push(piece.text);
      this.#content += text;
      return text === "" ? [] : [{ type: "text", text }];
    });
  }

  /** What was told as the answer were thoughts. */
  #restart(): void {
    this.#calls = new TextCallFilter(this.#options.tools);
    this.#content = "";
  }

  /**
   * Ends the turn; called once.
   *
   * @param hasCalls Whether the server told of calls by itself: the text then holds none.
   */
  finish(hasCalls: boolean): ReadTurn {
    const { pieces, reasoning } = this.#thoughts.finish();
    const said = this.#say(pieces);
    const found = hasCalls
      ? { text: this.#calls.abandon(), calls: [], cut: false }
      : this.#calls.finish();
    const answer = this.#content + found.text;
    return {
      pieces: found.text === "" ? said : [...said, { type: "text", text: found.text }],
      content: found.calls.length === 0 ? answer : answer.trimEnd(),
      reasoning: [this.#told.trim(), reasoning].filter((part) => part !== "").join("\n\n"),
      calls: found.calls,
      cut: found.cut,
    };
  }
}
