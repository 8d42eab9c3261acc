import { type Part, Role, type SendMessageRequest, type Task, TaskState } from "@a2a-js/sdk";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";
import { LegacyJsonRpcTransport } from "@a2a-js/sdk/compat/v0_3/client";
import { assertEquals, assertRejects } from "@std/assert";
import { messageOfTask, readA2aTask } from "../../lib/delegate/a2a_mapping.ts";
import type { ResultEnvelope } from "../../lib/delegate/types.ts";
import { a2aRoutes, type A2aServeOptions } from "../../lib/serve/a2a.ts";
import type { TaskService } from "../../lib/serve/types.ts";
import { PAYOUTS, REFUND, resultOf, taskOf } from "../delegate/_envelopes.ts";
import { FakeClock, settle } from "../fakes.ts";
import { fetchFrom, MemoryService, type TaskRecord } from "./_service.ts";

const AT = "http://127.0.0.1:8701";
const DELEGATION = "urn:rein:delegation:1";

function served(service: TaskService, options: Partial<A2aServeOptions> = {}) {
  return fetchFrom(
    a2aRoutes(service, { version: "1.2.3", bearer: false, clock: new FakeClock(), ...options }),
  );
}

/** The SDK's own client, on a service. */
function clientOf(service: TaskService, options: Partial<A2aServeOptions> = {}) {
  const fetchImpl = served(service, options);
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return factory.createFromUrl(AT);
}

function requestOf(
  message: SendMessageRequest["message"] = messageOfTask(taskOf(), null),
  returnImmediately = false,
): SendMessageRequest {
  const configuration = {
    acceptedOutputModes: [],
    taskPushNotificationConfig: undefined,
    returnImmediately,
  };
  return { tenant: "", message, configuration, metadata: undefined };
}

/** A message as a client of others sends it. */
function foreign(parts: Part[]): SendMessageRequest {
  return requestOf({
    messageId: "m-1",
    contextId: "c-1",
    taskId: "",
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  });
}

function text(value: string): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "" };
}

function request(id = "t-1") {
  return { tenant: "", id, metadata: undefined };
}

/** The result of a task, as a caller of rein's reads it. */
function resultIn(answer: unknown): unknown {
  const read = readA2aTask(answer as Task, taskOf(), 0);
  return read.kind === "ended" ? read.result : read.kind;
}

const done = (result: ResultEnvelope = resultOf()) => new MemoryService(new Map(), () => result);

Deno.test("the agent card says what the agent is, for clients of 1.0 and 0.3", async () => {
  const card = `${AT}/.well-known/agent-card.json`;
  const ask = async (headers: Record<string, string>) =>
    (await served(done(), { bearer: true })(card, { headers })).json();
  const modern = await ask({ "a2a-version": "1.0" });
  const extension = {
    uri: DELEGATION,
    description: "Tasks and results with all that rein's envelopes have",
    params: { protocols: ["agent-task/1.0"], intents: [{ ...REFUND }, { ...PAYOUTS }] },
  };
  const way = { url: `${AT}/a2a`, protocolBinding: "JSONRPC" };
  assertEquals(modern, {
    name: "orders",
    description: "Looks at orders, payments and refunds",
    version: "1.2.3",
    supportedInterfaces: [
      { ...way, protocolVersion: "1.0" },
      { ...way, protocolVersion: "0.3" },
    ],
    capabilities: { streaming: true, pushNotifications: false, extensions: [extension] },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: {} } }],
    defaultInputModes: ["application/json", "text/plain"],
    defaultOutputModes: ["application/json", "text/plain"],
    skills: [
      {
        id: "refund-status",
        name: "refund-status",
        description: "Finds the state of a refund",
        tags: ["read"],
        examples: ['{"order":"A-1"}'],
      },
      {
        id: "run-payouts",
        name: "run-payouts",
        description: "Pays out what is due",
        tags: ["write"],
      },
    ],
  });
  assertEquals(await ask({}), {
    ...modern,
    url: `${AT}/a2a`,
    preferredTransport: "JSONRPC",
    protocolVersion: "0.3.0",
    securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
    security: [{ bearer: [] }],
  });
});

Deno.test("the agent card names the address by which the agent is reached from outside", async () => {
  const publicUrl = new URL("https://agents.example/");
  const answer = await served(done(), { publicUrl })(`${AT}/.well-known/agent-card.json`);
  const { supportedInterfaces } = await answer.json();
  assertEquals(supportedInterfaces[0].url, "https://agents.example/a2a");
});

Deno.test("message send waits for the result", async () => {
  const service = new MemoryService();
  const client = await clientOf(service);
  const answer = client.sendMessage(requestOf());
  await settle();
  service.end(resultOf());
  assertEquals(resultIn(await answer), { ...resultOf() });
});

Deno.test("message send returns at once where that is wanted, and the task is asked for", async () => {
  const service = new MemoryService();
  const client = await clientOf(service);
  const first = await client.sendMessage(requestOf(undefined, true));
  const running = await client.getTask(request());
  service.end(resultOf());
  const ended = await client.getTask(request());
  assertEquals([first, running, ended].map(resultIn), ["running", "running", { ...resultOf() }]);
});

Deno.test("message send twice with one id begins one task", async () => {
  const service = new MemoryService();
  const client = await clientOf(service);
  const both = [client.sendMessage(requestOf()), client.sendMessage(requestOf())];
  await settle();
  service.end(resultOf());
  assertEquals((await Promise.all(both)).map(resultIn), [{ ...resultOf() }, { ...resultOf() }]);
  assertEquals(service.begun, ["t-1"]);
});

Deno.test("a message of others is a task under the message's id", async () => {
  const service = done(resultOf({ task_id: "m-1", trace_id: "c-1" }));
  const client = await clientOf(service);
  const parts: Part[] = [{ ...text(""), content: { $case: "data", value: { order: "A-1" } } }];
  const answer = await client.sendMessage(foreign([text("refund-status"), ...parts])) as Task;
  assertEquals([answer.id, answer.contextId, answer.status?.state], [
    "m-1",
    "c-1",
    TaskState.TASK_STATE_COMPLETED,
  ]);
  assertEquals(answer.artifacts[0]?.parts.map(({ content }) => content?.value), [
    "Refunded on Monday",
    { summary: "Refunded on Monday" },
  ]);
});

Deno.test("a text alone is told what it lacks", async () => {
  const client = await clientOf(done());
  const message = "invalid_params: refund-status needs its parameters as a data part: " +
    'order (string). Example: {"order":"A-1"}';
  const error = await assertRejects(() => client.sendMessage(foreign([text("refund-status")])));
  assertEquals((error as Error).message, message);
});

Deno.test("wrong parameters, another task's id, and no envelope are refused", async () => {
  const service = new MemoryService();
  const client = await clientOf(service);
  await client.sendMessage(requestOf(undefined, true));
  const wrong = [
    taskOf({ task_id: "t-2", params: {} }),
    taskOf({ intent: "run-payouts" }),
    taskOf({ task_id: "t-3", timeout_sec: -1 }),
    taskOf({ task_id: "t-4", protocol: "agent-task/9.9" as "agent-task/1.0" }),
  ];
  const answers = wrong.map((task) =>
    client.sendMessage(requestOf(messageOfTask(task, null))).catch((error: Error) => error.message)
  );
  assertEquals(await Promise.all(answers), [
    "invalid_params: order is missing",
    "conflict: The id belongs to another task",
    'invalid_envelope: The task is no envelope: field "timeout_sec" must be > 0, but is -1',
    'unknown_protocol: The task\'s protocol "agent-task/9.9" is not known; known is agent-task/1.0',
  ]);
  assertEquals(service.begun, ["t-1"]);
});

Deno.test("a full queue is answered with 429 and when to come again", async () => {
  const service = new MemoryService();
  const client = await clientOf(service);
  for (const id of ["t-1", "t-2"]) {
    await client.sendMessage(requestOf(messageOfTask(taskOf({ task_id: id }), null), true));
  }
  const body = {
    jsonrpc: "2.0",
    id: 7,
    method: "SendMessage",
    params: { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "run-payouts" }] } },
  };
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  for (const method of ["SendMessage", "SendStreamingMessage"]) {
    const init = { method: "POST", headers, body: JSON.stringify({ ...body, method }) };
    const answer = await served(service)(`${AT}/a2a`, init);
    const { id, error } = await answer.json();
    assertEquals([answer.status, answer.headers.get("retry-after"), id, error.message], [
      429,
      "2",
      7,
      "The agent has all the tasks that it can take; try again later",
    ]);
  }
});

Deno.test("streaming tells the task, what it does, and what it brought", async () => {
  const service = new MemoryService();
  const client = await clientOf(service);
  const seen: unknown[] = [];
  for await (const { payload } of client.sendMessageStream(requestOf())) {
    if (payload?.$case === "task") seen.push([payload.$case, payload.value.status?.state]);
    if (payload?.$case === "artifactUpdate") seen.push([payload.$case, payload.value.lastChunk]);
    if (payload?.$case === "statusUpdate") {
      const { status } = payload.value;
      seen.push([payload.$case, status?.state, status?.message?.parts[0]?.content?.value]);
    }
    await settle();
    if (seen.length === 1) service.step("t-1", "run_shell ls");
    if (seen.length === 2) service.end(resultOf());
  }
  assertEquals(seen, [
    ["task", TaskState.TASK_STATE_WORKING],
    ["statusUpdate", TaskState.TASK_STATE_WORKING, "run_shell ls"],
    ["artifactUpdate", true],
    ["statusUpdate", TaskState.TASK_STATE_COMPLETED, "Refunded on Monday"],
  ]);
});

Deno.test("streaming of what is refused is one error, and no stream", async () => {
  const client = await clientOf(new MemoryService());
  const task = taskOf({ params: {} });
  const stream = client.sendMessageStream(requestOf(messageOfTask(task, null)));
  const error = await assertRejects(() => stream.next());
  assertEquals((error as Error).message, "invalid_params: order is missing");
});

Deno.test("a reader of a stream that has gone waits for nothing any more", async () => {
  const service = new MemoryService();
  const client = await clientOf(service);
  const stream = client.sendMessageStream(requestOf());
  await stream.next();
  await settle();
  assertEquals(service.waiting("t-1"), 1);
  await stream.return();
  await settle();
  assertEquals(service.waiting("t-1"), 0);
  assertEquals(service.find("t-1")?.phase, "running");
});

Deno.test("who waits for a task of a server that closes is told where it is", async () => {
  const service = new MemoryService();
  const closing = new AbortController();
  const client = await clientOf(service, { closing: closing.signal });
  const sent = client.sendMessage(requestOf());
  const stream = client.sendMessageStream(requestOf());
  await stream.next();
  while (service.waiting("t-1") < 2) await settle();
  const rest = stream.next();
  closing.abort();
  assertEquals(resultIn(await sent), "running");
  assertEquals((await rest).done, true);
});

Deno.test("a task is found, followed and cancelled after a restart", async () => {
  const record: TaskRecord = new Map();
  await (await clientOf(new MemoryService(record))).sendMessage(requestOf(undefined, true));
  const service = new MemoryService(record);
  const client = await clientOf(service);
  assertEquals(resultIn(await client.getTask(request())), "running");
  const stream = client.resubscribeTask(request());
  assertEquals((await stream.next()).value?.payload?.$case, "task");
  const error = { code: "cancelled", message: "It was given up", retriable: false };
  const cancelled = resultOf({ status: "failed", data: null, error });
  assertEquals(resultIn(await client.cancelTask(request())), { ...cancelled });
  const rest = [];
  for await (const { payload } of stream) rest.push(payload?.$case);
  assertEquals(rest, ["statusUpdate"]);
  assertEquals(service.begun, []);
});

Deno.test("tasks that are not there, or have ended, are named as such", async () => {
  const client = await clientOf(done());
  await client.sendMessage(requestOf());
  const names = [
    client.getTask(request("t-9")),
    client.cancelTask(request("t-9")),
    client.cancelTask(request()),
    client.resubscribeTask(request()).next(),
    client.sendMessage(requestOf({ ...messageOfTask(taskOf(), null), taskId: "t-1" })),
  ].map((answer) => Promise.resolve(answer).catch((error: Error) => error.name));
  assertEquals(await Promise.all(names), [
    "TaskNotFoundError",
    "TaskNotFoundError",
    "TaskNotCancelableError",
    "UnsupportedOperationError",
    "UnsupportedOperationError",
  ]);
});

Deno.test("a client of 0.3 sends, streams, asks and cancels", async () => {
  const service = new MemoryService();
  const client = new LegacyJsonRpcTransport({ endpoint: `${AT}/a2a`, fetchImpl: served(service) });
  const first = await client.sendMessage(requestOf(undefined, true));
  service.end(resultOf());
  const ended = await client.getTask(request());
  assertEquals([first, ended].map(resultIn), ["running", { ...resultOf() }]);
  const other = requestOf(messageOfTask(taskOf({ task_id: "t-2" }), null));
  const kinds = [];
  for await (const { payload } of client.sendMessageStream(other)) {
    kinds.push(payload?.$case);
    if (kinds.length === 1) await client.cancelTask(request("t-2"));
  }
  assertEquals(kinds, ["task", "statusUpdate"]);
  const unknown = await assertRejects(() => client.getTask(request("t-9")));
  assertEquals((unknown as Error).name, "TaskNotFoundError");
});

Deno.test("a request that is no JSON, too long, or of another version is turned away", async () => {
  const fetchImpl = served(done(), { maxRequestBytes: 100 });
  const post = async (body: string, headers: Record<string, string>) => {
    const answer = await fetchImpl(`${AT}/a2a`, { method: "POST", body, headers });
    const { error } = await answer.json();
    return [answer.status, error.code];
  };
  const type = { "content-type": "application/json" };
  const call = '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"t"}}';
  const answers = [
    await post(call, { "content-type": "text/plain" }),
    await post(`"${"x".repeat(100)}"`, type),
    await post("<html>", type),
    await post("[".repeat(50) + "]".repeat(50), type),
    await post("[]", type),
    await post(call, { ...type, "a2a-version": "2.0" }),
    await post(call, { ...type, "a2a-version": "1.0" }),
  ];
  assertEquals(answers, [
    [415, -32600],
    [413, -32600],
    [400, -32600],
    [200, -32602],
    [200, -32602],
    [200, -32009],
    [200, -32001],
  ]);
});

Deno.test("a request that does not come within its time, or whose brackets are too deep, is turned away", async () => {
  const clock = new FakeClock();
  const fetchImpl = served(done(), { clock });
  const headers = { "content-type": "application/json" };
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  const slow = fetchImpl(`${AT}/a2a`, { method: "POST", body, headers });
  await settle();
  await clock.advance(15_000);
  const deep = `{"params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  const answers = [
    await slow,
    await fetchImpl(`${AT}/a2a`, { method: "POST", body: deep, headers }),
  ];
  assertEquals(answers.map(({ status }) => status), [408, 400]);
});
