import { assertEquals } from "@std/assert";
import { createTodo, type TodoArgs } from "../../tools/todo.ts";
import { CONTEXT } from "../fakes.ts";

/** What the last of several calls brought back. */
async function after(...calls: readonly TodoArgs[]) {
  const tool = createTodo();
  const outcomes = [];
  for (const call of calls) outcomes.push(await tool.run(call, CONTEXT));
  return outcomes.at(-1);
}

Deno.test("todo keeps what is added, in order, and what is done", async () => {
  const outcome = await after(
    { action: "add", items: ["look at disks", "rotate\nlogs"] },
    { action: "add", items: ["报告"] },
    { action: "done", ids: [1, 3] },
  );
  assertEquals(outcome, {
    ok: true,
    data: { list: "[x] 1. look at disks\n[ ] 2. rotate logs\n[x] 3. 报告", open: 1, done: 2 },
    summary: "1 open, 2 done",
  });
});

Deno.test("todo lists an empty list", async () => {
  assertEquals(await after({ action: "list" }), {
    ok: true,
    data: { list: "", open: 0, done: 0 },
    summary: "0 open, 0 done",
  });
});

Deno.test("todo says what is missing and changes nothing then", async () => {
  const messages = [];
  for (
    const call of [
      { action: "add" },
      { action: "done" },
      { action: "done", ids: [1, 2, 9] },
      { action: "add", items: Array(50).fill("x") },
    ] as const
  ) {
    const outcome = await after({ action: "add", items: ["a", "b"] }, call);
    messages.push(outcome?.ok ? null : outcome?.error.message);
  }
  assertEquals(messages, [
    "Nothing to add",
    "No item is named",
    "There is no item 9",
    "More than 50 items",
  ]);
});

Deno.test("todo belongs to one run", async () => {
  await after({ action: "add", items: ["a"] });
  assertEquals((await after({ action: "list" }))?.ok, true);
  const outcome = await after({ action: "list" });
  assertEquals(outcome?.ok ? outcome.data["list"] : null, "");
});

Deno.test("todo touches nothing that a policy would judge", () => {
  const tool = createTodo();
  assertEquals([tool.effect, tool.subjects({ action: "list" })], ["read", []]);
  assertEquals(tool.brief({ action: "add", items: ["a", "b"] }), "add a; b");
  assertEquals(tool.brief({ action: "done", ids: [1, 2] }), "done 1 2");
});
