/**
 * From the pieces of a streamed chat completion to one turn. Takes no piece
 * for granted: servers leave out indices, ids and whole fields.
 *
 * @module
 */

import type { AssistantMessage, FinishReason, ToolCall, Usage } from "../types.ts";

/** A piece of a call, as servers really send it. */
export interface CallDelta {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: unknown } | null;
}

/** A piece of a turn, as servers really send it. */
export interface ChunkLike {
  readonly choices?:
    | readonly {
      readonly index?: number | null;
      readonly delta?: {
        readonly content?: string | null;
        readonly tool_calls?: readonly CallDelta[] | null;
      } | null;
      readonly finish_reason?: string | null;
    }[]
    | null;
  readonly usage?: {
    readonly prompt_tokens?: number | null;
    readonly completion_tokens?: number | null;
  } | null;
}

/** A turn put together. */
export interface AssembledTurn {
  readonly message: AssistantMessage;
  /** Null if the stream ended without saying how. */
  readonly finishReason: FinishReason | null;
  readonly usage: Usage;
}

interface OpenCall {
  id: string;
  name: string;
  arguments: string;
}

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  tool_calls: "calls",
  function_call: "calls",
  length: "length",
  content_filter: "refused",
};

/** Arguments come as text, whole or in pieces; some servers send an object. */
function argumentText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether arguments are there in full; a call that has none yet may still get some. */
function isComplete(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Some servers give every call the same index, some repeat the name with every piece. */
function beginsAnother(delta: CallDelta, known: OpenCall): boolean {
  if (delta.id) return known.id !== "" && delta.id !== known.id;
  const name = delta.function?.name;
  if (!name || known.name === "") return false;
  if (name !== known.name) return true;
  return argumentText(delta.function?.arguments) !== "" && isComplete(known.arguments);
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
  #finishReason: FinishReason | null = null;
  #usage: Usage = { inputTokens: 0, outputTokens: 0 };

  /** @param ids The ids that calls of the run have had so far. */
  constructor(ids: CallIds) {
    this.#ids = ids;
  }

  /** Adds a piece; returns the text that it brought. */
  push(chunk: ChunkLike): string {
    if (chunk.usage) {
      this.#usage = {
        inputTokens: chunk.usage.prompt_tokens ?? 0,
        outputTokens: chunk.usage.completion_tokens ?? 0,
      };
    }
    const choice = chunk.choices?.find(({ index }) => (index ?? 0) === 0);
    if (choice?.finish_reason) {
      this.#finishReason = FINISH_REASONS[choice.finish_reason] ?? "stop";
    }
    for (const delta of choice?.delta?.tool_calls ?? []) this.#pushCall(delta);
    const text = choice?.delta?.content ?? "";
    this.#text += text;
    return text;
  }

  #pushCall(delta: CallDelta): void {
    const call = this.#openCall(delta);
    call.id ||= delta.id ?? "";
    call.name ||= delta.function?.name ?? "";
    call.arguments += argumentText(delta.function?.arguments);
  }

  /** The call that a piece belongs to: by index, unless its id or name says otherwise. */
  #openCall(delta: CallDelta): OpenCall {
    const known = typeof delta.index === "number"
      ? this.#byIndex.get(delta.index)
      : this.#calls.at(-1);
    if (known && !beginsAnother(delta, known)) return known;
    const call = { id: "", name: "", arguments: "" };
    this.#calls.push(call);
    if (typeof delta.index === "number") this.#byIndex.set(delta.index, call);
    return call;
  }

  /** The turn as far as it came; called once. */
  finish(): AssembledTurn {
    const calls: ToolCall[] = this.#calls.map((call) => ({
      id: this.#ids.take(call.id),
      name: call.name,
      arguments: call.arguments,
    }));
    const message: AssistantMessage = { role: "assistant", content: this.#text, calls };
    return { message, finishReason: this.#finishReason, usage: this.#usage };
  }
}
