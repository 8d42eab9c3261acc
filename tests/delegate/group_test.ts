import { assertEquals } from "@std/assert";
import { AgentBounds } from "../../lib/delegate/agent_bounds.ts";
import { type GroupRequest, runGroup, type TaskView } from "../../lib/delegate/group.ts";
import { planTasks, type TaskRequest } from "../../lib/delegate/plan.ts";
import { openTaskTable, type TaskTable } from "../../lib/delegate/task_table.ts";
import type { TaskOutcome } from "../../lib/delegate/task_outcome.ts";
import { type Agent, TransportError } from "../../lib/delegate/types.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import type { JsonObject } from "../../lib/types.ts";
import { aborted, FakeClock, NEVER, settle } from "../fakes.ts";
import {
  agentOf,
  ALERTS,
  type Behaviour,
  FakeTransport,
  ORDERS,
  resultOf,
} from "./_fake_agents.ts";

const AGENTS = [ORDERS, ALERTS];
const plain = (data: JsonObject) => data;

/** A task for an agent, by the name of both. */
const ask = (id: string, rest: Partial<TaskRequest> = {}): TaskRequest => ({
  id,
  agent: "orders",
  intent: "status",
  params: { order: id },
  ...rest,
});

/** What runs groups, in memory. */
interface Bench {
  readonly clock: FakeClock;
  readonly table: TaskTable;
  readonly transports: Readonly<Record<string, FakeTransport>>;
  /** What was told of tasks, the newest last. */
  readonly shown: TaskView[][];
  readonly troubles: string[];
  run(
    requests: readonly TaskRequest[],
    options?: Partial<GroupRequest> & { signal?: AbortSignal },
  ): Promise<readonly TaskOutcome[]>;
}

async function bench(
  transports: Readonly<Record<string, FakeTransport>>,
  agents: readonly Agent[] = AGENTS,
): Promise<Bench> {
  const clock = new FakeClock(Date.UTC(2026, 10, 30));
  const table = await openTaskTable(createDatabases(null), { keep: false, redact: plain });
  const bounds = new AgentBounds();
  const shown: TaskView[][] = [];
  const troubles: string[] = [];
  const ports = {
    clock,
    random: () => 0,
    bounds,
    table,
    transportOf: ({ name }: Agent) => transports[name]!,
    onProgress: (views: readonly TaskView[]) => void shown.push([...views]),
    onTrouble: (message: string) => void troubles.push(message),
  };
  return {
    clock,
    table,
    transports,
    shown,
    troubles,
    run: async (requests, { signal = NEVER, ...rest } = {}) => {
      const plan = await planTasks(requests, agents);
      if (!plan.ok) throw new TypeError(plan.faults.join("; "));
      return await runGroup(
        {
          tasks: plan.tasks,
          origin: { run: "run1", call: "call_1" },
          again: false,
          chain: { depth: 1, maxDepth: 2, traceId: "trace", parentTaskId: null },
          timeoutMs: 60_000,
          ...rest,
        },
        ports,
        signal,
      );
    },
  };
}

/** How tasks ended, by their names. */
function ends(outcomes: readonly TaskOutcome[]): Record<string, string> {
  return Object.fromEntries(outcomes.map(({ task, end }) => {
    if (end.kind === "result") return [task.name, end.result.status];
    return [task.name, end.kind === "failed" ? end.error.code : `not obtained: ${end.why}`];
  }));
}

/** Phases of the table, by the names of the tasks. */
function phases(table: TaskTable): Record<string, string> {
  return Object.fromEntries(table.list(100).map(({ name, phase }) => [name, phase]).toReversed());
}

const hang: Behaviour = async (_task, _events, signal) => {
  await aborted(signal);
  throw signal.reason;
};

const unreachable = () => new TransportError("unreachable", "Nobody is there", { retriable: true });

/** Advances the clock until the work is done, at most so often. */
async function driven<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let done = false;
  const ended = work.finally(() => done = true);
  ended.catch(() => {});
  for (let turn = 0; turn < 200 && !done; turn++) {
    await settle();
    if (!done && clock.sleeping > 0) await clock.advance(Math.max(1, clock.untilNext));
  }
  return await ended;
}

Deno.test("runGroup() sends tasks that wait for nothing at the same time, each with its envelope", async () => {
  const open = Promise.withResolvers<void>();
  const orders = new FakeTransport(async (task, events) => {
    events.accepted(`/tasks/${task.task_id}`);
    await open.promise;
    return resultOf(task.task_id);
  });
  const { run, clock, table, shown } = await bench({ orders });
  const going = run([ask("a"), ask("b", { intent: "refund" })]);
  while (orders.active < 2) await settle();
  assertEquals(phases(table), { a: "running", b: "running" });
  await clock.advance(4000);
  open.resolve();
  const outcomes = await going;
  const [first] = orders.sent;
  assertEquals(ends(outcomes), { a: "success", b: "success" });
  assertEquals(first, {
    task_id: outcomes[0]?.id ?? "",
    protocol: "agent-task/1.0",
    agent: "orders",
    intent: "status",
    params: { order: "a" },
    callback: null,
    timeout_sec: 60,
    deadline: "2026-11-30T00:01:00.000Z",
    depth: 1,
    max_depth: 2,
    trace_id: "trace",
  });
  const [, row] = table.list(10);
  assertEquals([row?.id, row?.sentMs, row?.returnedMs, row?.inputTokens, row?.statusUrl], [
    first?.task_id,
    Date.UTC(2026, 10, 30),
    Date.UTC(2026, 10, 30) + 4000,
    7,
    `/tasks/${first?.task_id}`,
  ]);
  assertEquals(shown.at(-1)?.map(({ name, phase }) => `${name} ${phase}`), [
    "a success",
    "b success",
  ]);
});

Deno.test("runGroup() fills in what an earlier task brought, and sends the later one after it", async () => {
  const orders = new FakeTransport((task) =>
    Promise.resolve(resultOf(task.task_id, { id: `${task.params["order"]}!` }))
  );
  const { run } = await bench({ orders });
  const outcomes = await run([ask("b", { params: { order: "{{a.data.id}}" } }), ask("a")]);
  assertEquals(orders.sent.map(({ params }) => params), [{ order: "a" }, { order: "a!" }]);
  assertEquals(ends(outcomes), { b: "success", a: "success" });
});

Deno.test("runGroup() gives what a reference lacks, or does not fit, to its task alone", async () => {
  const orders = new FakeTransport((task) => Promise.resolve(resultOf(task.task_id, { n: 3 })));
  const { run } = await bench({ orders });
  const outcomes = await run([
    ask("a"),
    ask("b", { params: { order: "{{a.data.m}}" } }),
    ask("c", { params: { order: "{{a.data.n}}" } }),
    ask("d", { params: { order: "no. {{a.data.n}}" } }),
  ]);
  assertEquals(ends(outcomes), {
    a: "success",
    b: "unknown_reference",
    c: "invalid_params",
    d: "success",
  });
  assertEquals(orders.sent.length, 2);
});

Deno.test("runGroup() lets a task that hangs, fails or is late take no other along", async () => {
  const alerts = new FakeTransport(hang);
  const orders = new FakeTransport((task) =>
    task.params["order"] === "bad"
      ? Promise.resolve(resultOf(task.task_id, {}, {
        status: "failed",
        data: null,
        error: { code: "not_found", message: "No such order", retriable: false },
      }))
      : Promise.resolve(resultOf(task.task_id))
  );
  const { run, clock, table } = await bench({ orders, alerts });
  const outcomes = await driven(
    clock,
    run([
      ask("good"),
      ask("bad"),
      ask("hangs", { agent: "alerts", intent: "recent" }),
      ask("next", { after: ["bad"] }),
      ask("last", { after: ["hangs"] }),
    ]),
  );
  const wanted = {
    good: "success",
    bad: "failed",
    hangs: "not obtained: timeout",
    next: "not obtained: bad failed",
    last: "not obtained: timeout",
  };
  assertEquals(ends(outcomes), wanted);
  assertEquals(phases(table), {
    good: "success",
    bad: "failed",
    hangs: "timeout",
    next: "failed",
    last: "timeout",
  });
  assertEquals(alerts.cancelled, alerts.sent.map(({ task_id }) => task_id));
  assertEquals(orders.cancelled, []);
});

Deno.test("runGroup() is done at its deadline, whatever transports do with their signals", async () => {
  const deaf = new FakeTransport(() => new Promise(() => {}));
  deaf.cancel = () => new Promise(() => {});
  const { run, clock } = await bench({ orders: deaf });
  const startedMs = clock.now();
  const outcomes = await driven(clock, run([ask("a")], { timeoutMs: 5000 }));
  assertEquals(ends(outcomes), { a: "not obtained: timeout" });
  assertEquals(clock.now() - startedMs, 6500);
});

Deno.test("runGroup() gives each task the time of its agent at the most", async () => {
  const slow = agentOf("orders", ORDERS.intents, { timeoutMs: 2000 });
  const { run, clock, transports } = await bench({ orders: new FakeTransport(hang) }, [slow]);
  const outcomes = await driven(clock, run([ask("a")]));
  assertEquals(ends(outcomes), { a: "not obtained: timeout" });
  assertEquals(transports["orders"]?.sent[0]?.timeout_sec, 2);
});

Deno.test("runGroup() passes a partial success on, and lets others use it", async () => {
  const orders = new FakeTransport((task) =>
    Promise.resolve(resultOf(task.task_id, { id: "7" }, {
      status: "partial_success",
      error: { code: "source_down", message: "One source is down", retriable: true },
    }))
  );
  const { run, table } = await bench({ orders });
  const outcomes = await run([ask("a"), ask("b", { params: { order: "{{a.data.id}}" } })]);
  assertEquals(ends(outcomes), { a: "partial_success", b: "partial_success" });
  assertEquals(phases(table), { a: "partial_success", b: "partial_success" });
});

Deno.test("runGroup() tries again what may pass, twice, with the same id", async () => {
  const orders: FakeTransport = new FakeTransport((task) =>
    orders.sent.length < 3 ? Promise.reject(unreachable()) : Promise.resolve(resultOf(task.task_id))
  );
  const { run, clock } = await bench({ orders });
  const outcomes = await driven(clock, run([ask("a", { intent: "refund" })]));
  assertEquals(ends(outcomes), { a: "success" });
  assertEquals(orders.sent.map(({ task_id }) => task_id), Array(3).fill(outcomes[0]?.id));
});

Deno.test("runGroup() waits as long as a busy agent asks, and not beyond the deadline", async () => {
  const busy = (ms: number) =>
    new TransportError("busy", "Too much to do", { retriable: true, retryAfterMs: ms });
  const orders: FakeTransport = new FakeTransport((task) =>
    orders.sent.length === 1 ? Promise.reject(busy(7000)) : Promise.resolve(resultOf(task.task_id))
  );
  const first = await bench({ orders });
  const startedMs = first.clock.now();
  assertEquals(ends(await driven(first.clock, first.run([ask("a")]))), { a: "success" });
  assertEquals(first.clock.now() - startedMs, 7000);

  const always = await bench({ orders: new FakeTransport(() => Promise.reject(busy(90_000))) });
  const beganMs = always.clock.now();
  assertEquals(ends(await always.run([ask("a")])), { a: "busy" });
  assertEquals(always.clock.now(), beganMs);
});

Deno.test("runGroup() does not try again what will not pass", async () => {
  const refused = new TransportError("refused", "No such intent", { retriable: false });
  const orders = new FakeTransport(() => Promise.reject(refused));
  const defect = new FakeTransport(() => Promise.reject(new TypeError("x is undefined")));
  const { run, clock, table } = await bench({ orders, alerts: defect });
  const alert = ask("b", { agent: "alerts", intent: "recent" });
  assertEquals(ends(await driven(clock, run([ask("a"), alert]))), {
    a: "refused",
    b: "transport_failed",
  });
  assertEquals([orders.sent.length, defect.sent.length], [1, 1]);
  assertEquals(table.list(1)[0]?.error, { code: "transport_failed", message: "x is undefined" });
});

Deno.test("runGroup() says that what became of a task is not known, where that is so", async () => {
  const lost = new TransportError("unknown_outcome", "It may have done it", { retriable: false });
  const { run, table } = await bench({ orders: new FakeTransport(() => Promise.reject(lost)) });
  assertEquals(ends(await run([ask("a", { intent: "refund" })])), { a: "unknown_outcome" });
  assertEquals(phases(table), { a: "lost" });
});

Deno.test("runGroup() leaves an agent alone after three tasks in a row that came to nothing", async () => {
  const orders = new FakeTransport(() =>
    Promise.reject(new TransportError("bad_result", "HTML", { retriable: false }))
  );
  const alerts = new FakeTransport();
  const { run } = await bench({ orders, alerts });
  const one = agentOf("orders", ORDERS.intents, { concurrency: 1 });
  const alert = ask("e", { agent: "alerts", intent: "recent" });
  const { run: runOne } = await bench({ orders, alerts }, [one, ALERTS]);
  assertEquals(ends(await runOne([ask("a"), ask("b"), ask("c"), ask("d"), alert])), {
    a: "bad_result",
    b: "bad_result",
    c: "bad_result",
    d: "unavailable",
    e: "success",
  });
  assertEquals(orders.sent.length, 3);
  assertEquals(ends(await run([alert])), { e: "success" });
});

Deno.test("runGroup() gives an agent no more tasks at once than it takes", async () => {
  const orders = new FakeTransport(async (task) => {
    await settle();
    return resultOf(task.task_id);
  });
  const two = agentOf("orders", ORDERS.intents, { concurrency: 2 });
  const { run } = await bench({ orders }, [two]);
  const outcomes = await run(Array.from({ length: 9 }, (_, index) => ask(`n${index}`)));
  assertEquals([orders.most, orders.sent.length], [2, 9]);
  assertEquals(new Set(Object.values(ends(outcomes))), new Set(["success"]));
});

Deno.test("runGroup() that is given up cancels what is on its way, and sends nothing more", async () => {
  const orders = new FakeTransport(hang);
  const { run, clock, table } = await bench({ orders });
  const controller = new AbortController();
  const going = run([ask("a"), ask("b", { after: ["a"] }), ask("c")], {
    signal: controller.signal,
  });
  while (orders.active < 2) await settle();
  controller.abort(new Error("Ctrl-C"));
  const outcomes = await driven(clock, going);
  assertEquals(ends(outcomes), {
    a: "not obtained: cancelled",
    b: "not obtained: cancelled",
    c: "not obtained: cancelled",
  });
  assertEquals(phases(table), { a: "cancelled", b: "cancelled", c: "cancelled" });
  assertEquals(orders.cancelled.toSorted(), orders.sent.map(({ task_id }) => task_id).toSorted());
});

Deno.test("runGroup() sends nothing that may change something once the table can't be written", async () => {
  const orders = new FakeTransport();
  const { run, table, troubles } = await bench({ orders });
  table.close();
  assertEquals(ends(await run([ask("reads"), ask("changes", { intent: "refund" })])), {
    reads: "success",
    changes: "not_recorded",
  });
  assertEquals([troubles.length, orders.sent.map(({ intent }) => intent)], [1, ["status"]]);
});
