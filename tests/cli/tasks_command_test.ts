import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { Interruption } from "../../lib/cli/exit_code.ts";
import { openTaskTable, type TaskTable } from "../../lib/delegate/task_table.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import { inTempDir } from "../_temp.ts";
import { FakeClock, fakePorts, FakeTerminal, MemoryFiles, NEVER, settle } from "../fakes.ts";

const NOW = Date.UTC(2026, 10, 30, 12);

const AGENTS = `agents:
  - name: orders
    description: Looks at orders
    command: [./orders]
    intents:
      - {name: status, description: Finds the state, effect: read, parameters: {type: object}}
`;

/** Runs `rein tasks …` beside a table with a task that has ended and one that goes on. */
async function withTasks(
  work: (
    tasks: (...args: readonly string[]) => Promise<readonly [number, string, string]>,
    table: TaskTable,
    run: (args: readonly string[], terminal: FakeTerminal, signal: AbortSignal) => Promise<number>,
    clock: FakeClock,
  ) => Promise<void>,
): Promise<void> {
  await inTempDir({}, async (directory) => {
    const databases = createDatabases(`${directory}/rein`);
    const table = await openTaskTable(databases, { keep: true, redact: (data) => data });
    const base = { run: "run1", call: "c1", agent: "orders" } as const;
    table.add([
      { ...base, name: "a", intent: "refund", access: "write" },
      { ...base, name: "b", intent: "status", access: "read" },
    ], NOW - 9000);
    const params = { order: "A-1" };
    for (const [key, id] of [[1, "t-aaaa1111aaaa1111"], [2, "t-aabb2222"]] as const) {
      table.sent(key, { envelope: { task_id: id, params }, params, durable: false }, NOW - 8000);
    }
    const error = { code: "source_down", message: "One\nis down" };
    const result = { kept: { data: { summary: "half" } }, whole: true };
    const tokens = { inputTokens: 7, outputTokens: 3 };
    table.ended(1, { phase: "partial_success", error, result, ...tokens }, NOW - 5500);
    const clock = new FakeClock(NOW);
    const run = (args: readonly string[], terminal: FakeTerminal, signal: AbortSignal) =>
      runCli(
        ["tasks", ...args],
        fakePorts({ databases, clock, terminal, files: new MemoryFiles({ "a.yaml": AGENTS }) }),
        { signal, interrupt: () => {} },
      );
    try {
      await work(
        async (...args) => {
          const terminal = new FakeTerminal();
          const code = await run(args, terminal, NEVER);
          return [code, terminal.stdout, terminal.stderr];
        },
        table,
        run,
        clock,
      );
    } finally {
      table.close();
    }
  });
}

Deno.test("rein tasks lists the newest first, each in one line", () =>
  withTasks(async (tasks) => {
    const [code, text] = await tasks();
    const lines = text.trimEnd().split("\n").map((line) =>
      line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, "WHEN").replace(/ {2,}/g, "  ")
    );
    assertEquals([code, lines], [0, [
      "task  agent/intent  phase  sent  took  tokens  error",
      "t-aabb2222  orders/status  sent  WHEN  8.0 s",
      "t-aaaa1111aa  orders/refund  partial success  WHEN  2.5 s  10  source_down: One is down",
    ]]);
    const [, json] = await tasks("--output", "json");
    const { schema, tasks: entries } = JSON.parse(json);
    assertEquals([schema, entries.length, entries[1]], ["rein-tasks/1", 2, {
      id: "t-aaaa1111aaaa1111",
      run: "run1",
      call: "c1",
      name: "a",
      agent: "orders",
      intent: "refund",
      access: "write",
      phase: "partial_success",
      created: new Date(NOW - 9000).toISOString(),
      sent: new Date(NOW - 8000).toISOString(),
      returned: new Date(NOW - 5500).toISOString(),
      latency_ms: 2500,
      input_tokens: 7,
      output_tokens: 3,
      error: { code: "source_down", message: "One\nis down" },
    }]);
  }));

Deno.test("rein tasks without a table has nothing to tell, and makes none", async () => {
  await inTempDir({}, async (directory) => {
    const terminal = new FakeTerminal();
    const ports = fakePorts({ terminal, databases: createDatabases(`${directory}/rein`) });
    const code = await runCli(["tasks"], ports, { signal: NEVER, interrupt: () => {} });
    assertEquals([code, terminal.stdout], [0, "No task is kept here.\n"]);
    assertEquals([...Deno.readDirSync(directory)], []);
  });
});

Deno.test("rein tasks show finds a task by the beginning of its id, and tells all of it", () =>
  withTasks(async (tasks) => {
    const [code, text] = await tasks("show", "t-aaa");
    assertEquals([code, text.split("\n")[0], text.includes('"summary": "half"')], [
      0,
      "Task t-aaaa1111aaaa1111",
      true,
    ]);
    const [, json] = await tasks("show", "t-aab", "-o", "json");
    assertEquals(JSON.parse(json).envelope.params, { order: "A-1" });
    assertEquals(
      (await tasks("show", "t-aa"))[2],
      'rein: Several tasks begin with "t-aa". ' +
        "Give more of the id.\n",
    );
    assertEquals((await tasks("show", "x"))[0], 2);
  }));

Deno.test("rein tasks cancel tells the agent and writes it down, for a task on its way alone", () =>
  withTasks(async (tasks, table) => {
    const file = ["--agents", "a.yaml"];
    assertEquals(
      (await tasks("cancel", "t-aaaa", ...file))[2],
      "rein: Task t-aaaa1111aaaa1111 " +
        'has ended: partial success. See "rein tasks show".\n',
    );
    assertEquals(
      (await tasks("cancel", "t-aabb"))[2],
      'rein: There is no agent "orders" any ' +
        'more. See "rein agents list", and name its file with --agents.\n',
    );
    assertEquals(table.list(1)[0]?.phase, "sent");
    assertEquals((await tasks("cancel", "t-aabb", ...file)).slice(0, 2), [
      0,
      "Cancelled t-aabb2222.\n",
    ]);
    assertEquals(table.list(1)[0]?.error, { code: "cancelled", message: "A person gave it up" });
  }));

Deno.test("rein tasks --watch tells a program of each task that comes or changes, until it is ended", () =>
  withTasks(async (_tasks, table, run, clock) => {
    const controller = new AbortController();
    const terminal = new FakeTerminal();
    const going = run(["--watch", "-o", "json"], terminal, controller.signal);
    while (clock.sleeping === 0) await settle();
    table.accepted(2, null);
    await clock.advance(500);
    while (clock.sleeping === 0) await settle();
    await clock.advance(500);
    while (clock.sleeping === 0) await settle();
    controller.abort(new Interruption("SIGINT"));
    assertEquals(await going, 130);
    const told = terminal.stdout.trimEnd().split("\n").map((line) => JSON.parse(line))
      .filter(({ schema }) => schema === "rein-task/1").map(({ name, phase }) =>
        `${name} ${phase}`
      );
    assertEquals(told, ["a partial_success", "b sent", "b running"]);
  }));
