import { assertEquals, assertMatch } from "@std/assert";
import fc from "fast-check";
import { taskIdOf, traceIdOf } from "../../lib/delegate/task_id.ts";

const ORIGIN = { run: "run1", call: "call_1", name: "a" };
const CONTENT = { agent: "orders", intent: "status", params: { order: "A-1", days: 3 } };

Deno.test("taskIdOf() gives the same task the same id, whatever the order of its keys", async () => {
  const id = await taskIdOf(ORIGIN, CONTENT);
  assertMatch(id, /^t-[0-9a-f]{32}$/);
  const turned = { params: { days: 3, order: "A-1" }, intent: "status", agent: "orders" };
  assertEquals(await taskIdOf({ ...ORIGIN }, turned), id);
});

Deno.test("taskIdOf() gives another id for another run, call, name, agent, intent or parameter", async () => {
  const ids = await Promise.all([
    taskIdOf(ORIGIN, CONTENT),
    taskIdOf({ ...ORIGIN, run: "run2" }, CONTENT),
    taskIdOf({ ...ORIGIN, call: "call_2" }, CONTENT),
    taskIdOf({ ...ORIGIN, name: "b" }, CONTENT),
    taskIdOf(ORIGIN, { ...CONTENT, agent: "order" }),
    taskIdOf(ORIGIN, { ...CONTENT, intent: "refund" }),
    taskIdOf(ORIGIN, { ...CONTENT, params: { order: "A-1", days: "3" } }),
    taskIdOf(ORIGIN, { ...CONTENT, params: { order: "A-1" } }),
  ]);
  assertEquals(new Set(ids).size, ids.length);
});

Deno.test("taskIdOf() does not take pieces that were cut elsewhere for the same", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.string(), async (run, call) => {
      const [one, other] = await Promise.all([
        taskIdOf({ run, call, name: "" }, CONTENT),
        taskIdOf({ run: run + call, call: "", name: "" }, CONTENT),
      ]);
      return call === "" ? one === other : one !== other;
    }),
    { numRuns: 50 },
  );
});

Deno.test("traceIdOf() is the same for all tasks of a run", async () => {
  assertEquals(await traceIdOf("run1"), await traceIdOf("run1"));
  assertEquals(await traceIdOf("run1") === await traceIdOf("run2"), false);
});
