import { Message, type Part, Role, Task, TaskState } from "@a2a-js/sdk";
import { assertEquals } from "@std/assert";
import * as fc from "fast-check";
import {
  a2aTaskOf,
  messageOfTask,
  readA2aTask,
  resultOfMessage,
  type ShownTask,
  taskOfMessage,
} from "../../lib/delegate/a2a_mapping.ts";
import { RESULT_PROTOCOL, TASK_PROTOCOL } from "../../lib/delegate/types.ts";
import { anyResult, anyTask, PAYOUTS, REFUND, resultOf, taskOf } from "./_envelopes.ts";

/** A message as it comes out of the wire. */
function sent(message: Message): Message {
  return Message.fromJSON(JSON.parse(JSON.stringify(Message.toJSON(message))));
}

function told(task: Task): Task {
  return Task.fromJSON(JSON.parse(JSON.stringify(Task.toJSON(task))));
}

function shown(fields: Partial<ShownTask> = {}): ShownTask {
  return { task: taskOf(), begun: true, result: null, ...fields };
}

function text(value: string, filename = ""): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename, mediaType: "" };
}

function data(value: unknown): Part {
  return { content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: "" };
}

/** A message as an agent of others would send it. */
function foreign(parts: Part[], fields: Partial<Message> = {}): Message {
  return {
    messageId: "m-1",
    contextId: "",
    taskId: "",
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...fields,
  };
}

/** A task as an agent of others would tell of it. */
function foreignTask(state: TaskState, parts: Part[], said: Part[] = []): Task {
  const artifact = { artifactId: "x", name: "", description: "", metadata: undefined };
  return {
    id: "their-1",
    contextId: "c",
    status: { state, message: foreign(said, { role: Role.ROLE_AGENT }), timestamp: undefined },
    artifacts: parts.length === 0 ? [] : [{ ...artifact, parts, extensions: [] }],
    history: [],
    metadata: undefined,
  };
}

Deno.test("messageOfTask() and taskOfMessage() lose nothing of a task on the wire", () => {
  fc.assert(fc.property(anyTask, (task) => {
    const message = sent(messageOfTask(task, null));
    assertEquals(taskOfMessage(message, "orders", []), { ok: true, value: { ...task } });
  }));
});

Deno.test("a2aTaskOf() and readA2aTask() lose nothing of a result on the wire", () => {
  const both = anyTask.chain((task) => fc.tuple(fc.constant(task), anyResult(task)));
  fc.assert(fc.property(both, ([task, result]) => {
    const seen = told(a2aTaskOf({ task, begun: true, result }, null));
    assertEquals(readA2aTask(seen, task, 7), { kind: "ended", result: { ...result } });
  }));
});

Deno.test("a2aTaskOf() shows a task that has not ended", () => {
  const states = [false, true].map((begun) => a2aTaskOf(shown({ begun }), null).status?.state);
  assertEquals(states, [TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]);
  const running = told(a2aTaskOf(shown(), null));
  assertEquals(readA2aTask(running, taskOf(), 0), { kind: "running" });
});

Deno.test("a2aTaskOf() shows how a task ended", () => {
  const error = { code: "x", message: "It broke", retriable: false };
  const states = [
    resultOf(),
    resultOf({ status: "partial_success", error }),
    resultOf({ status: "failed", data: null, error }),
    resultOf({ status: "failed", data: null, error: { ...error, code: "cancelled" } }),
  ].map((result) => a2aTaskOf(shown({ result }), null).status?.state);
  assertEquals(states, [
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_CANCELED,
  ]);
});

Deno.test("a2aTaskOf() makes addresses of attachments absolute", () => {
  const attachment = { name: "a.csv", media_type: "text/csv", url: "t-1/attachments/a.csv" };
  const result = resultOf({ attachments: [attachment] });
  const base = new URL("https://orders.example/tasks/");
  const seen = a2aTaskOf(shown({ result }), base);
  const url = "https://orders.example/tasks/t-1/attachments/a.csv";
  assertEquals(seen.artifacts[0]?.parts[2]?.content, { $case: "url", value: url });
  assertEquals(readA2aTask(seen, taskOf(), 0), {
    kind: "ended",
    result: { ...result, attachments: [{ ...attachment, url }] },
  });
});

Deno.test("messageOfTask() says in words what agents that read only text need", () => {
  const task = taskOf({ params: { order: "A-1", since: { days: 3 } } });
  const words = 'refund-status\nFinds the state of a refund\norder: A-1\nsince: {"days":3}';
  assertEquals(messageOfTask(task, REFUND).parts[1]?.content, { $case: "text", value: words });
});

const READ_TASK = {
  task_id: "m-1",
  protocol: TASK_PROTOCOL,
  agent: "orders",
  intent: "refund-status",
  params: { order: "A-1" },
  callback: null,
  timeout_sec: 120,
};

Deno.test("taskOfMessage() takes messages of others that say what is needed", () => {
  const both = [REFUND, PAYOUTS];
  const order = data({ order: "A-1" });
  const metadata = { skill: "refund-status" };
  const note = { name: "message.txt", media_type: "text/plain", text: "Please hurry" };
  const read = [
    taskOfMessage(foreign([order]), "orders", [REFUND]),
    taskOfMessage(foreign([text('{"order": "A-1"}')]), "orders", [REFUND]),
    taskOfMessage(foreign([text("refund-status"), order]), "orders", both),
    taskOfMessage(foreign([text("Please hurry"), order], { metadata }), "orders", both),
    taskOfMessage(foreign([order], { contextId: "c-1" }), "orders", [REFUND]),
    taskOfMessage(foreign([text("run-payouts")]), "orders", both),
  ];
  assertEquals(read, [
    { ok: true, value: READ_TASK },
    { ok: true, value: READ_TASK },
    { ok: true, value: READ_TASK },
    { ok: true, value: { ...READ_TASK, attachments: [note] } },
    { ok: true, value: { ...READ_TASK, trace_id: "c-1" } },
    { ok: true, value: { ...READ_TASK, intent: "run-payouts", params: {} } },
  ]);
});

Deno.test("taskOfMessage() tells others what is missing", () => {
  const noIntent = "It is not clear which skill is meant. Name one as metadata.skill, or in the " +
    "first line of the text: refund-status, run-payouts";
  const noParams = "refund-status needs its parameters as a data part: order (string). " +
    'Example: {"order":"A-1"}';
  const read = [
    taskOfMessage(foreign([text("Where is my money?")]), "orders", [REFUND, PAYOUTS]),
    taskOfMessage(foreign([], { metadata: { skill: "other" } }), "orders", [REFUND, PAYOUTS]),
    taskOfMessage(foreign([text("Where is my money?")]), "orders", [REFUND]),
    taskOfMessage(foreign([data(["A-1"])]), "orders", [REFUND]),
  ];
  const unclear = { code: "unknown_intent", message: noIntent, retriable: false };
  const incomplete = { code: "invalid_params", message: noParams, retriable: false };
  assertEquals(read, [
    { ok: false, error: unclear },
    { ok: false, error: unclear },
    { ok: false, error: incomplete },
    { ok: false, error: incomplete },
  ]);
});

/** The result that others' task comes to, without what is the same in all. */
function readForeign(task: Task): unknown {
  const read = readA2aTask(task, taskOf({ trace_id: "q-1" }), 7);
  if (read.kind !== "ended") return read.kind;
  const { task_id, protocol, cost, trace_id, ...rest } = read.result;
  assertEquals({ task_id, protocol, cost, trace_id }, {
    task_id: "t-1",
    protocol: RESULT_PROTOCOL,
    cost: { input_tokens: 0, output_tokens: 0, latency_ms: 7 },
    trace_id: "q-1",
  });
  return rest;
}

const DONE = TaskState.TASK_STATE_COMPLETED;

Deno.test("readA2aTask() finds what agents of others brought", () => {
  const success = { status: "success", error: null };
  const png = { ...text("", "../a.png"), mediaType: "image/png" };
  const image: Part = { ...png, content: { $case: "raw", value: Buffer.from([1, 2]) } };
  const csv: Part = { ...text("a,b", "t.csv"), mediaType: "text/csv" };
  const link: Part = { ...text(""), content: { $case: "url", value: "https://x.example/r.pdf?a" } };
  const found = [
    foreignTask(DONE, [text("Refunded"), text("on Monday")]),
    foreignTask(DONE, [text("Refunded"), data({ amount: 5, summary: 3 })]),
    foreignTask(DONE, [data({ amount: 5 })]),
    foreignTask(DONE, [data({ amount: 5 }), data([1])]),
    foreignTask(DONE, [image, csv, link]),
    foreignTask(DONE, [], [text("All is well")]),
  ].map(readForeign);
  assertEquals(found, [
    { ...success, data: { summary: "Refunded\n\non Monday" } },
    { ...success, data: { amount: 5, summary: "Refunded" } },
    { ...success, data: { amount: 5, summary: "Data without a text: amount" } },
    { ...success, data: { data: [{ amount: 5 }, [1]], summary: "Data without a text: data" } },
    {
      ...success,
      data: { summary: "Files: a.png, t.csv, r.pdf" },
      attachments: [
        { name: "a.png", media_type: "image/png", bytes: 2 },
        { name: "t.csv", media_type: "text/csv", text: "a,b" },
        {
          name: "r.pdf",
          media_type: "application/octet-stream",
          url: "https://x.example/r.pdf?a",
        },
      ],
    },
    { ...success, data: { summary: "All is well" } },
  ]);
});

Deno.test("readA2aTask() keeps the whole of a text that is too long for a summary", () => {
  const long = "word ".repeat(2_000);
  const read = readForeign(foreignTask(DONE, [text(long)])) as Record<string, unknown>;
  assertEquals(read.attachments, [{ name: "answer.txt", media_type: "text/plain", text: long }]);
  assertEquals((read.data as { summary: string }).summary.length <= 4_000, true);
});

Deno.test("readA2aTask() says that a task was completed without anything", () => {
  const message = "The agent says that it is done, and sent nothing";
  assertEquals(readForeign(foreignTask(DONE, [])), {
    status: "partial_success",
    data: { summary: message },
    error: { code: "no_content", message, retriable: false },
  });
});

Deno.test("readA2aTask() makes a failure of every other end", () => {
  const ends = [
    TaskState.TASK_STATE_FAILED,
    TaskState.TASK_STATE_CANCELED,
    TaskState.TASK_STATE_REJECTED,
    TaskState.TASK_STATE_INPUT_REQUIRED,
    TaskState.TASK_STATE_AUTH_REQUIRED,
  ].map((state) => readForeign(foreignTask(state, [], [text("Which order?")])));
  const codes = ["agent_failed", "cancelled", "rejected", "input_required", "auth_required"];
  assertEquals(
    ends,
    codes.map((code) => ({
      status: "failed",
      data: null,
      error: { code, message: "Which order?", retriable: false },
    })),
  );
});

Deno.test("readA2aTask() keeps what a task had brought before it failed", () => {
  const failed = foreignTask(TaskState.TASK_STATE_FAILED, [text("Half of it")]);
  assertEquals(readForeign(failed), {
    status: "failed",
    data: { summary: "Half of it" },
    error: { code: "agent_failed", message: "The agent says that it failed", retriable: false },
  });
});

Deno.test("readA2aTask() takes no state that is not known", () => {
  const states = [TaskState.TASK_STATE_UNSPECIFIED, TaskState.UNRECOGNIZED];
  assertEquals(states.map((state) => readForeign(foreignTask(state, []))), ["unclear", "unclear"]);
});

Deno.test("resultOfMessage() is a success with the message's text", () => {
  const message = foreign([text("Refunded")], { role: Role.ROLE_AGENT });
  assertEquals(resultOfMessage(message, taskOf(), 7), {
    task_id: "t-1",
    protocol: RESULT_PROTOCOL,
    status: "success",
    data: { summary: "Refunded" },
    error: null,
    cost: { input_tokens: 0, output_tokens: 0, latency_ms: 7 },
  });
});
