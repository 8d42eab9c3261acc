/**
 * From the pieces of a streamed turn to the turn.
 *
 * @module
 */

import type { AssistantMessage, FinishReason, ToolCall, Usage } from "../types.ts";
import type { CallPiece, End, TurnPiece } from "./chunk.ts";
import { StreamError } from "./stream_error.ts";

/** A turn put together. */
export interface AssembledTurn {
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
  #text = "";
  #calls: OpenCall[] = [];
  #byIndex = new Map<number, OpenCall>();
  #end: End | null = null;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };

  /** @param ids The ids that calls of the run have had so far. */
  constructor(ids: CallIds) {
    this.#ids = ids;
  }

  /** Whether a piece has said that the turn has ended. */
  get ended(): boolean {
    return this.#end !== null;
  }

  /** Adds a piece. */
  push({ text, calls, end, usage }: TurnPiece): void {
    this.#text += text;
    for (const call of calls) this.#pushCall(call);
    if (end !== null) this.#end = end;
    if (usage !== null) this.#usage = usage;
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
    const calls: ToolCall[] = this.#calls.map((call) => ({
      id: this.#ids.take(call.id),
      name: call.name,
      arguments: call.arguments,
    }));
    const message: AssistantMessage = { role: "assistant", content: this.#text, calls };
    return { message, finishReason, usage: this.#usage };
  }

  /** How the turn ended; null if it did not. Some servers say `stop` where they mean calls. */
  #finishReason(done: boolean): FinishReason | null {
    const some = this.#calls.length > 0;
    if (this.#end === "broken") return null;
    if (this.#end === "stop") return some ? "calls" : "stop";
    if (this.#end !== null || !done) return this.#end;
    if (some) return this.#calls.every((call) => isComplete(call.arguments)) ? "calls" : null;
    return this.#text === "" ? null : "stop";
  }
}
