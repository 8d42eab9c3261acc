/**
 * How far the token estimate is from a real tokenizer, on texts and in conversations.
 *
 * @module
 */

import { estimateText, TokenEstimator } from "../../lib/context/estimate.ts";
import type { Message, ToolDefinition } from "../../lib/types.ts";
import type { Corpora, Kind } from "./_corpora.ts";
import { KINDS } from "./_corpora.ts";

/** Counts the tokens of a text, as a model's tokenizer does. */
export type Tokenizer = (text: string) => number;

/** What a run of rein sends before anything happens. */
export interface Opening {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
}

/** The middle one; of an even number, the upper of the two. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

function errorOf(estimated: number, real: number): number {
  return Math.abs(estimated - real) / real;
}

/** The median error of {@linkcode estimateText} by kind, as a share: 0.08 for 8%. */
export function textErrors(corpora: Corpora, tokenizer: Tokenizer): Record<Kind, number> {
  const entries = KINDS.map((kind) => [
    kind,
    median(corpora[kind].map((text) => errorOf(estimateText(text), tokenizer(text)))),
  ]);
  return Object.fromEntries(entries) as Record<Kind, number>;
}

/** What a server with this tokenizer says that a request has. */
export function reportedTokens(
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
  tokenizer: Tokenizer,
): number {
  const texts = messages.flatMap((message) => [
    message.content,
    ...message.role === "assistant" ? message.calls.map((call) => JSON.stringify(call)) : [],
  ]);
  const definitions = tools.map((tool) => JSON.stringify({ type: "function", function: tool }));
  const sum = [...texts, ...definitions].reduce((tokens, text) => tokens + tokenizer(text), 0);
  return sum + 4 * messages.length + 3;
}

function roundOf(text: string, index: number): readonly Message[] {
  const call = {
    id: `call_${index}`,
    name: "read_file",
    arguments: JSON.stringify({ path: `src/part_${index}.txt`, first_line: 1 }),
  };
  return [
    { role: "assistant", content: "", calls: [call] },
    { role: "tool", callId: call.id, content: text },
  ];
}

/**
 * The errors of the estimates of a conversation's requests, as shares: one text is read each step,
 * and each request is corrected by what the server counts before the next is estimated.
 *
 * @returns By step; the first one is before any correction.
 */
export function conversationErrors(
  texts: readonly string[],
  { system, tools }: Opening,
  tokenizer: Tokenizer,
): number[] {
  const estimator = new TokenEstimator();
  const history: Message[] = [
    { role: "system", content: system },
    { role: "user", content: "Find out what is wrong, and say what to do about it." },
  ];
  return texts.map((text, index) => {
    history.push(...roundOf(text, index));
    const last: Message = { role: "user", content: `[Step ${index + 1}/${texts.length}]` };
    const request = [...history, last];
    const reported = reportedTokens(request, tools, tokenizer);
    const error = errorOf(estimator.requestTokens(request, tools), reported);
    estimator.correct(request, tools, reported);
    return error;
  });
}

/** The error right after the oldest half of a conversation was dropped, as a share. */
export function compactionError(
  texts: readonly string[],
  { system, tools }: Opening,
  tokenizer: Tokenizer,
): number {
  const estimator = new TokenEstimator();
  const rounds = texts.map(roundOf);
  const head: Message = { role: "system", content: system };
  const whole = [head, ...rounds.flat()];
  estimator.correct(whole, tools, reportedTokens(whole, tools, tokenizer));
  const rest = [head, ...rounds.slice(rounds.length >> 1).flat()];
  return errorOf(estimator.requestTokens(rest, tools), reportedTokens(rest, tools, tokenizer));
}

/** The texts of all kinds in turn, as many of each. */
export function mixed(corpora: Corpora): string[] {
  const least = Math.min(...KINDS.map((kind) => corpora[kind].length));
  return Array.from({ length: least }, (_, at) => KINDS.map((kind) => corpora[kind][at]!)).flat();
}
