/**
 * Recorded requests sent again, to the same model or another, and what comes back beside what came
 * then. Nothing that a model proposes is run.
 *
 * @module
 */

import { canonicalText } from "../calls/canonical_text.ts";
import type { RecordedAsk, RecordedRun } from "../debug/read.ts";
import {
  type AssistantMessage,
  type Model,
  type ModelChunk,
  ModelError,
  type ModelErrorCode,
  type Usage,
} from "../types.ts";

/** A turn, as it is compared. */
export interface ComparedTurn {
  readonly text: string;
  /** Each call as `name {"its": "arguments"}`, with sorted fields. */
  readonly calls: readonly string[];
  readonly usage: Usage;
}

/** Why there was no turn. */
export interface FailedTurn {
  readonly error: string;
}

/** What came of one question, then and now. */
export interface AskedAgain {
  readonly run: string;
  /** From 1 in the process that ran it. */
  readonly ask: number;
  readonly step: number;
  readonly recorded: ComparedTurn | FailedTurn;
  readonly now: ComparedTurn | FailedTurn;
  readonly sameCalls: boolean;
  readonly sameText: boolean;
}

function callText({ name, arguments: args }: AssistantMessage["calls"][number]): string {
  try {
    return `${name} ${canonicalText(JSON.parse(args === "" ? "{}" : args))}`;
  } catch {
    return `${name} ${args}`;
  }
}

function comparedTurn({ content, calls }: AssistantMessage, usage: Usage): ComparedTurn {
  return { text: content, calls: calls.map(callText), usage };
}

/** What was recorded of a question. */
function recordedTurn({ turn }: RecordedAsk): ComparedTurn | FailedTurn {
  if (turn === null) return { error: "the recording breaks off" };
  if (turn.type === "turn") return comparedTurn(turn.message, turn.usage);
  return { error: turn.error?.message ?? "interrupted" };
}

/** Failures that every question meets: where nobody answers, nothing is compared. */
const NO_MODEL: readonly ModelErrorCode[] = [
  ...["no_model", "unreachable", "unauthorized", "not_found", "quota_exhausted"] as const,
];

async function turnOf(chunks: AsyncIterable<ModelChunk>): Promise<ComparedTurn | FailedTurn> {
  try {
    for await (const chunk of chunks) {
      if (chunk.type === "turn_finished") return comparedTurn(chunk.message, chunk.usage);
    }
  } catch (error) {
    if (!(error instanceof ModelError) || NO_MODEL.includes(error.code)) throw error;
    return { error: error.message };
  }
  return { error: "The model ended its turn without saying so" };
}

/** The same calls, in any order: a model may propose them in another one. */
function sameCalls(recorded: ComparedTurn | FailedTurn, now: ComparedTurn | FailedTurn): boolean {
  if ("error" in recorded || "error" in now) return "error" in recorded && "error" in now;
  const [one, other] = [recorded, now].map(({ calls }) => JSON.stringify([...calls].sort()));
  return one === other;
}

function sameText(recorded: ComparedTurn | FailedTurn, now: ComparedTurn | FailedTurn): boolean {
  if ("error" in recorded || "error" in now) return false;
  return recorded.text.trim() === now.text.trim();
}

/**
 * Asks the questions of a run again, one after the other.
 *
 * @param asks Those of its questions that are meant.
 * @throws {ModelError} If there is no model that would answer any of them.
 * @throws The signal's reason, once it is aborted.
 */
export async function* replayOnline(
  { runId: run, asks }: Pick<RecordedRun, "runId" | "asks">,
  model: Model,
  signal: AbortSignal,
): AsyncGenerator<AskedAgain> {
  for (const asked of asks) {
    const recorded = recordedTurn(asked);
    const now = await turnOf(model.ask(asked.request, signal));
    const { ask, step } = asked;
    const same = { sameCalls: sameCalls(recorded, now), sameText: sameText(recorded, now) };
    yield { run, ask, step, recorded, now, ...same };
  }
}
