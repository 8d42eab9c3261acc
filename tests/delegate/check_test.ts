import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { checkResult, checkTask } from "../../lib/delegate/check.ts";
import agentsSchema from "../../lib/delegate/schemas/agents.json" with { type: "json" };
import resultSchema from "../../lib/delegate/schemas/result.json" with { type: "json" };
import taskSchema from "../../lib/delegate/schemas/task.json" with { type: "json" };
import type { ResultEnvelope } from "../../lib/delegate/types.ts";
import { resultText } from "../../lib/delegate/write_envelope.ts";

const TASK = taskSchema.examples[0];
const RESULT = resultSchema.examples[0];
const ID = "t-7f3a90c2";

function resultFault(value: unknown): readonly [code: string, message: string] | null {
  const checked = checkResult(value, ID);
  return checked.ok ? null : [checked.error.code, checked.error.message];
}

function taskFault(value: unknown): readonly [code: string, message: string] | null {
  const checked = checkTask(value);
  return checked.ok ? null : [checked.error.code, checked.error.message];
}

Deno.test("the published schemas admit their own examples, and check*() does", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  for (const schema of [agentsSchema, taskSchema, resultSchema]) {
    const validate = ajv.compile(schema);
    assertEquals(
      schema.examples.map((example) => validate(example)),
      schema.examples.map(() => true),
    );
  }
  assertEquals(taskSchema.examples.map((example) => checkTask(example).ok), [true, true]);
  const checked = resultSchema.examples.map((example) => checkResult(example, example.task_id).ok);
  assertEquals(checked, [true, true, true]);
});

Deno.test("the published schemas describe every field", () => {
  const undescribed = (schema: unknown, path: string): string[] => {
    if (typeof schema !== "object" || schema === null) return [];
    return Object.entries(schema).flatMap(([key, value]) =>
      key === "properties" && !/\/(if|then)$/.test(path)
        ? Object.entries(value as Record<string, object>).flatMap(([name, field]) => [
          ...("description" in field || "$ref" in field ? [] : [`${path}/${name}`]),
          ...undescribed(field, `${path}/${name}`),
        ])
        : key === "examples"
        ? []
        : undescribed(value, `${path}/${key}`)
    );
  };
  const schemas = [agentsSchema, taskSchema, resultSchema];
  assertEquals(schemas.flatMap((schema) => undescribed(schema, "")), []);
});

Deno.test("checkTask() admits fields that it does not know, and keeps them", () => {
  const value = { ...TASK, mood: "calm" };
  assertEquals(checkTask(value), { ok: true, value });
});

Deno.test("checkTask() refuses a protocol that is not known, with those that are", () => {
  assertEquals(taskFault({ ...TASK, protocol: "agent-task/2.0" }), [
    "unknown_protocol",
    'The task\'s protocol "agent-task/2.0" is not known; known is agent-task/1.0',
  ]);
});

Deno.test("checkTask() names the field that is wrong", () => {
  const { intent: _, ...lacking } = TASK ?? {};
  const wrong = [
    null,
    [],
    "task",
    {},
    lacking,
    { ...TASK, protocol: 1 },
    { ...TASK, task_id: "../etc" },
    { ...TASK, task_id: "x".repeat(129) },
    { ...TASK, agent: "Order Analysis" },
    { ...TASK, timeout_sec: 0 },
    { ...TASK, callback: "ftp://a" },
    { ...TASK, attachments: [{ name: "../a", media_type: "text/plain" }] },
  ];
  assertEquals(wrong.map((value) => taskFault(value)?.[1]), [
    "A task is a JSON object",
    "A task is a JSON object",
    "A task is a JSON object",
    'The task is no envelope: field "task_id" is missing',
    'The task is no envelope: field "intent" is missing',
    'The task is no envelope: field "protocol" must be equal to constant, but is 1',
    'The task is no envelope: field "task_id" must match pattern "^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$", but is "../etc"',
    `The task is no envelope: field "task_id" must match pattern "^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$", but is "${
      "x".repeat(58)
    }…`,
    'The task is no envelope: field "agent" must match pattern "^[a-z][a-z0-9-]{0,62}$", but is "Order Analysis"',
    'The task is no envelope: field "timeout_sec" must be > 0, but is 0',
    'The task is no envelope: field "callback" must match pattern "^[hH][tT][tT][pP][sS]?://", but is "ftp://a"',
    'The task is no envelope: field "attachments.0.name" must match pattern "^(?!\\.{1,2}$)[^/\\\\\\u0000-\\u001f\\u007f]{1,255}$", but is "../a"',
  ]);
});

Deno.test("checkResult() admits fields that it does not know, and keeps them", () => {
  const value = { ...RESULT, mood: "calm", data: { ...RESULT?.data, more: [1] } };
  assertEquals(checkResult(value, ID), { ok: true, value } as unknown);
});

Deno.test("checkResult() tells another task, protocol and status by their codes", () => {
  const wrong = [
    { ...RESULT, task_id: "t-other" },
    { ...RESULT, protocol: "agent-result/0.9" },
    { ...RESULT, status: "done" },
  ];
  assertEquals(wrong.map(resultFault), [
    ["wrong_task", `The result is of task "t-other", and not of "${ID}"`],
    [
      "unknown_protocol",
      'The result\'s protocol "agent-result/0.9" is not known; known is agent-result/1.0',
    ],
    [
      "unknown_status",
      'The result\'s status "done" is not known; known are success, partial_success, failed',
    ],
  ]);
});

Deno.test("checkResult() wants a summary where there is success, and an error where there is not", () => {
  const error = { code: "timeout", message: "Late", retriable: true };
  const wrong = [
    { ...RESULT, data: null },
    { ...RESULT, data: {} },
    { ...RESULT, data: { summary: "" } },
    { ...RESULT, data: { summary: "x", top_items: "none" } },
    { ...RESULT, error },
    { ...RESULT, status: "partial_success" },
    { ...RESULT, status: "partial_success", data: null, error },
    { ...RESULT, status: "failed", data: null },
    { ...RESULT, status: "failed", data: null, error: { ...error, code: "Too Late" } },
    { ...RESULT, cost: { input_tokens: -1, output_tokens: 0, latency_ms: 0 } },
    { ...RESULT, status: 7 },
    {},
  ];
  assertEquals(
    wrong.map((value) => resultFault(value)?.[1].replace("The result is no envelope: ", "")),
    [
      'status "success" needs "data" with a summary',
      'field "summary" of "data" is missing',
      'field "data.summary" must NOT have fewer than 1 characters, but is ""',
      'field "data.top_items" must be array, but is "none"',
      'status "success" needs "error" to be null',
      'status "partial_success" needs an "error"',
      'status "partial_success" needs "data" with a summary',
      'status "failed" needs an "error"',
      'field "error.code" must match pattern "^[a-z][a-z0-9_]{0,63}$", but is "Too Late"',
      'field "cost.input_tokens" must be >= 0, but is -1',
      "The result's status 7 is not known; known are success, partial_success, failed",
      'field "task_id" is missing',
    ],
  );
});

Deno.test("checkResult() stops at the first of a million faults", () => {
  const attachments = Array.from({ length: 1_000_000 }, () => 0);
  const shown = `${JSON.stringify(attachments).slice(0, 59)}…`;
  assertEquals(resultFault({ ...RESULT, attachments }), [
    "bad_result",
    `The result is no envelope: field "attachments" must NOT have more than 64 items, but is ${shown}`,
  ]);
});

Deno.test("resultText() puts the summary and the top items first", () => {
  const result: ResultEnvelope = {
    cost: { input_tokens: 0, output_tokens: 0, latency_ms: 1 },
    error: null,
    data: { more: 1, top_items: ["a"], summary: "Fine" },
    status: "success",
    protocol: "agent-result/1.0",
    task_id: ID,
  };
  assertEquals(
    resultText(result),
    `{"task_id":"${ID}","protocol":"agent-result/1.0","status":"success",` +
      `"data":{"summary":"Fine","top_items":["a"],"more":1},` +
      `"cost":{"input_tokens":0,"output_tokens":0,"latency_ms":1},"error":null}`,
  );
});
