import { assertEquals, assertRejects } from "@std/assert";
import type { Grants, WorkerEvents, WorkerKind, Workers } from "../../lib/ports.ts";
import type { FromWorker, ToWorker } from "../../lib/sandbox/messages.ts";
import { CANCEL_GRACE_MS, MAX_GROWTH_BYTES, WorkerHost } from "../../lib/sandbox/worker_host.ts";
import { createStopFlag, raise, type StopFlag } from "../../lib/sandbox/stop_flag.ts";
import { CONTEXT, FakeClock, settle } from "../fakes.ts";

const GRANTS: Grants = { read: ["/work"], write: [], net: [] };
const RAISED = createStopFlag();
raise(RAISED);
const DONE = { ok: true, data: {}, summary: "done" } as const;

/** Threads that keep what they are told and say what a test lets them say. */
class FakeWorkers implements Workers {
  readonly started: [WorkerKind, Grants][] = [];
  /** The stop flags of the calls, in order. */
  readonly flags: StopFlag[] = [];
  /** What each of them was told. */
  readonly toldBy: ToWorker[][] = [];
  ended = 0;
  bytes = 0;
  #events: WorkerEvents | null = null;

  start(kind: WorkerKind, grants: Grants, events: WorkerEvents) {
    this.started.push([kind, grants]);
    this.#events = events;
    const told: ToWorker[] = [];
    this.toldBy.push(told);
    const post = (message: unknown) => {
      const { stop, ...rest } = message as ToWorker & { readonly stop?: StopFlag };
      if (stop) this.flags.push(stop);
      told.push(rest as ToWorker);
    };
    return { post, end: () => void this.ended++ };
  }

  /** What all of them were told. */
  get told(): ToWorker[] {
    return this.toldBy.flat();
  }

  memoryBytes(): number {
    return this.bytes;
  }

  say(message: FromWorker): void {
    this.#events?.message(message);
  }

  breaks(reason: string): void {
    this.#events?.broken(reason);
  }
}

function setUp() {
  const workers = new FakeWorkers();
  const clock = new FakeClock();
  const place = { cwd: "/work", grants: GRANTS, limits: {} };
  return { workers, clock, host: new WorkerHost("tools", { place, ports: { workers, clock } }) };
}

const codeOf = (outcome: { ok: boolean; error?: { code: string; retriable: boolean } }) => [
  outcome.ok,
  outcome.error?.code,
  outcome.error?.retriable,
];

Deno.test("WorkerHost starts one worker with its grants, at the first call, and tells it where it is", async () => {
  const { workers, host } = setUp();
  assertEquals(workers.started, []);
  const calls = [host.run("a", { n: 1 }, CONTEXT), host.run("b", {}, CONTEXT)];
  workers.say({ type: "outcome", call: 2, outcome: { ...DONE, summary: "second" } });
  workers.say({ type: "outcome", call: 1, outcome: DONE });
  const summaries = (await Promise.all(calls)).map((outcome) => outcome.ok && outcome.summary);
  assertEquals(summaries, ["done", "second"]);
  assertEquals([workers.started, workers.told], [
    [["tools", GRANTS]],
    [
      { type: "place", place: { cwd: "/work", grants: GRANTS, limits: {} } },
      { type: "run", call: 1, tool: "a", args: { n: 1 } },
      { type: "run", call: 2, tool: "b", args: {} },
    ],
  ]);
});

Deno.test("WorkerHost answers where a tool may read, and says no where that fails", async () => {
  const { workers, host } = setUp();
  const mayRead = (path: string) =>
    path === "/x" ? Promise.reject(new Error("broken judge")) : Promise.resolve(path === "/a");
  const run = host.run("a", {}, { ...CONTEXT, mayRead });
  for (const [index, path] of ["/a", "/b", "/x"].entries()) {
    workers.say({ type: "question", call: 1, question: index, about: "read", name: path });
  }
  await settle();
  assertEquals(workers.told.slice(2), [
    { type: "answer", question: 0, allowed: true },
    { type: "answer", question: 1, allowed: false },
    { type: "answer", question: 2, allowed: false },
  ]);
  workers.say({ type: "outcome", call: 1, outcome: DONE });
  await run;
});

Deno.test("WorkerHost answers the worker that asked, and no later one", async () => {
  const { workers, clock, host } = setUp();
  const judged = Promise.withResolvers<boolean>();
  const abort = new AbortController();
  const context = { ...CONTEXT, signal: abort.signal, mayRead: () => judged.promise };
  const rejected = assertRejects(() => host.run("a", {}, context));
  workers.say({ type: "question", call: 1, question: 1, about: "read", name: "/a" });
  abort.abort(new Error("too late"));
  await clock.advance(CANCEL_GRACE_MS);
  await rejected;
  void host.run("b", {}, CONTEXT);
  judged.resolve(true);
  await settle();
  assertEquals(workers.toldBy.map((told) => told.some(({ type }) => type === "answer")), [
    true,
    false,
  ]);
});

Deno.test("WorkerHost throws what a tool threw", async () => {
  const { workers, host } = setUp();
  const run = host.run("a", {}, CONTEXT);
  workers.say({ type: "thrown", call: 1, message: "no such thing" });
  await assertRejects(() => run, Error, "no such thing");
});

Deno.test("WorkerHost lets a cancelled tool end by itself", async () => {
  const { workers, host } = setUp();
  const abort = new AbortController();
  const run = host.run("a", {}, { ...CONTEXT, signal: abort.signal });
  abort.abort();
  assertEquals([workers.told.at(-1), workers.flags], [{ type: "cancel", call: 1 }, [RAISED]]);
  workers.say({ type: "outcome", call: 1, outcome: DONE });
  assertEquals([await run, workers.ended], [DONE, 0]);
});

Deno.test("WorkerHost ends a worker with a tool that hangs, and starts a new one", async () => {
  const { workers, clock, host } = setUp();
  const abort = new AbortController();
  const hanging = host.run("a", {}, { ...CONTEXT, signal: abort.signal });
  const other = host.run("b", {}, CONTEXT);
  abort.abort(new Error("too late"));
  const rejected = assertRejects(() => hanging, Error, "too late");
  await clock.advance(CANCEL_GRACE_MS);
  await rejected;
  assertEquals([codeOf(await other), workers.ended], [[false, "worker_ended", true], 1]);
  assertEquals(workers.flags, [RAISED, RAISED]);
  const next = host.run("c", {}, CONTEXT);
  workers.say({ type: "outcome", call: 3, outcome: DONE });
  assertEquals([await next, workers.started.length], [DONE, 2]);
});

Deno.test("WorkerHost starts a new worker after one broke", async () => {
  const { workers, host } = setUp();
  const run = host.run("a", {}, CONTEXT);
  workers.breaks("out of stack");
  assertEquals(codeOf(await run), [false, "tool_crashed", true]);
  const next = host.run("a", {}, CONTEXT);
  workers.say({ type: "outcome", call: 2, outcome: DONE });
  assertEquals([await next, workers.started.length], [DONE, 2]);
});

Deno.test("WorkerHost ends a worker that takes too much memory", async () => {
  const { workers, clock, host } = setUp();
  const run = host.run("a", {}, CONTEXT);
  workers.bytes = MAX_GROWTH_BYTES + 1;
  await clock.advance(100);
  assertEquals([codeOf(await run), workers.ended], [[false, "out_of_memory", false], 1]);
});

Deno.test("WorkerHost starts anew where an earlier call left much in memory", async () => {
  const { workers, host } = setUp();
  workers.bytes = 50;
  for (const call of [1, 2, 3]) {
    const run = host.run("a", {}, CONTEXT);
    workers.say({ type: "outcome", call, outcome: DONE });
    await run;
    if (call === 2) workers.bytes = 51 + MAX_GROWTH_BYTES / 2;
  }
  assertEquals([workers.started.length, workers.ended], [2, 1]);
});

Deno.test("WorkerHost leaves nothing waiting after a call", async () => {
  const { workers, clock, host } = setUp();
  const run = host.run("a", {}, CONTEXT);
  workers.say({ type: "outcome", call: 1, outcome: DONE });
  await run;
  assertEquals(clock.sleeping, 0);
});
