import { assertEquals } from "@std/assert";
import { fileURLToPath } from "node:url";
import { MAX_ROWS, openTaskTable, taskTablePath } from "../../lib/delegate/task_table.ts";
import { createDatabases } from "../../lib/real/databases.ts";
import type { JsonObject } from "../../lib/types.ts";
import { inTempDir } from "../_temp.ts";
import { resultOf } from "./_fake_agents.ts";

const PLAIN = (data: JsonObject) => data;
const TASK = { run: "run1", call: "c1", name: "a", agent: "orders", intent: "refund" } as const;

const inMemory = (redact = PLAIN) => openTaskTable(createDatabases(null), { keep: true, redact });

Deno.test("a task's row tells where it is, from the wish to the end", async () => {
  const table = await inMemory();
  table.add([{ ...TASK, access: "write" }], 1000);
  const bare = table.find("run1", "c1", "a");
  assertEquals(bare, {
    ...TASK,
    key: 1,
    access: "write",
    id: null,
    phase: "waiting",
    createdMs: 1000,
    sentMs: null,
    returnedMs: null,
    inputTokens: 0,
    outputTokens: 0,
    error: null,
    statusUrl: null,
    envelope: null,
    params: {},
    redacted: false,
    result: null,
    resultWhole: true,
  });
  const params = { order: "A-1" };
  table.sent(1, { envelope: { task_id: "t-1", params }, params, durable: true }, 1500);
  table.accepted(1, "/tasks/t-1");
  const result = resultOf("t-1", {}, {
    status: "partial_success",
    error: { code: "half", message: "Half", retriable: false },
  });
  const kept = JSON.parse(JSON.stringify(result));
  table.ended(1, {
    phase: "partial_success",
    error: { code: "half", message: "Half" },
    result: { kept, whole: true },
    inputTokens: 7,
    outputTokens: 3,
  }, 2500);
  assertEquals(table.find("run1", "c1", "a") as unknown, {
    ...bare,
    id: "t-1",
    phase: "partial_success",
    sentMs: 1500,
    returnedMs: 2500,
    inputTokens: 7,
    outputTokens: 3,
    error: { code: "half", message: "Half" },
    statusUrl: "/tasks/t-1",
    envelope: { task_id: "t-1", params },
    params,
    result: kept,
  });
  table.close();
});

Deno.test("a task that has ended stays as it ended", async () => {
  const table = await inMemory();
  table.add([{ ...TASK, access: "write" }], 0);
  table.ended(1, { phase: "cancelled", error: null, result: null }, 1);
  table.sent(1, { envelope: { task_id: "t-1" }, params: {}, durable: false }, 2);
  table.accepted(1, null);
  table.ended(1, { phase: "success", error: null, result: null }, 3);
  table.add([{ ...TASK, access: "write" }], 4);
  const [row] = table.list(10);
  assertEquals([row?.phase, row?.returnedMs, row?.id, table.list(10).length], [
    "cancelled",
    1,
    null,
    1,
  ]);
  table.close();
});

Deno.test("a row holds no secret, and says that it lacks one", async () => {
  const redact = (data: JsonObject) =>
    JSON.parse(JSON.stringify(data).replaceAll("hunter2", "[redacted]")) as JsonObject;
  const table = await inMemory(redact);
  table.add([{ ...TASK, access: "write" }], 0);
  const params = { password: "hunter2" };
  table.sent(1, { envelope: { task_id: "t-1", params }, params, durable: false }, 0);
  const kept = { data: { summary: "hunter2" } };
  const error = { code: "x", message: "hunter2 is wrong" };
  table.ended(1, { phase: "failed", error, result: { kept, whole: true } }, 0);
  const [row] = table.list(1);
  assertEquals(
    [row?.params, row?.redacted, row?.error?.message, row?.result?.data, row?.resultWhole],
    [
      { password: "[redacted]" },
      true,
      "[redacted] is wrong",
      { summary: "[redacted]" },
      false,
    ],
  );
  table.close();
});

Deno.test("the table finds tasks by the beginning of their id, and takes it as it is written", async () => {
  const table = await inMemory();
  for (const [index, id] of ["t-aa1", "t-aa2", "t-b%"].entries()) {
    table.add([{ ...TASK, name: id, access: "read" }], 0);
    table.sent(index + 1, { envelope: { task_id: id }, params: {}, durable: false }, 0);
  }
  const found = (beginning: string) => table.byId(beginning).map(({ id }) => id);
  assertEquals(
    [found("t-aa"), found("t-aa1"), found("t-b"), found("t-%"), found("x")],
    [["t-aa2", "t-aa1"], ["t-aa1"], ["t-b%"], [], []],
  );
  table.close();
});

Deno.test("the table keeps the newest tasks, and those that are on their way", async () => {
  const table = await inMemory();
  const many = Array.from({ length: MAX_ROWS }, (_, index) => ({
    ...TASK,
    name: `${index}`,
    access: "read" as const,
  }));
  table.add(many, 0);
  for (let key = 2; key <= 10; key++) {
    table.ended(key, { phase: "success", error: null, result: null }, 0);
  }
  table.add(
    [{ ...TASK, name: "new1", access: "read" }, { ...TASK, name: "new2", access: "read" }],
    1,
  );
  const names = table.list(MAX_ROWS + 5).map(({ name }) => name);
  assertEquals([names.length, names.slice(0, 2), names.slice(-3)], [
    MAX_ROWS,
    ["new2", "new1"],
    ["4", "3", "0"],
  ]);
  assertEquals(table.countOf("run1", "other"), MAX_ROWS);
  table.close();
});

Deno.test("several processes write into one table, and nothing is lost", async () => {
  await inTempDir({}, async (directory) => {
    const script = fileURLToPath(new URL("_tasks_child.ts", import.meta.url));
    const children = ["one", "two", "three"].map((name) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "--quiet", "--no-prompt", "-P=tests", script, directory, name, "40"],
        cwd: fileURLToPath(new URL("../../", import.meta.url)),
        stdout: "inherit",
        stderr: "inherit",
      }).output()
    );
    const codes = (await Promise.all(children)).map(({ code }) => code);
    assertEquals(codes, [0, 0, 0]);
    const table = await openTaskTable(createDatabases(directory), { keep: true, redact: PLAIN });
    assertEquals(table.counts(), new Map([["success", 120]]));
    assertEquals(new Set(table.list(200).map(({ id }) => id)).size, 120);
    table.close();
    assertEquals((await Deno.stat(taskTablePath(directory))).mode! & 0o777, 0o600);
  });
});
