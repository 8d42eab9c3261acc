import { assertEquals, assertRejects } from "@std/assert";
import { createDatabases } from "../../lib/real/databases.ts";
import { createAdmission } from "../../lib/serve/admission.ts";
import {
  AgentService,
  Left,
  type RunTask,
  type ServeEvents,
  type ServiceParts,
  type Work,
} from "../../lib/serve/service.ts";
import type { EndedRun, RunOutcome } from "../../lib/serve/outcome.ts";
import { TaskRecord } from "../../lib/serve/task_record.ts";
import { DatabaseError } from "../../lib/ports.ts";
import { FakeClock, NEVER, settle } from "../fakes.ts";
import { agentOf, runOf, taskOf } from "./_tasks.ts";

const DONE: EndedRun = { kind: "ran", run: runOf(), late: false, lastWords: null };

const SILENT: ServeEvents = {
  received: () => {},
  started: () => {},
  step: () => {},
  finished: () => {},
  refused: () => {},
  trouble: () => {},
};

/** Runs that end when the test says so. */
class Runs {
  /** What is running, in the order in which it began. */
  readonly works: Work[] = [];
  readonly #ends = new Map<string, (outcome: RunOutcome) => void>();

  readonly run: RunTask = (work, events, signal) => {
    this.works.push(work);
    events.begun(`session-${work.task.task_id}`);
    events.step("a step");
    return new Promise((resolve) => {
      this.#ends.set(work.task.task_id, resolve);
      signal.addEventListener("abort", () => {
        if (signal.reason instanceof Left) resolve({ kind: "left" });
        else resolve({ ...DONE, run: runOf({ stop_reason: "interrupted", data: null }) });
      });
    });
  };

  get ids(): string[] {
    return this.works.map(({ task }) => task.task_id);
  }

  async end(id: string, outcome: RunOutcome = DONE): Promise<void> {
    this.#ends.get(id)?.(outcome);
    await settle();
  }
}

async function memory(): Promise<TaskRecord> {
  return new TaskRecord(await createDatabases(null).open(null));
}

interface Made {
  readonly service: AgentService;
  readonly runs: Runs;
  readonly record: TaskRecord;
  readonly clock: FakeClock;
}

async function made(more = "", parts: Partial<ServiceParts> = {}): Promise<Made> {
  const agent = agentOf(more);
  const runs = new Runs();
  const clock = new FakeClock(1_000_000);
  const record = parts.record ?? await memory();
  const service = new AgentService({
    agent,
    record,
    admission: createAdmission(agent, { policyFault: () => null }),
    run: runs.run,
    clock,
    events: SILENT,
    attach: () => Promise.resolve(),
    urlOf: (id, name) => `${id}/${name}`,
    finished: () => {},
    ...parts,
  });
  return { service, runs, record, clock };
}

const FINISHED = {
  task_id: "t-1",
  protocol: "agent-result/1.0",
  status: "success",
  data: { summary: "Done." },
  error: null,
  cost: { input_tokens: 10, output_tokens: 5, latency_ms: 0 },
} as const;

Deno.test("submit() runs a task once, however often and whenever it comes", async () => {
  const { service, runs } = await made();
  const task = taskOf("t-1");
  const first = service.submit(task);
  assertEquals(first, {
    kind: "taken",
    known: false,
    served: { task, phase: "running", result: null },
  });
  const waiting = service.result("t-1", NEVER);
  await settle();
  assertEquals(service.submit({ ...task, timeout_sec: 5 }), {
    kind: "taken",
    known: true,
    served: { task, phase: "running", result: null },
  });
  await runs.end("t-1");
  assertEquals(await waiting, FINISHED);
  assertEquals(service.submit(task), {
    kind: "taken",
    known: true,
    served: { task, phase: "finished", result: FINISHED },
  });
  assertEquals(await service.result("t-1", NEVER), FINISHED);
  assertEquals(runs.ids, ["t-1"]);
});

Deno.test("submit() tells another task of the same id from the same", async () => {
  const { service } = await made();
  service.submit(taskOf("t-1"));
  const { kind } = service.submit(taskOf("t-1", { params: { n: 2 } }));
  assertEquals(kind, "conflict");
});

Deno.test("submit() keeps nothing of what it refuses", async () => {
  const { service, runs } = await made();
  assertEquals(service.submit(taskOf("t-1", { intent: "none" })).kind, "refused");
  assertEquals(service.find("t-1"), null);
  assertEquals(service.submit(taskOf("t-1")).kind, "taken");
  await settle();
  assertEquals(runs.ids, ["t-1"]);
});

Deno.test("tasks wait in their order, and those beyond the queue are told when to come", async () => {
  const { service, runs, clock } = await made("concurrency: 1\nqueue: 2\n");
  const kinds = ["t-1", "t-2", "t-3", "t-4"].map((id) => service.submit(taskOf(id)).kind);
  assertEquals(kinds, ["taken", "taken", "taken", "busy"]);
  assertEquals(service.load, { queued: 2, running: 1, draining: false });
  await settle();
  await clock.advance(4000);
  await runs.end("t-1");
  assertEquals([runs.ids, service.load.queued], [["t-1", "t-2"], 1]);
  service.submit(taskOf("t-5"));
  // One has taken 4 s, and two wait.
  assertEquals(service.submit(taskOf("t-6")), { kind: "busy", retryAfterMs: 8000 });
});

Deno.test("cancel() gives a task up, waiting or running, and not one that has finished", async () => {
  const { service, runs } = await made("concurrency: 1\n");
  service.submit(taskOf("t-1"));
  service.submit(taskOf("t-2"));
  await settle();
  assertEquals([service.cancel("t-2"), service.cancel("t-1"), service.cancel("t-9")], [
    ...[true, true, false],
  ]);
  const results = await Promise.all(["t-1", "t-2"].map((id) => service.result(id, NEVER)));
  assertEquals(results.map(({ error }) => error?.code), ["cancelled", "cancelled"]);
  assertEquals([service.cancel("t-1"), runs.ids], [false, ["t-1"]]);
});

Deno.test("a task that is given up when it was done already has succeeded", async () => {
  const { service, runs } = await made();
  service.submit(taskOf("t-1"));
  await settle();
  const ended = runs.end("t-1");
  service.cancel("t-1");
  await ended;
  assertEquals((await service.result("t-1", NEVER)).status, "success");
});

Deno.test("follow() tells what happens from then on, and ends with the task", async () => {
  const { service, runs } = await made();
  service.submit(taskOf("t-1"));
  const followed = Array.fromAsync(service.follow("t-1", NEVER));
  await settle();
  await runs.end("t-1");
  assertEquals(await followed, [
    { type: "phase", phase: "running" },
    { type: "step", text: "a step" },
    { type: "phase", phase: "finished" },
  ]);
  assertEquals(await Array.fromAsync(service.follow("t-1", NEVER)), []);
});

Deno.test("result() and follow() end with their signal, and the task goes on", async () => {
  const { service, runs } = await made();
  service.submit(taskOf("t-1"));
  await settle();
  const gone = new AbortController();
  const waiting = assertRejects(() => service.result("t-1", gone.signal), Error, "gone");
  const following = assertRejects(
    () => Array.fromAsync(service.follow("t-1", gone.signal)),
    Error,
    "gone",
  );
  gone.abort(new Error("gone"));
  await Promise.all([waiting, following]);
  await runs.end("t-1");
  assertEquals((await service.result("t-1", NEVER)).status, "success");
});

Deno.test("drain() lets running tasks end and leaves the queue to the next process", async () => {
  const first = await made("concurrency: 1\n");
  first.service.submit(taskOf("t-1"));
  first.service.submit(taskOf("t-2"));
  await settle();
  const drained = first.service.drain(NEVER);
  assertEquals(first.service.submit(taskOf("t-3")).kind, "busy");
  await first.runs.end("t-1");
  assertEquals(await drained, true);
  const second = await made("concurrency: 1\n", { record: first.record });
  second.service.start();
  await settle();
  assertEquals(second.runs.works.map(({ task, session }) => [task.task_id, session]), [
    ["t-2", null],
  ]);
});

Deno.test("what drain() can't wait for goes on in its session", async () => {
  const first = await made();
  first.service.submit(taskOf("t-1"));
  await settle();
  const over = new AbortController();
  const drained = first.service.drain(over.signal);
  over.abort();
  assertEquals(await drained, false);
  assertEquals(first.service.find("t-1")?.phase, "queued");
  const second = await made("", { record: first.record });
  second.service.start();
  await settle();
  assertEquals(second.runs.works.map(({ session }) => session), ["session-t-1"]);
  await second.runs.end("t-1");
  assertEquals((await second.service.result("t-1", NEVER)).status, "success");
});

Deno.test("a task that was cancelled before a crash is not gone on with", async () => {
  const first = await made();
  first.record.add({ task: taskOf("t-1"), content: "x", receivedMs: 0 });
  first.record.cancel("t-1");
  first.service.start();
  await settle();
  assertEquals((await first.service.result("t-1", NEVER)).error?.code, "cancelled");
  assertEquals(first.runs.ids, []);
});

Deno.test("a defect in a run is a failure of its task alone, without a word of it", async () => {
  const troubles: string[] = [];
  const events = { ...SILENT, trouble: (text: string) => void troubles.push(text) };
  const { service } = await made("", {
    run: () => Promise.reject(new Error("secret")),
    events,
  });
  service.submit(taskOf("t-1"));
  const { status, error } = await service.result("t-1", NEVER);
  assertEquals([status, error?.code, JSON.stringify(error).includes("secret")], [
    "failed",
    "internal",
    false,
  ]);
  assertEquals(troubles, ["task t-1: secret"]);
});

Deno.test("a record that can't be written refuses tasks, and a result that can't stays due", async () => {
  const record = await memory();
  const full = () => {
    throw new DatabaseError("full", "The disk is full");
  };
  const { service, runs } = await made("", { record });
  service.submit(taskOf("t-1"));
  await settle();
  record.finish = full;
  await runs.end("t-1");
  assertEquals(service.find("t-1")?.phase, "running");
  record.add = full;
  const refused = service.submit(taskOf("t-2"));
  assertEquals(refused.kind === "refused" && refused.error.retriable, true);
});

Deno.test("a result that could not be stored is tried again, and whoever waits gets it", async () => {
  const record = await memory();
  const { finish } = record;
  record.finish = () => {
    throw new DatabaseError("full", "The disk is full");
  };
  const { service, runs, clock } = await made("", { record });
  service.submit(taskOf("t-1"));
  await settle();
  const waiting = service.result("t-1", NEVER);
  await runs.end("t-1");
  record.finish = finish;
  await clock.advance(10_000);
  assertEquals([(await waiting).status, service.find("t-1")?.phase, runs.ids], [
    "success",
    "finished",
    ["t-1"],
  ]);
});

Deno.test("a task that could not even begin is taken up later", async () => {
  const record = await memory();
  const { start } = record;
  record.start = () => {
    throw new DatabaseError("full", "The disk is full");
  };
  const { service, runs, clock } = await made("", { record });
  service.submit(taskOf("t-1"));
  await settle();
  record.start = start;
  await clock.advance(10_000);
  await runs.end("t-1");
  assertEquals([service.find("t-1")?.phase, runs.ids], ["finished", ["t-1"]]);
});

Deno.test("a result that can't be stored is left to the next process once the server stops", async () => {
  const record = await memory();
  record.finish = () => {
    throw new DatabaseError("full", "The disk is full");
  };
  const { service, runs, clock } = await made("", { record });
  service.submit(taskOf("t-1"));
  await settle();
  await runs.end("t-1");
  await service.drain(NEVER);
  assertEquals([clock.sleeping, record.unfinished().length], [0, 1]);
});

Deno.test("what could not be stored is not tried any more once the server stops", async () => {
  const record = await memory();
  record.start = () => {
    throw new DatabaseError("full", "The disk is full");
  };
  const { service, runs, clock } = await made("", { record });
  service.submit(taskOf("t-1"));
  await settle();
  assertEquals([await service.drain(NEVER), clock.sleeping, runs.ids], [true, 0, []]);
});
