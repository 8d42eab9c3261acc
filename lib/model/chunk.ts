/**
 * The one normal form of a streamed piece of a turn, and how the forms of all servers come down to
 * it. Nothing is taken for granted: servers leave fields out, rename them and change their types.
 *
 * @module
 */

import type { FinishReason, Usage } from "../types.ts";
import { type ReasoningField, reasoningOf } from "./reasoning.ts";

/** A piece of a call. */
export interface CallPiece {
  /** Which call of the turn it belongs to; null where the server does not say. */
  readonly index: number | null;
  /** Empty where the server sends none, or has sent it before. */
  readonly id: string;
  readonly name: string;
  /** A piece of JSON text, or all of it. */
  readonly arguments: string;
}

/** How a turn ended. `broken`: the server says that it could not go on. */
export type End = FinishReason | "broken";

/** A piece of a turn. */
export interface TurnPiece {
  readonly text: string;
  /** What the model thinks, where the server tells it apart. */
  readonly reasoning: string;
  /** The field in which it came; null where none did that could be sent back. */
  readonly reasoningField: ReasoningField | null;
  readonly calls: readonly CallPiece[];
  readonly end: End | null;
  /** Null where this piece says nothing of it. */
  readonly usage: Usage | null;
}

/** A JSON object of which nothing is known. */
export type Fields = { readonly [name: string]: unknown };

/** Source: the manuals of OpenAI, Gemini, GLM, DeepSeek, Mistral, OpenRouter, vLLM and SGLang. */
const ENDS: { readonly [word: string]: End } = {
  stop: "stop",
  tool_calls: "calls",
  tool_use: "calls",
  function_call: "calls",
  length: "length",
  max_tokens: "length",
  model_length: "length",
  model_context_window_exceeded: "length",
  content_filter: "refused",
  sensitive: "refused",
  safety: "refused",
  recitation: "refused",
  prohibited_content: "refused",
  error: "broken",
  abort: "broken",
  network_error: "broken",
  insufficient_system_resource: "broken",
};

const NO_CALLS: readonly CallPiece[] = [];

/** Whether a value is a JSON object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function idOf(value: unknown): string {
  return typeof value === "number" ? String(value) : textOf(value);
}

/** An unknown word of its own is a way to stop. */
function endOf(word: unknown): End | null {
  if (typeof word !== "string" || word === "") return null;
  return ENDS[word] ?? ENDS[word.toLowerCase()] ?? "stop";
}

/** Text, or parts of which some are text; what a model thought is none. */
function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (isFields(content)) return partText(content);
  return Array.isArray(content) ? content.map(partText).join("") : "";
}

function partText(part: unknown): string {
  if (typeof part === "string") return part;
  const { type = "text", text } = fieldsOf(part);
  return type === "text" || type === "output_text" ? textOf(text) : "";
}

/** Arguments come as text, whole or in pieces; some servers send an object. */
function argumentText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function indexOf(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,4}$/.test(value) ? Number(value) : null;
}

function callPiece(value: unknown): CallPiece {
  const { index, id, function: named, ...flat } = fieldsOf(value);
  const { name, arguments: args } = isFields(named) ? named : flat as Fields;
  return {
    index: indexOf(index),
    id: idOf(id),
    name: textOf(name),
    arguments: argumentText(args),
  };
}

function callPieces({ tool_calls: calls, function_call: legacy }: Fields): readonly CallPiece[] {
  if (Array.isArray(calls)) return calls.map(callPiece);
  if (isFields(calls)) return [callPiece(calls)];
  return isFields(legacy) ? [callPiece({ index: 0, function: legacy })] : NO_CALLS;
}

function count(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.round(value) : 0;
}

/** What the server had kept. Source: the manuals of OpenAI, DeepSeek, Kimi, and Anthropic's form. */
function cachedTokens(usage: Fields): number {
  return count(fieldsOf(usage["prompt_tokens_details"])["cached_tokens"]) ||
    count(usage["prompt_cache_hit_tokens"]) || count(usage["cached_tokens"]) ||
    count(usage["cache_read_input_tokens"]);
}

function usageOf(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const inputTokens = count(value["prompt_tokens"]) || count(value["input_tokens"]);
  const outputTokens = count(value["completion_tokens"]) || count(value["output_tokens"]);
  if (inputTokens === 0 && outputTokens === 0) return null;
  const cached = Math.min(cachedTokens(value), inputTokens);
  return { inputTokens, outputTokens, ...(cached > 0 ? { cachedInputTokens: cached } : {}) };
}

/** The first choice, whatever comes first in the list: rein asks for one. */
function firstChoice(choices: unknown): Fields {
  if (!Array.isArray(choices)) return {};
  return fieldsOf(choices.find((choice) => (fieldsOf(choice)["index"] ?? 0) === 0));
}

/**
 * Brings one event, or a whole completion, to the normal form. Never throws.
 *
 * @param value Parsed JSON.
 */
export function pieceOf(value: unknown): TurnPiece {
  const { choices, usage } = fieldsOf(value);
  const choice = firstChoice(choices);
  const { delta, message, finish_reason: end } = choice;
  const said = isFields(delta) ? delta : fieldsOf(message);
  const thoughts = reasoningOf(said);
  return {
    text: contentText(said["content"]),
    reasoning: thoughts.text,
    reasoningField: thoughts.field,
    calls: callPieces(said),
    end: endOf(end),
    usage: usageOf(usage) ?? usageOf(choice["usage"]),
  };
}

/** What stands for the failure in an event without choices. */
function failureIn(value: Fields): unknown {
  const { base_resp: base, message, msg, detail, code } = value;
  if (isFields(base) && base["status_code"]) {
    return { message: base["status_msg"], code: base["status_code"] };
  }
  const words = message ?? msg ?? detail;
  if (words === undefined && code === undefined) return null;
  return typeof words === "string" ? { ...value, message: words } : value;
}

/**
 * What a server says went wrong, in one event or in a whole body.
 *
 * @param value Parsed JSON.
 * @param name The event's name.
 * @returns Null where nothing did.
 */
export function errorIn(value: unknown, name = ""): unknown {
  if (!isFields(value)) return name === "error" ? value : null;
  const { error, choices, usage, object } = value;
  if (error) return error;
  if (name === "error" || object === "error") return failureIn(value) ?? value;
  if (Array.isArray(choices) && choices.length > 0) return firstChoice(choices)["error"] ?? null;
  return usage || Array.isArray(choices) ? null : failureIn(value);
}
