import { assertEquals } from "@std/assert";
import { AgentBounds } from "../../lib/delegate/agent_bounds.ts";
import { runGroup } from "../../lib/delegate/group.ts";
import { planTasks, type TaskRequest } from "../../lib/delegate/plan.ts";
import type { TaskOutcome } from "../../lib/delegate/task_outcome.ts";
import { openTaskTable, type TaskTable } from "../../lib/delegate/task_table.ts";
import { type Agent, TransportError } from "../../lib/delegate/types.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import type { JsonObject } from "../../lib/types.ts";
import { aborted, FakeClock, NEVER, settle } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";
import { agentOf, FakeTransport, ORDERS, resultOf } from "./_fake_agents.ts";

const NOTHING_SECRET = (data: JsonObject) => data;

const ask = (id: string, rest: Partial<TaskRequest> = {}): TaskRequest => ({
  id,
  agent: "orders",
  intent: "refund",
  params: { order: id },
  ...rest,
});

/** How the tasks of a call are run. */
interface Try {
  readonly requests: readonly TaskRequest[];
  readonly transport: FakeTransport;
  readonly again: boolean;
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
}

async function group(
  table: TaskTable,
  { requests, transport, again, agent = ORDERS, signal = NEVER }: Try,
): Promise<readonly TaskOutcome[]> {
  const plan = await planTasks(requests, [agent]);
  if (!plan.ok) throw new TypeError(plan.faults.join("; "));
  return await runGroup({
    tasks: plan.tasks,
    origin: { run: "run1", call: "call_1" },
    again,
    chain: { depth: 1, maxDepth: 2, traceId: "trace", parentTaskId: null },
    timeoutMs: 60_000,
  }, {
    clock: new FakeClock(),
    random: () => 0,
    bounds: new AgentBounds(),
    table,
    transportOf: () => transport,
    onProgress: () => {},
    onTrouble: () => {},
  }, signal);
}

function ends(outcomes: readonly TaskOutcome[]): string[] {
  return outcomes.map(({ task, end }) =>
    end.kind === "result"
      ? `${task.name} ${end.result.data?.summary}`
      : `${task.name} ${end.kind === "failed" ? end.error.code : end.why}`
  );
}

/** A table on the disk, opened anew as another process would. */
async function withTables(
  work: (open: () => Promise<TaskTable>) => Promise<void>,
  redact: (data: JsonObject) => JsonObject = NOTHING_SECRET,
): Promise<void> {
  await inTempDir({}, async (directory) => {
    const databases = createDatabases(`${directory}/state`);
    const tables: TaskTable[] = [];
    try {
      await work(async () => {
        const table = await openTaskTable(databases, { keep: true, redact });
        tables.push(table);
        return table;
      });
    } finally {
      for (const table of tables) table.close();
    }
  });
}

/**
 * Begins a call whose process ends in the middle: what the table says is then as it was when the
 * agent had the tasks that hang.
 */
async function brokenOff(open: () => Promise<TaskTable>, rest: Omit<Try, "again">): Promise<void> {
  const table = await open();
  // Nothing more is written: the process has gone.
  void group(table, { ...rest, again: false });
  for (let turn = 0; turn < 20; turn++) await settle();
}

const hangsOn = (order: string) =>
  new FakeTransport(async (task, events, signal) => {
    events.accepted(`/tasks/${task.task_id}`);
    if (task.params["order"] === order) await aborted(signal);
    return resultOf(task.task_id, { summary: `first ${order}`, id: "7" });
  });

Deno.test("runGroup() again uses what is there, asks for what was sent, and sends the rest", async () => {
  await withTables(async (open) => {
    const requests = [ask("a"), ask("b"), ask("c", { params: { order: "{{b.data.id}}" } })];
    const first = hangsOn("b");
    await brokenOff(open, { requests, transport: first });
    const second = new FakeTransport(
      (task) => Promise.resolve(resultOf(task.task_id, { summary: "sent" })),
      (task) => Promise.resolve(resultOf(task.task_id, { summary: "asked for", id: "8" })),
    );
    const outcomes = await group(await open(), { requests, transport: second, again: true });
    assertEquals(ends(outcomes), ["a first b", "b asked for", "c sent"]);
    const [a, b] = first.sent.map(({ task_id }) => task_id);
    assertEquals(outcomes.slice(0, 2).map(({ id }) => id), [a, b]);
    assertEquals(second.recovered, [b]);
    assertEquals(second.sent.map(({ params }) => params), [{ order: "8" }]);
  });
});

Deno.test("runGroup() again sends with the same id what the agent never had", async () => {
  await withTables(async (open) => {
    const requests = [ask("b")];
    const first = hangsOn("b");
    await brokenOff(open, { requests, transport: first });
    const second = new FakeTransport();
    const outcomes = await group(await open(), { requests, transport: second, again: true });
    assertEquals(ends(outcomes), ["b done"]);
    const [before] = first.sent;
    assertEquals(second.sent.map(({ task_id, params }) => [task_id, params]), [
      [before?.task_id, before?.params],
    ]);
  });
});

Deno.test("runGroup() again tells what became of a task that can't be found out", async () => {
  await withTables(async (open) => {
    const requests = [ask("b")];
    await brokenOff(open, { requests, transport: hangsOn("b") });
    const unknown = new TransportError("unknown_outcome", "It may be done", { retriable: false });
    const second = new FakeTransport(undefined, () => Promise.reject(unknown));
    const table = await open();
    assertEquals(ends(await group(table, { requests, transport: second, again: true })), [
      "b unknown_outcome",
    ]);
    assertEquals([table.list(1)[0]?.phase, second.sent], ["lost", []]);
  });
});

Deno.test("runGroup() again sends nothing anew whose secrets are not kept", async () => {
  const redact = (data: JsonObject): JsonObject =>
    "order" in data ? { ...data, order: "[redacted]" } : data;
  await withTables(async (open) => {
    const requests = [ask("b")];
    await brokenOff(open, { requests, transport: hangsOn("b") });
    const second = new FakeTransport();
    const outcomes = await group(await open(), { requests, transport: second, again: true });
    assertEquals([ends(outcomes), second.sent], [["b not_kept"], []]);
  }, redact);
});

Deno.test("runGroup() again asks for a result that is kept in part, and uses the part else", async () => {
  const large = new FakeTransport((task) =>
    Promise.resolve(resultOf(task.task_id, { summary: "large", all: "x".repeat(300_000) }))
  );
  await withTables(async (open) => {
    const requests = [ask("a"), ask("b")];
    await group(await open(), { requests, transport: large, again: false });
    const second = new FakeTransport(
      undefined,
      (task) =>
        task.params["order"] === "a"
          ? Promise.resolve(resultOf(task.task_id, { summary: "whole" }))
          : Promise.reject(new TransportError("lost", "It has gone", { retriable: false })),
    );
    const outcomes = await group(await open(), { requests, transport: second, again: true });
    assertEquals([ends(outcomes), second.sent], [["a whole", "b large"], []]);
  });
});

Deno.test("runGroup() again without a table sends no changing task to an agent that might run it twice", async () => {
  const once = agentOf("orders", ORDERS.intents, { idempotent: false });
  const table = await openTaskTable(createDatabases(null), { keep: false, redact: NOTHING_SECRET });
  const requests = [ask("a"), ask("b", { intent: "status" })];
  const transport = new FakeTransport();
  const outcomes = await group(table, { requests, transport, again: true, agent: once });
  assertEquals(ends(outcomes), ["a unknown_outcome", "b done"]);
});
