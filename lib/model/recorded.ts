/**
 * A model whose side of the conversation was written down beforehand: JSON
 * lines, one a turn, or a debug file. It is what the demo and most tests use.
 *
 * @module
 */

import { DEBUG_SCHEMA, type DebugLine } from "../debug/lines.ts";
import {
  type FinishReason,
  type Json,
  type Model,
  type ModelChunk,
  ModelError,
  type ModelPast,
  type ToolCall,
} from "../types.ts";

/** One turn of a recording. */
interface RecordedTurn {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments?: Json }[];
  readonly finish_reason?: FinishReason;
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number };
}

/** The first line of a recording, if it has one. */
const HEADER = "rein-recording/1";

const FINISH_REASONS: readonly unknown[] = ["stop", "calls", "length", "refused"];

/** A recording can't be read; the message names the file and the line. */
export class RecordingError extends SyntaxError {
  override readonly name = "RecordingError";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isUsage(value: unknown): boolean {
  if (value === undefined) return true;
  return isObject(value) && Object.values(value).every((count) => Number.isInteger(count));
}

/** Why a line is no turn, or null if it is one. */
function faultOf(value: unknown): string | null {
  if (!isObject(value)) return "is not a JSON object";
  const { text, calls, finish_reason, usage } = value;
  if (text !== undefined && typeof text !== "string") return 'has a "text" that is not a string';
  if (!isUsage(usage)) return 'has a "usage" that does not count tokens';
  if (finish_reason !== undefined && !FINISH_REASONS.includes(finish_reason)) {
    return `has a "finish_reason" other than ${FINISH_REASONS.join(", ")}`;
  }
  if (calls === undefined) return text === undefined ? 'has neither "text" nor "calls"' : null;
  const named = (call: unknown) => isObject(call) && typeof call["name"] === "string";
  if (!Array.isArray(calls) || !calls.every(named)) return 'has "calls" without a "name" each';
  return null;
}

/** The turn of a line of a debug file; null where it tells of something else. */
function debugTurn(line: Record<string, unknown>): RecordedTurn | null {
  if (line["type"] !== "turn") return null;
  const { message, finish_reason, usage } = line as Omit<
    Extract<DebugLine, { type: "turn" }>,
    "type"
  >;
  return {
    text: message.content,
    calls: message.calls,
    finish_reason,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  };
}

function parseLine(line: string, place: string): RecordedTurn | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new RecordingError(`${place} is not JSON`);
  }
  if (isObject(value) && value["schema"] === DEBUG_SCHEMA) return debugTurn(value);
  if (isObject(value) && "recording" in value) {
    if (value["recording"] === HEADER) return null;
    throw new RecordingError(`${place} is of another format than "${HEADER}"`);
  }
  const fault = faultOf(value);
  if (fault !== null) throw new RecordingError(`${place} ${fault}`);
  return value as RecordedTurn;
}

function parseRecording(text: string, file: string): RecordedTurn[] {
  const lines = text.split("\n").map((line, index) => ({ line, number: index + 1 }));
  return lines
    .filter(({ line }) => line.trim() !== "")
    .map(({ line, number }) => parseLine(line, `Recording "${file}", line ${number},`))
    .filter((turn) => turn !== null);
}

function callsOf(turn: RecordedTurn, turnNumber: number): ToolCall[] {
  return (turn.calls ?? []).map((call, index) => ({
    id: `call_${turnNumber}_${index + 1}`,
    name: call.name,
    arguments: typeof call.arguments === "string"
      ? call.arguments
      : JSON.stringify(call.arguments ?? {}),
  }));
}

/** A turn as a server would stream it: word by word, then whole. */
function* chunksOf(turn: RecordedTurn, turnNumber: number): Generator<ModelChunk> {
  const content = turn.text ?? "";
  for (const text of content.match(/\s*\S+\s*$|\s*\S+|\s+/g) ?? []) yield { type: "text", text };
  const calls = callsOf(turn, turnNumber);
  yield {
    type: "turn_finished",
    message: { role: "assistant", content, calls },
    finishReason: turn.finish_reason ?? (calls.length > 0 ? "calls" : "stop"),
    usage: {
      inputTokens: turn.usage?.input_tokens ?? 0,
      outputTokens: turn.usage?.output_tokens ?? 0,
    },
  };
}

/** Every turn is the next one. */
function noPast(): () => ModelPast {
  let answers = 0;
  return () => ({ answers: answers++, callIds: new Set() });
}

/**
 * Plays a recording.
 *
 * @param text JSON lines: an optional header, then one turn each with `text`,
 * `calls` (`name`, `arguments` as an object or as raw text), `finish_reason`
 * and `usage`, all of them optional. Of a debug file, its turns.
 * @param file The recording's name, for people.
 * @param past What was answered before: a recording goes on from there.
 * @throws {RecordingError} If a line is not a turn.
 */
export function createRecordedModel(
  text: string,
  file: string,
  past: () => ModelPast = noPast(),
): Model {
  const turns = parseRecording(text, file);
  return {
    name: `recorded:${file}`,
    source: file,
    recorded: true,
    async *ask(_request, signal) {
      signal.throwIfAborted();
      const { answers } = past();
      const turn = turns[answers];
      if (turn === undefined) {
        const message = `Recording "${file}" has ended after ${turns.length} turns`;
        throw new ModelError("recording_ended", message, { hint: "Record more turns." });
      }
      yield* chunksOf(turn, answers + 1);
    },
  };
}
