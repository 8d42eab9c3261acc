/**
 * Envelopes for tests, and generators of any that the schemas admit.
 *
 * @module
 */

import * as fc from "fast-check";
import type { JsonObject } from "../../lib/types.ts";
import {
  type Attachment,
  type Intent,
  RESULT_PROTOCOL,
  type ResultEnvelope,
  TASK_PROTOCOL,
  type TaskEnvelope,
} from "../../lib/delegate/types.ts";

/** An intent that has to know an order. */
export const REFUND: Intent = {
  name: "refund-status",
  description: "Finds the state of a refund",
  parameters: {
    type: "object",
    properties: { order: { type: "string" } },
    required: ["order"],
  },
  example: { order: "A-1" },
  access: "read",
};

/** An intent that needs to know nothing. */
export const PAYOUTS: Intent = {
  name: "run-payouts",
  description: "Pays out what is due",
  parameters: { type: "object" },
  example: null,
  access: "write",
};

/** A task with some fields of one's own. */
export function taskOf(fields: Partial<TaskEnvelope> = {}): TaskEnvelope {
  return {
    task_id: "t-1",
    protocol: TASK_PROTOCOL,
    agent: "orders",
    intent: "refund-status",
    params: { order: "A-1" },
    callback: null,
    timeout_sec: 60,
    ...fields,
  };
}

/** A result with some fields of one's own. */
export function resultOf(fields: Partial<ResultEnvelope> = {}): ResultEnvelope {
  return {
    task_id: "t-1",
    protocol: RESULT_PROTOCOL,
    status: "success",
    data: { summary: "Refunded on Monday" },
    error: null,
    cost: { input_tokens: 10, output_tokens: 5, latency_ms: 20 },
    ...fields,
  };
}

const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._:~-]{0,30}$/);
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/);
const object = fc.dictionary(fc.string(), fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject);

const attachment: fc.Arbitrary<Attachment> = fc.record({
  name: fc.stringMatching(/^[A-Za-z ]{1,20}\.txt$/),
  media_type: fc.constantFrom("text/plain", "image/png"),
  text: fc.string(),
  url: fc.constantFrom("t-1/attachments/a.txt", "https://x.example/a"),
  bytes: fc.nat(),
}, { requiredKeys: ["name", "media_type"] });

const attachments = fc.array(attachment, { maxLength: 3 });

/** Any task. */
export const anyTask: fc.Arbitrary<TaskEnvelope> = fc.record({
  task_id: id,
  protocol: fc.constant(TASK_PROTOCOL),
  agent: name,
  intent: name,
  params: object,
  callback: fc.option(fc.webUrl()),
  timeout_sec: fc.integer({ min: 1, max: 1e6 }),
  deadline: fc.constant("2026-11-30T12:05:00.000Z"),
  depth: fc.integer({ min: 1, max: 100 }),
  max_depth: fc.integer({ min: 1, max: 100 }),
  trace_id: id,
  parent_task_id: id,
  policy: object,
  attachments,
}, {
  requiredKeys: ["task_id", "protocol", "agent", "intent", "params", "callback", "timeout_sec"],
});

const data = fc.tuple(fc.string({ minLength: 1 }), object)
  .map(([summary, rest]) => ({ ...rest, summary }));
const error = fc.record({
  code: fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
  message: fc.string({ minLength: 1 }),
  retriable: fc.boolean(),
});

/** Any way for a task to end. */
const ending = fc.oneof(
  fc.record({ status: fc.constant("success" as const), data, error: fc.constant(null) }),
  fc.record({ status: fc.constant("partial_success" as const), data, error }),
  fc.record({ status: fc.constant("failed" as const), data: fc.option(data), error }),
);

/** Any result of a task. */
export function anyResult(task: TaskEnvelope): fc.Arbitrary<ResultEnvelope> {
  const cost = fc.record({ input_tokens: fc.nat(), output_tokens: fc.nat(), latency_ms: fc.nat() });
  const rest = fc.record({ cost, attachments, trace_id: id }, { requiredKeys: ["cost"] });
  return fc.tuple(ending, rest).map(([ended, others]) => ({
    task_id: task.task_id,
    protocol: RESULT_PROTOCOL,
    ...ended,
    ...others,
  }));
}
