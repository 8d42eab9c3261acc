import { assertEquals } from "@std/assert";
import {
  createDelegation,
  type DelegateArgs,
  type Delegates,
} from "../../lib/delegate/delegation.ts";
import type { ParentTask } from "../../lib/delegate/envelope.ts";
import { openTaskTable } from "../../lib/delegate/task_table.ts";
import { traceIdOf } from "../../lib/delegate/task_id.ts";
import { TransportError } from "../../lib/delegate/types.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import type { JsonObject, ToolContext, ToolOutcome } from "../../lib/types.ts";
import { createDelegate } from "../../tools/delegate.ts";
import { CONTEXT, FakeClock, fakeResults } from "../fakes.ts";
import { agentOf, ALERTS, FakeTransport, intentOf, ORDERS, resultOf } from "./_fake_agents.ts";

const NOW = Date.UTC(2026, 10, 30);

const PARENT: ParentTask = {
  task_id: "t-parent",
  trace_id: "trace-parent",
  depth: 1,
  max_depth: 3,
  deadline: new Date(NOW + 30_000).toISOString(),
};

/** A tool whose agents are all one transport. */
async function tool(
  transport: FakeTransport,
  { parent = null, ...rest }: Partial<Delegates> & { parent?: ParentTask | null } = {},
) {
  const table = await openTaskTable(createDatabases(null), { keep: false, redact: (data) => data });
  const delegates = { agents: [ORDERS, ALERTS], maxDepth: 2, maxSubtasks: 8, ...rest };
  const delegate = createDelegate(createDelegation(delegates, parent, {
    clock: new FakeClock(NOW),
    random: () => 0,
    transportOf: () => transport,
    table,
    onProgress: () => {},
    onTrouble: () => {},
  }));
  return { delegate, table };
}

const ONE: DelegateArgs = {
  tasks: [{ id: "a", agent: "orders", intent: "status", params: { order: "A-1" } }],
};

/** The code and message of what is wrong with a call. */
async function faultOf(args: DelegateArgs, options: Parameters<typeof tool>[1] = {}) {
  const { delegate } = await tool(new FakeTransport(), options);
  const error = await delegate.check?.(args);
  return error === null || error === undefined ? null : [error.code, error.message];
}

/** An outcome without the ids of its tasks; they are there for those that were sent. */
function withoutIds(outcome: ToolOutcome): ToolOutcome {
  return JSON.parse(JSON.stringify(outcome).replace(/"task_id":"t-[0-9a-f]{32}",/g, ""));
}

Deno.test("delegate tells what each task brought, the summary first", async () => {
  const transport = new FakeTransport((task) =>
    task.intent === "status"
      ? Promise.resolve(resultOf(task.task_id, { summary: "Paid", total: 3 }, {
        attachments: [{
          name: "log.txt",
          media_type: "text/plain",
          url: "https://a/log",
          bytes: 9,
        }],
      }))
      : task.intent === "recent"
      ? Promise.resolve(resultOf(task.task_id, { summary: "Half" }, {
        status: "partial_success",
        error: { code: "source_down", message: "One is down", retriable: true },
      }))
      : Promise.reject(new TransportError("unreachable", "Nobody there", { retriable: false }))
  );
  const { delegate } = await tool(transport);
  const outcome = withoutIds(
    await delegate.run({
      tasks: [
        ...ONE.tasks ?? [],
        { id: "b", agent: "alerts", intent: "recent", params: { order: "x" } },
        { id: "c", agent: "orders", intent: "refund", params: { order: "x" } },
        { id: "d", agent: "orders", intent: "status", params: { order: "x" }, after: ["c"] },
      ],
    }, CONTEXT),
  );
  const cost = { input_tokens: 7, output_tokens: 3, latency_ms: 5 };
  assertEquals(outcome, {
    ok: true,
    data: {
      obtained: "2 of 4 obtained, 1 in part",
      note: "Use what was obtained, and say in the answer what was not obtained and why.",
      tasks: [
        {
          id: "a",
          agent: "orders",
          intent: "status",
          status: "success",
          summary: "Paid",
          data: { total: 3 },
          attachments: [
            { name: "log.txt", media_type: "text/plain", bytes: 9, url: "https://a/log" },
          ],
          cost,
        },
        {
          id: "b",
          agent: "alerts",
          intent: "recent",
          status: "partial_success",
          summary: "Half",
          error: { code: "source_down", message: "One is down", retriable: true },
          cost,
        },
        {
          id: "c",
          agent: "orders",
          intent: "refund",
          status: "failed",
          error: { code: "unreachable", message: "Nobody there", retriable: false },
        },
        { id: "d", agent: "orders", intent: "status", status: "not obtained: c failed" },
      ],
    },
    summary: "2 of 4 obtained, 1 in part",
    truncated: [],
  });
});

Deno.test("delegate keeps what is too large where read_output finds it", async () => {
  const items = Array.from({ length: 4000 }, (_, id) => ({ id, state: "paid" }));
  const transport = new FakeTransport((task) => Promise.resolve(resultOf(task.task_id, { items })));
  const { delegate } = await tool(transport);
  const results = fakeResults();
  const context: ToolContext = { ...CONTEXT, collect: (request) => results.collect(request) };
  const two = { ...ONE.tasks?.[0], id: "b" };
  const outcome = await delegate.run({ tasks: [...ONE.tasks ?? [], two as never] }, context);
  const { data, truncated } = results.observe(outcome, delegate.limits);
  const [first] = data?.["tasks"] as JsonObject[];
  assertEquals([first?.["summary"], first?.["data"]], ["done", 'in "data_of_a"']);
  assertEquals(JSON.stringify(data).length < 8000, true);
  assertEquals(truncated.map(({ field, total_chars }) => [field, total_chars > 100_000]), [
    ["data_of_a", true],
    ["data_of_b", true],
  ]);
  assertEquals(truncated[0]?.read_on, 'read_output with id "out1" reads all of it.');
});

Deno.test("delegate loses nothing of a summary that is too long to stand first", async () => {
  const summary = `Begin ${"word ".repeat(400)}end`;
  const transport = new FakeTransport((task) =>
    Promise.resolve(resultOf(task.task_id, { summary }))
  );
  const { delegate } = await tool(transport);
  const outcome = await delegate.run(ONE, CONTEXT);
  const [task] = outcome.ok ? outcome.data["tasks"] as JsonObject[] : [];
  assertEquals([String(task?.["summary"]).length <= 601, task?.["data"]], [true, { summary }]);
});

Deno.test("delegate finds intents by words, without a task for anyone", async () => {
  const transport = new FakeTransport();
  const { delegate } = await tool(transport);
  const outcome = await delegate.run({ search: "refund" }, CONTEXT);
  assertEquals(outcome.ok && [outcome.summary, String(outcome.data["found"]).split("\n")[1]], [
    "1 intent",
    "- refund(order: string, days?: integer) [changes]: Does refund",
  ]);
  assertEquals([transport.sent, delegate.subjects({ search: "refund" })], [
    [],
    [{ kind: "path", access: "read", path: "/etc/rein/agents.yaml" }],
  ]);
});

Deno.test("delegate says what is wrong with a call before anything is sent", async () => {
  assertEquals(await faultOf(ONE), null);
  assertEquals(await faultOf({ search: "x" }), null);
  assertEquals(await faultOf({}), ["invalid_arguments", "A call has either tasks or search"]);
  assertEquals((await faultOf({ ...ONE, search: "x" }))?.[0], "invalid_arguments");
  assertEquals(await faultOf({ tasks: [{ agent: "order", intent: "status" }] }), [
    "invalid_tasks",
    'Task "t1": there is no agent "order": did you mean orders?',
  ]);
});

Deno.test("delegate is judged by each intent as the directory declares it", async () => {
  const { delegate } = await tool(new FakeTransport());
  const tasks = [["orders", "status"], ["orders", "refund"], ["nobody", "x"]]
    .map(([agent = "", intent = ""]) => ({ agent, intent }));
  assertEquals(
    delegate.subjects({ tasks }).map((one) => one.kind === "intent" ? one.access : null),
    ["read", "write", "write"],
  );
});

Deno.test("delegate shows a person what is sent to whom", async () => {
  const { delegate } = await tool(new FakeTransport());
  const preview = await delegate.preview?.({
    tasks: [
      ...ONE.tasks ?? [],
      { agent: "orders", intent: "refund", params: { order: "{{a.data.id}}" } },
    ],
  });
  assertEquals(
    preview,
    [
      "a: orders/status (reads), to program ./orders",
      '{\n  "order": "A-1"\n}',
      "",
      "orders/refund (may change something), to program ./orders, after a",
      '{\n  "order": "{{a.data.id}}"\n}',
    ].join("\n"),
  );
});

Deno.test("delegate within a task of another agent sends tasks of that one, and ends with it", async () => {
  const transport = new FakeTransport();
  const { delegate } = await tool(transport, { parent: PARENT });
  await delegate.run({ ...ONE, timeout_ms: 60_000 }, CONTEXT);
  const [task] = transport.sent;
  assertEquals(
    [task?.depth, task?.max_depth, task?.trace_id, task?.parent_task_id, task?.timeout_sec],
    [2, 2, "trace-parent", "t-parent", 30],
  );
  const late = await tool(transport, {
    parent: { ...PARENT, deadline: new Date(NOW).toISOString() },
  });
  const outcome = await late.delegate.run(ONE, CONTEXT);
  assertEquals(outcome.ok ? null : outcome.error.code, "timeout");
});

Deno.test("delegate of a person's run begins the chain", async () => {
  const transport = new FakeTransport();
  const { delegate } = await tool(transport);
  await delegate.run(ONE, CONTEXT);
  const [task] = transport.sent;
  assertEquals([task?.depth, task?.max_depth, task?.trace_id, "parent_task_id" in task!], [
    1,
    2,
    await traceIdOf("run1"),
    false,
  ]);
});

Deno.test("delegate ends at the depth that either side allows", async () => {
  const at = (depth: number, max_depth: number) =>
    faultOf(ONE, { parent: { ...PARENT, depth, max_depth } });
  assertEquals(await at(1, 2), null);
  assertEquals(await at(1, 1), [
    "depth_limit",
    "This task is 1 delegations deep, and may be 1 at the most",
  ]);
  assertEquals((await at(2, 9))?.[0], "depth_limit");
});

Deno.test("delegate of a task leads to a bounded number of tasks, over all its calls", async () => {
  const transport = new FakeTransport();
  const { delegate } = await tool(transport, { parent: PARENT, maxSubtasks: 3 });
  const times = (count: number) => ({
    tasks: Array(count).fill({ ...ONE.tasks?.[0], id: undefined }),
  });
  const call = (id: string): ToolContext => ({
    ...CONTEXT,
    call: { run: "run1", id, again: false },
  });
  const clean = (args: DelegateArgs) => JSON.parse(JSON.stringify(args)) as DelegateArgs;
  const codes = [];
  for (const [id, count] of [["c1", 4], ["c2", 2], ["c3", 2], ["c4", 1]] as const) {
    const outcome = await delegate.run(clean(times(count)), call(id));
    codes.push(outcome.ok ? "ok" : outcome.error.code);
  }
  assertEquals([codes, transport.sent.length], [["subtask_limit", "ok", "subtask_limit", "ok"], 3]);
});

Deno.test("delegate's definition stays small, whatever the directory holds", async () => {
  const many = Array.from({ length: 300 }, (_, index) => agentOf(`a${index}`, [intentOf("i")]));
  const { delegate } = await tool(new FakeTransport(), { agents: many });
  const { name, description, parameters } = delegate;
  const chars = JSON.stringify({ name, description, parameters }).length;
  assertEquals(chars < 10_000, true);
});
