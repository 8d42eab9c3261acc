/**
 * The JSON Schema of a line of a debug file, kept beside `lib/debug/lines.ts`.
 *
 * @module
 */

import { DEBUG_SCHEMA } from "../debug/lines.ts";
import type { JsonObject } from "../types.ts";
import { count, DIALECT, flag, list, object, oneOf, orNull, ref, text } from "./schema_words.ts";

const headers: JsonObject = { type: "object", additionalProperties: { type: "string" } };

const call = object({ id: text, name: text, arguments: text });

const message: JsonObject = {
  anyOf: [
    object({ role: oneOf("system", "user"), content: text }),
    object({ role: { const: "assistant" }, content: text, calls: list(call) }, { reasoning: text }),
    object({ role: { const: "tool" }, callId: text, content: text }),
  ],
};

const limits = object({
  max_steps: count,
  max_tokens: orNull(count),
  max_time_ms: orNull(count),
  max_cost: orNull({ type: "number" }),
  prices: {},
});

const assembled = {
  model: object({
    name: text,
    source: text,
    recorded: flag,
    binds_answers: flag,
    sends_reasoning: flag,
  }),
  place: object({ os: text, cwd: text, date: text }, { rules: text }),
  window: count,
  temperature: { type: "number" },
  limits,
  answer_schema: orNull({ type: "object" }),
  home: orNull(text),
  policy: list(object({ name: text, layer: text, text: orNull(text) })),
  session: orNull(text),
} as const;

/** A piece of a turn that is no text, as `lib/types.ts` has it. */
const note: JsonObject = {
  type: "object",
  properties: { type: oneOf("adapted", "retry", "restart") },
  required: ["type"],
};

const usage = object({ inputTokens: count, outputTokens: count }, { cachedInputTokens: count });

const failure = object({ code: text, message: text, hint: text, window: orNull(count) });

/** What each type of line has beside the fields of all. */
const LINES: { readonly [type: string]: { readonly [name: string]: JsonObject } } = {
  debug_started: { version: text, pid: count },
  run_assembled: assembled,
  earlier: { event: ref("event") },
  definitions: {
    tools: list(object({ name: text, description: text, parameters: { type: "object" } })),
  },
  asked: {
    ask: count,
    same: count,
    messages: list(message),
    tools: list(text),
    answer_schema: orNull({ type: "object" }),
  },
  request: { ask: orNull(count), request: count, method: text, url: text, headers, body: {} },
  response: { request: count, status: count, headers },
  delta: { request: count, came_ms: count, text },
  response_ended: { request: count, bytes: count, note: orNull(text) },
  turn: {
    ask: count,
    notes: list(note),
    message,
    finish_reason: oneOf("stop", "calls", "length", "refused"),
    usage,
  },
  turn_failed: { ask: count, notes: list(note), text, error: orNull(failure) },
  event: { event: ref("event") },
};

function lineSchema(type: string): JsonObject {
  return object({
    schema: { const: DEBUG_SCHEMA },
    type: { const: type },
    at: { type: "string", description: "ISO 8601, UTC" },
    ms: { ...count, description: "Milliseconds since the process began to write" },
    ...LINES[type],
  });
}

/** The schema of an event, with what it refers to. */
interface EventParts {
  readonly oneOf: readonly JsonObject[];
  readonly $defs: JsonObject;
}

/** Builds the schema of a line. */
export function debugSchema({ oneOf: events, $defs }: EventParts): JsonObject {
  return {
    $schema: DIALECT,
    title: "rein-debug/1: a line of a debug file",
    oneOf: Object.keys(LINES).map(lineSchema),
    $defs: { ...$defs, event: { oneOf: events } },
  };
}
