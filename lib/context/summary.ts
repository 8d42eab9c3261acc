/**
 * Rounds that leave the model's context, summed up by the model itself.
 *
 * @module
 */

import { startDeadline } from "../calls/deadline.ts";
import type { Digest, TokenUsage } from "../events.ts";
import type { Clock } from "../ports.ts";
import { type Entry, resultsOf, type RoundEntry } from "../record.ts";
import { clip } from "../results/characters.ts";
import { limitText } from "../results/head_tail.ts";
import { type Model, type ModelChunk, ModelError, type ModelRequest } from "../types.ts";
import { estimateText } from "./estimate.ts";
import { cutText } from "./fit_round.ts";
import { parseDigest, type ShownCall } from "./parse_digest.ts";
import summaryPrompt from "./summarise.txt" with { type: "text" };

/** What the model is asked with. */
export interface SummaryPorts {
  readonly model: Model;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Tells what a turn took, and learns from it. */
  usageOf(turn: Turn, request: ModelRequest): TokenUsage;
  /** Is told whether the model summed up, each time it was asked. */
  ended(summedUp: boolean): void;
}

type Turn = Extract<ModelChunk, { type: "turn_finished" }>;

/** What is summed up at once. */
export interface SummaryPiece {
  readonly task: string;
  /** What is known already, as the agent sees it; null if nothing is. */
  readonly known: string | null;
  readonly entries: readonly Entry[];
  /** For the entries, by estimate, uncorrected. */
  readonly maxTokens: number;
}

/** What came of asking; a request that brought nothing may still have been counted. */
export interface Summary {
  /** Null where the model did not sum up. */
  readonly digest: Digest | null;
  readonly usage: TokenUsage | null;
}

/** Time for a summary, in milliseconds; a slow model on a processor reads for half of it. */
const SUMMARY_MS = 60_000;

/** Tokens of the task in the request, by estimate. */
const TASK_TOKENS = 600;

/** Characters of each thing that leaves. */
const RESULT_CHARS = 4000;
const SAID_CHARS = 2000;
const THOUGHT_CHARS = 400;

/** Tokens of the request beside what is known and what is to be summed up, by estimate. */
export const SUMMARY_PROMPT_TOKENS = 320 + TASK_TOKENS;

/** Writes the calls down, each under its number, and remembers them. */
class Transcript {
  readonly calls: ShownCall[] = [];
  spoken = false;

  textOf(entry: Entry): string {
    if (entry.kind === "round") return this.#roundText(entry);
    this.spoken = true;
    return `The person: ${clip(entry.content, SAID_CHARS)}`;
  }

  #roundText(round: RoundEntry): string {
    const { message, step } = round;
    const { content } = message;
    if (message.calls.length === 0) {
      this.spoken = true;
      return `The agent: ${clip(content, SAID_CHARS)}`;
    }
    const thought = content === "" ? [] : [`The agent: ${clip(content, THOUGHT_CHARS)}`];
    const half = RESULT_CHARS / 2;
    const calls = resultsOf(round).map(([id, result]) => {
      const shown = limitText(result.content, { head: half, tail: half }, { inline: true }).text;
      const number = this.calls.push({ id, step, content: result.content });
      const { what, summary } = result.done;
      return `Call ${number}: ${clip(what, THOUGHT_CHARS)} → ${summary}\n${shown}`;
    });
    return [...thought, ...calls].join("\n");
  }
}

function requestOf({ task, known, entries, maxTokens }: SummaryPiece, transcript: Transcript) {
  const texts = entries.map((entry) => transcript.textOf(entry)).join("\n\n");
  const content = [
    `The task:\n${cutText(task, TASK_TOKENS)}`,
    ...(known === null ? [] : [known]),
    `Steps that leave:\n${cutText(texts, maxTokens)}`,
  ].join("\n\n");
  const messages = [{ role: "system", content: summaryPrompt }, { role: "user", content }] as const;
  return { messages, tools: [] };
}

async function turnOf(model: Model, request: ModelRequest, signal: AbortSignal) {
  for await (const chunk of model.ask(request, signal)) {
    if (chunk.type === "turn_finished") return chunk;
  }
  return null;
}

/** The model's turn, or null where it failed or took too long. */
async function ask(request: ModelRequest, ports: SummaryPorts): Promise<Turn | null> {
  const { model, clock, signal } = ports;
  const deadline = startDeadline(clock, SUMMARY_MS, signal);
  try {
    return await turnOf(model, request, deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelError || deadline.expired()) return null;
    throw error;
  } finally {
    deadline.clear();
  }
}

/** Tokens that an entry takes in a summary's request, by estimate, uncorrected. */
export function summaryTokensOf(entry: Entry): number {
  return estimateText(new Transcript().textOf(entry));
}

/** What the model wrote, or null where that can't be used. */
function digestOf(turn: Turn, { calls, spoken }: Transcript): Promise<Digest | null> {
  const { message, finishReason } = turn;
  if (message.calls.length > 0 || finishReason === "refused") return Promise.resolve(null);
  return parseDigest(message.content, { calls, spoken, cutOff: finishReason === "length" });
}

/**
 * Asks the model to sum up.
 *
 * @returns Without a digest where it failed, took too long, or wrote what can't be used.
 * @throws The signal's reason, if it is aborted.
 */
export async function askSummary(piece: SummaryPiece, ports: SummaryPorts): Promise<Summary> {
  const transcript = new Transcript();
  const request = requestOf(piece, transcript);
  const turn = await ask(request, ports);
  const usage = turn === null ? null : ports.usageOf(turn, request);
  const digest = turn === null ? null : await digestOf(turn, transcript);
  ports.ended(digest !== null);
  return { digest, usage };
}
