/**
 * The JSON Schemas of what rein prints and reads, kept beside `lib/events.ts`; tests hold
 * every event and result of many runs to them.
 *
 * @module
 */

import agentFile from "../serve/agent_file.json" with { type: "json" };
import policy from "../../policies/schema.json" with { type: "json" };
import { CONFIG_SCHEMA } from "../config/schema.ts";
import agents from "../delegate/schemas/agents.json" with { type: "json" };
import resultEnvelope from "../delegate/schemas/result.json" with { type: "json" };
import task from "../delegate/schemas/task.json" with { type: "json" };
import { AUDIT_ENTRY_SCHEMA } from "./audit_schema.ts";
import { debugSchema } from "./debug_schema.ts";
import {
  approval,
  count,
  decision,
  DIALECT,
  evaluation,
  flag,
  list,
  object,
  oneOf,
  orNull,
  ref,
  status,
  text,
  usage,
} from "./schema_words.ts";
import type { Json, JsonObject } from "../types.ts";

const failure = object({ code: text, message: text, hint: text });

const truncation = object({
  field: text,
  total_chars: count,
  omitted_chars: count,
  omitted_lines: count,
  read_on: text,
});

const observation = object({
  status,
  data: orNull({ type: "object" }),
  error: orNull(object({ code: text, message: text, hint: text, retriable: flag })),
  truncated: list(truncation),
  summary: text,
}, { note: text });

const callRecord = object({
  id: text,
  step: count,
  tool: text,
  arguments: {},
  decision: orNull(decision),
  status,
  ms: count,
  truncated: flag,
});

const fact = object({ text, call: orNull(text), step: count });

const digest = object({ facts: list(fact), decisions: list(text), open: list(text) });

const ending = object({
  why: text,
  done: list(text),
  obtained: list(text),
  left: list(text),
  resume: orNull(text),
});

const resultFields = {
  schema: { const: "rein-result/1" },
  run_id: text,
  status: oneOf("success", "unfinished", "failed"),
  stop_reason: orNull(oneOf(
    "answered",
    "step_limit",
    "token_limit",
    "time_limit",
    "cost_limit",
    "context_exhausted",
    "repeating",
    "blocked",
    "interrupted",
    "model_error",
    "schema_unmet",
  )),
  answer: orNull(text),
  data: { description: "The answer as data, where it had to fit a schema" },
  model: orNull(object({ name: text, recorded: flag })),
  steps: count,
  usage,
  cost: orNull({ type: "number" }),
  elapsed_ms: count,
  session: orNull(text),
  calls: list(callRecord),
  facts: list(fact),
  error: orNull(failure),
  ending: orNull(ending),
};

const result = object(resultFields);

/** What each type of event has beside the fields of all. */
const EVENTS: { readonly [type: string]: { readonly [name: string]: JsonObject } } = {
  run_started: {
    task: text,
    model: object({ name: text, source: text, recorded: flag }),
    max_steps: count,
    session: orNull(text),
    resumed: oneOf("no", "crashed", "stopped"),
  },
  step_started: { max_steps: count, progress: text },
  text_delta: { text },
  reasoning_delta: { text },
  model_adapted: { what: text, why: text },
  model_retried: {
    attempt: count,
    of: count,
    wait_ms: count,
    error: object({ code: text, message: text }),
  },
  text_restarted: {},
  turn_finished: {
    content: text,
    reasoning: orNull(text),
    calls: list(object({ id: text, name: text, arguments: text })),
    finish_reason: oneOf("stop", "calls", "length", "refused"),
    usage,
    closing: flag,
  },
  context_compacted: {
    cause: oneOf("high_water", "refused", "asked"),
    window: count,
    tokens_before: count,
    tokens_after: count,
    condensed_through: count,
    summarised_through: count,
    round_tokens: count,
    by: orNull(oneOf("model", "rein")),
    digest: orNull(digest),
    facts: list(fact),
    facts_left: count,
    digests_shown: count,
    usage: orNull(usage),
  },
  call_proposed: { call_id: text, tool: text, arguments: text },
  call_judged: { call_id: text, tool: text, evaluation: ref("evaluation") },
  approval_requested: { call_id: text, tool: text },
  approval_answered: { call_id: text, tool: text, approval },
  call_started: { call_id: text, tool: text, brief: text },
  call_finished: {
    call_id: text,
    tool: text,
    brief: text,
    arguments: {},
    decision: orNull(decision),
    observation: ref("observation"),
    ms: count,
  },
  answer_checked: {
    fits: flag,
    answer: orNull(text),
    data: {},
    errors: list(text),
    corrections: count,
    correction: orNull(text),
  },
  changes_undone: { undone_run: text, paths: list(text) },
  run_finished: { result: ref("result") },
};

/** What some events of a type have. */
const OPTIONAL: { readonly [type: string]: { readonly [name: string]: JsonObject } } = {
  run_started: { task_id: text, trace_id: text },
};

function eventSchema(type: string): JsonObject {
  return object({
    type: { const: type },
    schema: { const: "rein-event/1" },
    at: { type: "string", description: "ISO 8601, UTC" },
    run_id: text,
    step: { ...count, description: "From 1; 0 before the first step" },
    ...EVENTS[type],
  }, OPTIONAL[type]);
}

const eventParts = {
  oneOf: Object.keys(EVENTS).map(eventSchema),
  $defs: { evaluation, observation, result },
};

/** Every schema by the name that `rein schema` takes. */
export const SCHEMAS: { readonly [name: string]: Json } = {
  "agent-file": agentFile,
  agents,
  audit: AUDIT_ENTRY_SCHEMA,
  batch: {
    $schema: DIALECT,
    title: "rein-result/1 with an id: a line of rein batch",
    ...object({ id: text, ...resultFields }),
  },
  config: CONFIG_SCHEMA,
  debug: debugSchema(eventParts),
  event: {
    $schema: DIALECT,
    title: "rein-event/1: a line of --output jsonl",
    ...eventParts,
  },
  policy,
  result: { $schema: DIALECT, title: "rein-result/1: what --output json prints", ...result },
  "result-envelope": resultEnvelope,
  task,
};
