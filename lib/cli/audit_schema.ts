/**
 * The JSON Schema of the entries of the audit log, kept beside `lib/audit/entry.ts`; a test holds
 * the entries of runs to it.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";
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

const hash: JsonObject = { type: "string", pattern: "^[0-9a-f]{64}$" };

const delegation = orNull(list(object({ agent: text, intent: text, task_id: orNull(text) })));

/** What each kind of entry has beside the fields of all. */
const KINDS: { readonly [kind: string]: { readonly [name: string]: JsonObject } } = {
  run_started: {
    task: { ...text, description: "Long texts end with their length and their SHA-256" },
    model: object({ name: text, source: text, recorded: flag }),
    resumed: oneOf("no", "crashed", "stopped"),
    version: text,
  },
  call_judged: {
    call_id: text,
    tool: text,
    arguments: { description: "Without secrets; long texts end with their length and SHA-256" },
    evaluation: ref("evaluation"),
  },
  approval: { call_id: text, tool: text, approval },
  call_started: { call_id: text, tool: text, brief: text, delegation },
  call_finished: {
    call_id: text,
    tool: text,
    brief: text,
    arguments: { description: "Null where an entry call_judged has them" },
    decision: orNull(decision),
    status,
    error: orNull(text),
    summary: text,
    result_chars: count,
    omitted_chars: count,
    ms: count,
    delegation,
  },
  run_finished: {
    status: oneOf("success", "unfinished", "failed"),
    stop_reason: orNull(text),
    steps: count,
    calls: count,
    usage,
    cost: orNull({ type: "number" }),
    elapsed_ms: count,
    error: orNull(text),
  },
  changes_undone: { undone_run: text, paths: list(text) },
  file_started: { continues: orNull(text) },
  recovered: {
    torn: orNull(object({ bytes: count, sha256: hash })),
    lost: orNull(object({ from: count, to: count })),
    head: oneOf("whole", "missing", "damaged"),
  },
};

function entrySchema(kind: string): JsonObject {
  return object({
    kind: { const: kind },
    schema: { const: "rein-audit/1" },
    seq: { type: "integer", minimum: 1, description: "Without gaps, across files" },
    prev: { ...hash, description: "SHA-256 of the canonical JSON (RFC 8785) of the entry before" },
    at: { type: "string", description: "ISO 8601, UTC" },
    host: orNull(text),
    user: object({ uid: orNull(count), name: orNull(text) }),
    cwd: orNull(text),
    pid: count,
    run_id: orNull(text),
    session: orNull(text),
    trace_id: orNull(text),
    step: count,
    ...KINDS[kind],
  }, { mac: { ...hash, description: "HMAC-SHA-256 of the canonical JSON without this field" } });
}

/** What a line of the audit log is. */
export const AUDIT_ENTRY_SCHEMA: JsonObject = {
  $schema: DIALECT,
  title: "rein-audit/1: a line of the audit log",
  oneOf: Object.keys(KINDS).map(entrySchema),
  $defs: { evaluation },
};
