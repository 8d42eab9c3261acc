/**
 * A round of a conversation within its share of the window. What comes of it depends on the round
 * and the share alone, so that it is the same in every request.
 *
 * @module
 */

import { parseArguments } from "../calls/parse.ts";
import { messagesOf, type RoundEntry } from "../record.ts";
import { clip } from "../results/characters.ts";
import { limitText } from "../results/head_tail.ts";
import type { AssistantMessage, Json, Message, ToolCall } from "../types.ts";
import { estimateText } from "./estimate.ts";

/** Characters that stay of what was said beside calls. */
const CONDENSED_CHARS = 160;

/** Tries to meet a number of tokens by cutting characters; each comes nearer. */
const MAX_CUTS = 12;

/**
 * The beginning and the end of a text, with a note between.
 *
 * @param maxTokens By estimate, uncorrected; the note alone takes about ten.
 */
export function cutText(text: string, maxTokens: number): string {
  let cut = text;
  let chars = text.length;
  for (let tries = 0; tries < MAX_CUTS; tries++) {
    const tokens = estimateText(cut);
    if (tokens <= maxTokens || chars === 0) break;
    chars = Math.floor(chars * Math.min(0.9, Math.max(0.05, maxTokens / tokens)));
    const head = Math.ceil(chars / 2);
    cut = limitText(text, { head, tail: chars - head }, { inline: true }).text;
  }
  return cut;
}

/** Shares out tokens: what takes little keeps it, the rest is shared evenly. */
export function shareOut(sizes: readonly number[], tokens: number): number[] {
  const shares = sizes.map(() => 0);
  const order = sizes.map((size, index) => ({ size, index })).toSorted((a, b) => a.size - b.size);
  let left = tokens;
  for (const [place, { size, index }] of order.entries()) {
    const even = Math.floor(left / (order.length - place));
    const share = Math.max(0, Math.min(size, even));
    shares[index] = share;
    left -= share;
  }
  return shares;
}

function cutValue(value: Json, maxTokens: number): Json {
  if (typeof value === "string") return cutText(value, maxTokens);
  const json = JSON.stringify(value);
  return estimateText(json) <= maxTokens ? value : cutText(json, maxTokens);
}

/** Arguments stay a JSON object: some servers read them. */
function cutArguments(call: ToolCall, maxTokens: number): ToolCall {
  if (estimateText(call.arguments) <= maxTokens) return call;
  const parsed = parseArguments(call.arguments);
  const fields = Object.entries(parsed.ok ? parsed.args : { arguments: call.arguments });
  const shares = shareOut(
    fields.map(([, value]) => estimateText(JSON.stringify(value))),
    maxTokens,
  );
  const cut = fields.map(([name, value], index) => [name, cutValue(value, shares[index] ?? 0)]);
  return { ...call, arguments: JSON.stringify(Object.fromEntries(cut)) };
}

function cutSaid(message: AssistantMessage, maxTokens: number): AssistantMessage {
  const sizes = [message.content, ...message.calls.map((call) => call.arguments)].map(estimateText);
  const [content = 0, ...calls] = shareOut(sizes, maxTokens);
  return {
    ...message,
    content: cutText(message.content, content),
    calls: message.calls.map((call, index) => cutArguments(call, calls[index] ?? 0)),
  };
}

function tokensOf(message: Message): number {
  const calls = message.role === "assistant" ? message.calls : [];
  return estimateText(message.content) +
    calls.reduce((sum, { name, arguments: args }) => sum + estimateText(name + args), 0);
}

function cutRound(messages: readonly Message[], maxTokens: number): readonly Message[] {
  const sizes = messages.map(tokensOf);
  if (sizes.reduce((sum, size) => sum + size, 0) <= maxTokens) return messages;
  const [said = 0, ...results] = sizes;
  const forSaid = Math.min(said, Math.floor(maxTokens / 2));
  const shares = shareOut(results, maxTokens - forSaid);
  return messages.map((message, index) =>
    message.role === "assistant"
      ? cutSaid(message, forSaid)
      : { ...message, content: cutText(message.content, shares[index - 1] ?? 0) }
  );
}

function condense(messages: readonly Message[]): readonly Message[] {
  return messages.map((message) =>
    message.role === "assistant" && message.calls.length > 0
      ? { ...message, content: clip(message.content, CONDENSED_CHARS) }
      : message
  );
}

/** How a round is shown. */
export interface RoundShape {
  /** By estimate, uncorrected. */
  readonly maxTokens: number;
  /** Whether what was said beside its calls is shortened. */
  readonly condensed: boolean;
}

/**
 * The messages of a round, cut where they take more than their share: no call and no result is
 * left out, but of long ones only the beginning and the end stay.
 */
export function fitRound(entry: RoundEntry, { maxTokens, condensed }: RoundShape) {
  const messages = messagesOf(entry);
  return cutRound(condensed ? condense(messages) : messages, maxTokens);
}
