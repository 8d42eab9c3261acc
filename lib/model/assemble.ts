/**
 * From the pieces of a streamed turn to the turn.
 *
 * @module
 */

import type { AssistantMessage, FinishReason, ToolCall, Usage } from "../types.ts";
import type { CallPiece, End, TurnPiece } from "./chunk.ts";
import type { SaidPiece } from "./reasoning.ts";
import { StreamError } from "./stream_error.ts";
import type { TurnReader } from "./turn_reader.ts";

/** A turn put together. */
export interface AssembledTurn {
  /** What of its text was held back, to be told now. */
  readonly pieces: readonly SaidPiece[];
  readonly message: AssistantMessage;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
}

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
  /** Whether its name came again after its arguments were there in full. */
  namedAgain: boolean;
}

/** Whether arguments are there in full; a call that has none yet may still get some. */
function isComplete(text: string): boolean {
  // What does not end like an object needs no parsing, which would take its time with every piece.
  if (!/\}\s*$/.test(text.slice(-20))) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Some servers give every call the same index, some repeat the name with every piece. */
function beginsAnother(piece: CallPiece, known: OpenCall): boolean {
  if (piece.id !== "") return known.id !== "" && piece.id !== known.id;
  if (known.namedAgain && piece.arguments.trim() !== "") return true;
  if (piece.name === "" || known.name === "") return false;
  if (piece.name !== known.name) return true;
  return piece.arguments.trim() !== "" && isComplete(known.arguments);
}

/** Some servers send a call whole once more at the end. */
function isRepeated(piece: CallPiece, known: OpenCall): boolean {
  return piece.id !== "" && piece.arguments !== "" && piece.arguments === known.arguments &&
    isComplete(known.arguments);
}

/** Ids of calls, each once in a session: some servers send none, or the same in every turn. */
export class CallIds {
  readonly #taken = new Set<string>();
  readonly #past: () => ReadonlySet<string>;

  /** @param past Ids that calls of the session have had before. */
  constructor(past: () => ReadonlySet<string> = () => new Set()) {
    this.#past = past;
  }

  /** The server's id if it is a new one, or else one of rein's own. */
  take(id: string): string {
    const past = this.#past();
    const isTaken = (one: string) => past.has(one) || this.#taken.has(one);
    let taken = id;
    for (
      let number = Math.max(past.size, this.#taken.size) + 1;
      taken === "" || isTaken(taken);
      number++
    ) {
      taken = `rein_${number}`;
    }
    this.#taken.add(taken);
    return taken;
  }
}

/** Puts the pieces of one turn together. */
export class TurnAssembler {
  readonly #ids: CallIds;
  readonly #reader: TurnReader;
  #hasText = false;
  #calls: OpenCall[] = [];
  #byIndex = new Map<number, OpenCall>();
  #end: End | null = null;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };

  /**
   * @param ids The ids that calls of the run have had so far.
   * @param reader Reads the turn's text.
   */
  constructor(ids: CallIds, reader: TurnReader) {
    this.#ids = ids;
    this.#reader = reader;
  }

  /** Whether a piece has said that the turn has ended. */
  get ended(): boolean {
    return this.#end !== null;
  }

  /** Adds a piece; returns what of it can be told. */
  push({ text, reasoning, calls, end, usage }: TurnPiece): readonly SaidPiece[] {
    this.#hasText ||= text !== "";
    for (const call of calls) this.#pushCall(call);
    if (end !== null) this.#end = end;
    if (usage !== null) this.#usage = usage;
    return this.#reader.push(text, reasoning);
  }

  #pushCall(piece: CallPiece): void {
    const call = this.#openCall(piece);
    if (isRepeated(piece, call)) return;
    call.namedAgain ||= piece.id === "" && piece.name !== "" && piece.name === call.name &&
      isComplete(call.arguments);
    call.id ||= piece.id;
    call.name ||= piece.name;
    call.arguments += piece.arguments;
  }

  /** The call that a piece belongs to: by index, unless its id or name says otherwise. */
  #openCall(piece: CallPiece): OpenCall {
    const { index } = piece;
    const known = index === null ? this.#named(piece.id) : this.#byIndex.get(index);
    if (known && !beginsAnother(piece, known)) return known;
    const name = known?.namedAgain && piece.name === "" ? known.name : piece.name;
    const call = { id: "", name, arguments: "", namedAgain: false };
    this.#calls.push(call);
    if (index !== null) this.#byIndex.set(index, call);
    return call;
  }

  /** The call of an id, or the newest one where there is no such. */
  #named(id: string): OpenCall | undefined {
    const named = id === "" ? undefined : this.#calls.find((call) => call.id === id);
    return named ?? this.#calls.at(-1);
  }

  /**
   * The turn; called once.
   *
   * @param done Whether the server said that nothing more comes, which may stand for a reason.
   * @throws {StreamError} If the turn is not all there.
   */
  finish(done: boolean): AssembledTurn {
    const finishReason = this.#finishReason(done);
    if (finishReason === null) throw new StreamError({ kind: "cut" });
    const read = this.#reader.finish(this.#calls.length > 0);
    const written = read.calls.map((call) => ({ id: "", ...call }));
    const calls: ToolCall[] = [...this.#calls, ...written].map((call) => ({
      id: this.#ids.take(call.id),
      name: call.name,
      arguments: call.arguments,
    }));
    const { content, reasoning, pieces } = read;
    const thoughts = reasoning === "" ? {} : { reasoning };
    const message: AssistantMessage = { role: "assistant", content, calls, ...thoughts };
    const usage = this.#usage;
    if (read.cut) return { pieces, message, finishReason: "length", usage };
    const calling = finishReason === "stop" && calls.length > 0;
    return { pieces, message, finishReason: calling ? "calls" : finishReason, usage };
  }

  /** How the turn ended; null if it did not. Some servers say `stop` where they mean calls. */
  #finishReason(done: boolean): FinishReason | null {
    const some = this.#calls.length > 0;
    if (this.#end === "broken") return null;
    if (this.#end === "stop") return some ? "calls" : "stop";
    if (this.#end !== null || !done) return this.#end;
    if (some) return this.#calls.every((call) => isComplete(call.arguments)) ? "calls" : null;
    return this.#hasText ? "stop" : null;
  }
}
