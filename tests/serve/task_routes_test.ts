import { assertEquals } from "@std/assert";
import { checkTask } from "../../lib/delegate/check.ts";
import type { ResultEnvelope } from "../../lib/delegate/types.ts";
import { costOf, envelopeOf } from "../../lib/serve/outcome.ts";
import { DatabaseError } from "../../lib/ports.ts";
import { handlerOf } from "../../lib/serve/routes.ts";
import { type TaskPorts, taskRoutes } from "../../lib/serve/task_routes.ts";
import type { ServedTask, Submission } from "../../lib/serve/types.ts";
import { FakeClock, inPieces, settle } from "../fakes.ts";
import { taskOf } from "./_tasks.ts";

const TASK = taskOf("t:1");

const RUNNING: ServedTask = { task: TASK, phase: "running", result: null };

const RESULT: ResultEnvelope = {
  ...envelopeOf(
    TASK,
    { status: "success", data: { summary: "Done." }, error: null },
    costOf(null, 1),
  ),
  attachments: [{ name: "data.json", media_type: "application/json", url: "x" }],
};

const FINISHED: ServedTask = { task: TASK, phase: "finished", result: RESULT };

/** A service with one task, in the state that the test gives it. */
class OneTask {
  served: ServedTask | null = RUNNING;
  submission: Submission = { kind: "taken", known: false, served: RUNNING };
  draining = false;
  readonly cancelled: string[] = [];
  readonly done = Promise.withResolvers<ResultEnvelope>();
  readonly clock = new FakeClock();
  readonly closing = new AbortController();

  finish(): void {
    this.served = FINISHED;
    this.done.resolve(RESULT);
  }

  async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(`http://127.0.0.1${path}`, init);
    const headers = new Headers(init.headers);
    headers.set("host", "127.0.0.1");
    Object.defineProperty(request, "headers", { value: headers });
    const handle = handlerOf(taskRoutes(this.ports), { token: null });
    return await handle(request, { address: "127.0.0.1" });
  }

  post(body: unknown = TASK, headers: Record<string, string> = {}): Promise<Response> {
    return this.ask("/tasks", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  private get ports(): TaskPorts {
    return {
      service: {
        profile: { name: "worker", description: "For tests", intents: [] },
        load: { queued: 0, running: 0, draining: this.draining },
        retryAfterMs: 1500,
        submit: () => this.submission,
        find: (id) => id === TASK.task_id ? this.served : null,
        result: (_id, signal) => {
          const gone = new Promise<never>((_resolve, reject) =>
            signal.addEventListener("abort", () => reject(signal.reason))
          );
          return Promise.race([this.done.promise, gone]);
        },
        follow: async function* () {},
        cancel: (id) => this.cancelled.push(id) > 0,
      },
      clock: this.clock,
      check: checkTask,
      attachment: (id, name) => Promise.resolve(inPieces(`${id} ${name}`)()),
      closing: this.closing.signal,
    };
  }
}

const ON_ITS_WAY = {
  task_id: "t:1",
  phase: "running",
  status_url: "/tasks/t%3A1",
  poll_after_ms: 1000,
};

Deno.test("POST answers 202 and where to ask, for whoever does not wait", async () => {
  const response = await new OneTask().post();
  assertEquals([response.status, response.headers.get("location"), await response.json()], [
    202,
    "/tasks/t%3A1",
    ON_ITS_WAY,
  ]);
});

Deno.test("Prefer: wait holds a request until the task has finished", async () => {
  const one = new OneTask();
  const answer = one.post(TASK, { prefer: "respond-async, wait=20" });
  await settle();
  one.finish();
  const response = await answer;
  assertEquals([response.status, await response.json()], [200, RESULT]);
});

Deno.test("Prefer: wait holds a request no longer than was asked for, nor for ever", async () => {
  for (const [wait, ms] of [["wait=5", 5000], ["wait=9999", 60_000]] as const) {
    const one = new OneTask();
    const answer = one.ask("/tasks/t:1", { headers: { prefer: wait } });
    await settle();
    assertEquals(one.clock.untilNext, ms);
    await one.clock.advance(ms);
    assertEquals([(await answer).status, one.clock.sleeping], [202, 0]);
  }
});

Deno.test("nobody is kept waiting once the server closes", async () => {
  const one = new OneTask();
  const answer = one.ask("/tasks/t:1", { headers: { prefer: "wait=60" } });
  await settle();
  one.closing.abort();
  assertEquals((await answer).status, 202);
});

Deno.test("a task that is not known is 404, and one that has finished is given", async () => {
  const one = new OneTask();
  assertEquals((await one.ask("/tasks/t-9")).status, 404);
  one.finish();
  const response = await one.ask("/tasks/t%3A1");
  assertEquals([response.status, await response.json()], [200, RESULT]);
});

Deno.test("DELETE gives a task up that has not finished", async () => {
  const one = new OneTask();
  assertEquals((await one.ask("/tasks/t:1", { method: "DELETE" })).status, 202);
  one.finish();
  assertEquals((await one.ask("/tasks/t:1", { method: "DELETE" })).status, 200);
  assertEquals(one.cancelled, ["t:1"]);
});

Deno.test("refusals have the status that says whose matter they are", async () => {
  const one = new OneTask();
  const statuses: unknown[] = [];
  for (const code of ["invalid_params", "unknown_intent", "depth_limit", "unavailable"]) {
    one.submission = { kind: "refused", error: { code, message: "No", retriable: false } };
    const response = await one.post();
    const { task_id, error } = await response.json();
    statuses.push([response.status, task_id, error.code]);
  }
  assertEquals(statuses, [
    [400, "t:1", "invalid_params"],
    [404, "t:1", "unknown_intent"],
    [422, "t:1", "depth_limit"],
    [503, "t:1", "unavailable"],
  ]);
  one.submission = { kind: "busy", retryAfterMs: 1500 };
  const busy = await one.post();
  assertEquals([busy.status, busy.headers.get("retry-after")], [429, "2"]);
  one.draining = true;
  assertEquals((await one.post()).status, 503);
});

Deno.test("attachments are given that a result names, and no other", async () => {
  const one = new OneTask();
  one.finish();
  const response = await one.ask("/tasks/t%3A1/attachments/data.json");
  assertEquals([response.status, response.headers.get("content-type"), await response.text()], [
    200,
    "application/json",
    "t:1 data.json",
  ]);
  assertEquals((await one.ask("/tasks/t%3A1/attachments/..%2Fother")).status, 404);
  assertEquals((await one.ask("/tasks/t-9/attachments/data.json")).status, 404);
});

Deno.test("a body that does not come within its time is given up", async () => {
  const one = new OneTask();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
  });
  const answer = one.ask("/tasks", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  await settle();
  await one.clock.advance(15_000);
  const response = await answer;
  assertEquals([response.status, (await response.json()).error.code], [408, "too_slow"]);
});

Deno.test("a body whose brackets are too deep, or that is no UTF-8, is no task", async () => {
  const one = new OneTask();
  const said = async (body: string | Uint8Array<ArrayBuffer>) => {
    const headers = { "content-type": "application/json" };
    const response = await one.ask("/tasks", { method: "POST", headers, body });
    return [response.status, (await response.json()).error.code];
  };
  const deep = JSON.stringify(TASK).replace("{}", `{"x":${"[".repeat(9000)}${"]".repeat(9000)}}`);
  assertEquals(await said(deep), [400, "not_json"]);
  assertEquals(await said(new Uint8Array([0x22, 0xff, 0x22])), [400, "not_json"]);
});

Deno.test("a record that can't be used is said to be so, to be asked again later", async () => {
  const one = new OneTask();
  Object.defineProperty(one, "served", {
    get: () => {
      throw new DatabaseError("full", "The disk is full");
    },
  });
  const response = await one.ask("/tasks/t%3A1");
  const { task_id, error } = await response.json();
  assertEquals([response.status, response.headers.get("retry-after"), task_id, error.code], [
    503,
    "5",
    "t:1",
    "unavailable",
  ]);
});
