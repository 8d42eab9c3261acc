import { type StreamResponse, TaskState } from "@a2a-js/sdk";
import { AgentEvent } from "@a2a-js/sdk/server";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { createA2aTransport } from "../../lib/delegate/a2a_transport.ts";
import { type TaskEnvelope, TransportError } from "../../lib/delegate/types.ts";
import type { Fetch } from "../../lib/ports.ts";
import { a2aRoutes } from "../../lib/serve/a2a.ts";
import type { TaskService } from "../../lib/serve/types.ts";
import { FakeClock, NEVER, settle } from "../fakes.ts";
import { fetchFrom, MemoryService, type TaskRecord } from "../serve/_service.ts";
import { PAYOUTS, REFUND, resultOf, taskOf } from "./_envelopes.ts";
import {
  agentAt,
  artifactOf,
  AT,
  foreignAgent,
  statusOf,
  theirTask,
  transportTo,
  type Work,
} from "./_foreign_agent.ts";

/** What `accepted` was told. */
function events() {
  const told: (string | null)[] = [];
  return { told, accepted: (statusUrl: string | null) => void told.push(statusUrl) };
}

function ours(service: TaskService): Fetch {
  return fetchFrom(a2aRoutes(service, { version: "1", bearer: false, clock: new FakeClock() }));
}

/** The code of the error with which something ends, and whether it may be tried again. */
async function failure(answer: Promise<unknown>): Promise<unknown> {
  const { code, retriable } = await assertRejects(() => answer, TransportError);
  return [code, retriable];
}

/** Lets a transport ask until something has come. */
async function untilAnswered<T>(answer: Promise<T>, clock: FakeClock): Promise<T> {
  const done = answer.then(() => true, () => true);
  while (!await Promise.race([done, settle().then(() => false)])) {
    if (clock.sleeping > 0) await clock.advance(clock.untilNext);
  }
  return await answer;
}

const success = { status: "success", error: null } as const;
const foreignCost = { input_tokens: 0, output_tokens: 0, latency_ms: 0 };

Deno.test("send() brings the result of an agent of rein's", async () => {
  const error = { code: "timeout", message: "One is missing", retriable: true };
  const result = resultOf({
    status: "partial_success",
    data: { summary: "Refunded", top_items: [{ order: "A-1" }] },
    error,
    attachments: [{ name: "a.txt", media_type: "text/plain", text: "abc" }],
  });
  const service = new MemoryService(new Map(), () => result);
  const seen = events();
  assertEquals(await transportTo(ours(service)).send(taskOf(), seen, NEVER), result);
  assertEquals(seen.told, ["t-1"]);
  assertEquals(service.find("t-1")?.task, taskOf());
});

Deno.test("send() follows a task that takes its time", async () => {
  const service = new MemoryService();
  const answer = transportTo(ours(service)).send(taskOf(), events(), NEVER);
  while (service.waiting("t-1") === 0) await settle();
  service.step("t-1", "run_shell ls");
  service.end(resultOf());
  assertEquals(await answer, resultOf());
});

Deno.test("send() twice runs a task once", async () => {
  const service = new MemoryService();
  const transport = transportTo(ours(service));
  const first = transport.send(taskOf(), events(), AbortSignal.timeout(1e6));
  while (service.waiting("t-1") === 0) await settle();
  const second = transport.send(taskOf(), events(), NEVER);
  while (service.waiting("t-1") === 1) await settle();
  service.end(resultOf());
  assertEquals(await Promise.all([first, second]), [resultOf(), resultOf()]);
  assertEquals(service.begun, ["t-1"]);
});

Deno.test("send() tells a refusal, a conflict and a full queue apart", async () => {
  const service = new MemoryService();
  const transport = transportTo(ours(service));
  const send = (task: TaskEnvelope) => transport.send(task, events(), NEVER);
  assertEquals(await failure(send(taskOf({ params: {} }))), ["refused", false]);
  for (const task_id of ["t-1", "t-2"]) service.submit(taskOf({ task_id }));
  assertEquals(await failure(send(taskOf({ intent: "run-payouts" }))), ["refused", false]);
  const busy = await assertRejects(() => send(taskOf({ task_id: "t-3" })), TransportError);
  assertEquals([busy.code, busy.retriable, busy.retryAfterMs], ["busy", true, 2000]);
});

/** Answers until the signal is aborted: then whatever is still coming breaks off. */
function until(fetch: Fetch, cut: AbortSignal): Fetch {
  return async (input, init) => {
    const { body, status, headers } = await fetch(input, init);
    const broken = new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) =>
        cut.addEventListener("abort", () => controller.error(new TypeError("reset"))),
    });
    return new Response(body?.pipeThrough(broken) ?? null, { status, headers });
  };
}

Deno.test("send() survives an agent that starts anew in the middle", async () => {
  const record: TaskRecord = new Map();
  const before = new MemoryService(record);
  const after = new MemoryService(record);
  const cut = new AbortController();
  const clock = new FakeClock();
  let agent = until(ours(before), cut.signal);
  const answer = transportTo((...args) => agent(...args), { clock }).send(
    taskOf(),
    events(),
    NEVER,
  );
  while (before.waiting("t-1") === 0) await settle();
  let refusals = 2;
  agent = (...args) => {
    if (refusals === 0) return ours(after)(...args);
    refusals -= 1;
    return Promise.reject(new TypeError("client error (Connect): refused"));
  };
  cut.abort();
  while (clock.sleeping === 0) await settle();
  after.end(resultOf());
  assertEquals(await untilAnswered(answer, clock), resultOf());
  assertEquals([before.begun, after.begun, refusals], [["t-1"], [], 0]);
});

Deno.test("recover() asks for a task, and knows one that was never there", async () => {
  const record: TaskRecord = new Map();
  new MemoryService(record).submit(taskOf());
  const service = new MemoryService(record);
  const clock = new FakeClock();
  const transport = transportTo(ours(service), { clock });
  const answer = transport.recover(taskOf(), null, NEVER);
  await settle();
  service.end(resultOf());
  assertEquals(await untilAnswered(answer, clock), resultOf());
  assertEquals(await transport.recover(taskOf({ task_id: "t-9" }), null, NEVER), null);
  assertEquals(await failure(transport.recover(taskOf({ task_id: "t-9" }), "t-9", NEVER)), [
    "lost",
    true,
  ]);
});

Deno.test("cancel() gives a task up, and does not mind one that is not there", async () => {
  const service = new MemoryService();
  service.submit(taskOf());
  const transport = transportTo(ours(service));
  await transport.cancel("t-1", "t-1", NEVER);
  assertEquals(service.find("t-1")?.result?.error?.code, "cancelled");
  await transport.cancel("t-1", null, NEVER);
  await transport.cancel("t-9", null, NEVER);
});

Deno.test("send() ends by its signal when an agent never does", async () => {
  const service = new MemoryService();
  const stop = new AbortController();
  const answer = transportTo(ours(service)).send(taskOf(), events(), stop.signal);
  while (service.waiting("t-1") === 0) await settle();
  const reason = new DOMException("The group's deadline", "TimeoutError");
  stop.abort(reason);
  assertEquals(await answer.catch((error) => error === reason), true);
});

Deno.test("report() tells the intents of an agent of rein's, and the skills of others", async () => {
  const work: Work = () => Promise.resolve();
  assertEquals(await transportTo(ours(new MemoryService())).report(NEVER), {
    protocols: ["agent-task/1.0"],
    intents: [REFUND, PAYOUTS],
  });
  assertEquals(await transportTo(foreignAgent(work)).report(NEVER), {
    protocols: [],
    intents: [{
      name: "refund-status",
      description: "Finds refunds",
      parameters: { type: "object" },
      example: { order: "A-1" },
      access: "write",
    }],
  });
});

Deno.test("send() puts together what an agent of others streams", async () => {
  const work: Work = (context, bus) => {
    bus.publish(AgentEvent.task(theirTask(context, TaskState.TASK_STATE_SUBMITTED)));
    bus.publish(statusOf(context, TaskState.TASK_STATE_WORKING));
    bus.publish(artifactOf(context, "Refunded "));
    bus.publish(artifactOf(context, "on Monday", true));
    bus.publish(statusOf(context, TaskState.TASK_STATE_COMPLETED));
    return Promise.resolve();
  };
  const seen = events();
  const result = await transportTo(foreignAgent(work)).send(taskOf(), seen, NEVER);
  assertEquals(result, {
    ...resultOf({ cost: foreignCost }),
    ...success,
    data: { summary: "Refunded on Monday" },
  });
  assertEquals(seen.told.length, 1);
});

Deno.test("send() asks an agent without streams until it is done", async () => {
  let finish = () => {};
  const work: Work = async (context, bus) => {
    bus.publish(AgentEvent.task(theirTask(context, TaskState.TASK_STATE_WORKING)));
    await new Promise<void>((resolve) => finish = resolve);
    bus.publish(artifactOf(context, "Refunded"));
    bus.publish(statusOf(context, TaskState.TASK_STATE_COMPLETED));
  };
  const clock = new FakeClock();
  const seen = events();
  const agent = foreignAgent(work, false);
  const answer = transportTo(agent, { clock }).send(taskOf(), seen, NEVER);
  while (clock.sleeping === 0) await settle();
  await clock.advance(250);
  while (clock.sleeping === 0) await settle();
  assertEquals(clock.untilNext, 500);
  finish();
  await settle();
  const { data, cost } = await untilAnswered(answer, clock);
  assertEquals([data, cost.latency_ms], [{ summary: "Refunded" }, 750]);
  assertEquals(seen.told.length, 1);
});

Deno.test("send() takes a message for an answer", async () => {
  for (const streaming of [true, false]) {
    const work: Work = (context, bus) => {
      const message = { ...context.userMessage, messageId: "m", parts: context.userMessage.parts };
      bus.publish(AgentEvent.message({ ...message, parts: message.parts.slice(1) }));
      return Promise.resolve();
    };
    const agent = foreignAgent(work, streaming);
    const { data } = await transportTo(agent).send(taskOf(), events(), NEVER);
    assertEquals(data, { summary: "refund-status\nFinds the state of a refund\norder: A-1" });
  }
});

Deno.test("send() makes a failure of an agent that asks back", async () => {
  const work: Work = (context, bus) => {
    bus.publish(AgentEvent.task(theirTask(context, TaskState.TASK_STATE_INPUT_REQUIRED)));
    return Promise.resolve();
  };
  const { status, error } = await transportTo(foreignAgent(work)).send(taskOf(), events(), NEVER);
  assertEquals([status, error?.code], ["failed", "input_required"]);
});

Deno.test("recover() of an agent of others depends on whether it may be asked twice", async () => {
  const agent = foreignAgent(() => Promise.resolve());
  const change = taskOf({ intent: "run-payouts" });
  const once = transportTo(agent, { idempotent: false });
  assertEquals(await failure(once.recover(change, null, NEVER)), ["unknown_outcome", false]);
  assertEquals(await failure(once.recover(change, "x", NEVER)), ["lost", false]);
  assertEquals(await failure(once.recover(taskOf(), null, NEVER)), ["lost", true]);
  const again = transportTo(agent);
  assertEquals(await failure(again.recover(change, null, NEVER)), ["lost", true]);
});

Deno.test("recover() finds a task of others by the id that was accepted", async () => {
  const work: Work = (context, bus) => {
    bus.publish(AgentEvent.task(theirTask(context, TaskState.TASK_STATE_COMPLETED, "Refunded")));
    bus.publish(statusOf(context, TaskState.TASK_STATE_COMPLETED));
    return Promise.resolve();
  };
  const transport = transportTo(foreignAgent(work));
  const seen = events();
  await transport.send(taskOf(), seen, NEVER);
  const found = await transport.recover(taskOf(), seen.told[0] ?? null, NEVER);
  assertEquals(found?.data, { summary: "Refunded" });
});

/** An agent that answers a message with whatever it likes. */
function answering(payload: NonNullable<StreamResponse["payload"]>["value"] | object): Fetch {
  const real = foreignAgent(() => Promise.resolve(), false);
  return async (input, init) => {
    if (init?.method !== "POST") return await real(input, init);
    const { id } = await new Response(init.body ?? null).json();
    return Response.json({ jsonrpc: "2.0", id, result: payload });
  };
}

Deno.test("send() takes no result of another task, and none with a status of its own", async () => {
  const task = (own: object) => ({
    task: {
      id: "x",
      contextId: "c",
      status: { state: "TASK_STATE_COMPLETED" },
      artifacts: [{ artifactId: "a", parts: [{ data: { summary: "Refunded" } }] }],
      metadata: { "urn:rein:delegation:1": own },
    },
  });
  const { data: _, ...own } = resultOf();
  const answers = [
    task(own),
    task({ ...own, task_id: "t-2" }),
    task({ ...own, status: "great" }),
    { task: { id: "x", contextId: "c", status: { state: "TASK_STATE_ODD" } } },
    {},
  ].map((answer) => transportTo(answering(answer)).send(taskOf(), events(), NEVER));
  assertEquals((await answers[0])?.status, "success");
  assertEquals(await Promise.all(answers.slice(1).map(failure)), [
    ["bad_result", false],
    ["bad_result", false],
    ["bad_result", false],
    ["bad_result", false],
  ]);
});

Deno.test("createA2aTransport() wants an address", () => {
  const agent = agentAt(AT, { address: { transport: "process", command: ["agent"] } });
  const ports = { fetch: () => Promise.reject(new TypeError()), clock: new FakeClock() };
  assertThrows(() => createA2aTransport(agent, ports, { token: null }), TypeError);
});
