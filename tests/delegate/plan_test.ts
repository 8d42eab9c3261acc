import { assertEquals } from "@std/assert";
import { planTasks, type TaskRequest } from "../../lib/delegate/plan.ts";
import type { JsonObject } from "../../lib/types.ts";
import { agentOf, ALERTS, intentOf, ORDERS } from "./_fake_agents.ts";

const AGENTS = [ORDERS, ALERTS];
const status = (rest: Partial<TaskRequest> = {}): TaskRequest => ({
  agent: "orders",
  intent: "status",
  params: { order: "A-1" },
  ...rest,
});

/** The names of the tasks with what they wait for, or the faults. */
async function planned(...requests: TaskRequest[]) {
  const plan = await planTasks(requests, AGENTS);
  return plan.ok ? plan.tasks.map(({ name, after }) => [name, after]) : plan.faults;
}

Deno.test("planTasks() resolves agents and intents, and names tasks that have none", async () => {
  const plan = await planTasks([status({ id: "t2" }), status(), status()], AGENTS);
  assertEquals(plan, {
    ok: true,
    tasks: ["t2", "t3", "t4"].map((name) => ({
      name,
      agent: ORDERS,
      intent: ORDERS.intents[0]!,
      params: { order: "A-1" },
      after: [],
    })),
  });
});

Deno.test("planTasks() has a task wait for those that it refers to", async () => {
  const requests = [
    status({ id: "a" }),
    status({ id: "b" }),
    status({ id: "c", after: ["b"], params: { order: "{{a.data.id}} {{b.data.id}}" } }),
  ];
  assertEquals(await planned(...requests), [["a", []], ["b", []], ["c", ["b", "a"]]]);
});

Deno.test("planTasks() says what is wrong with agents, intents and parameters", async () => {
  assertEquals(
    await planned(
      { agent: "order", intent: "status" },
      { agent: "zzz", intent: "status" },
      { agent: "orders", intent: "state" },
      { agent: "orders", intent: "recent" },
      status({ params: { order: 3, day: 1 } }),
      status({ params: {} }),
    ),
    [
      'Task "t1": there is no agent "order": did you mean orders?',
      'Task "t2": there is no agent "zzz": there are orders, alerts',
      'Task "t3": agent "orders" has no intent "state": did you mean status?',
      'Task "t4": agent "orders" has no intent "recent": alerts has it',
      'Task "t5": the params of orders/status do not fit: the value must NOT have additional ' +
      'properties ("day"); /order must be string',
      'Task "t6": the params of orders/status do not fit: the value must have required property ' +
      "'order'",
    ],
  );
});

Deno.test("planTasks() holds nothing against parameters that are not known yet", async () => {
  const choice = intentOf("choose", {
    parameters: {
      type: "object",
      properties: {
        days: { type: "integer", minimum: 1 },
        kind: { enum: ["a", "b"] },
        of: { oneOf: [{ type: "object", required: ["x"] }, { type: "integer" }] },
      },
      required: ["kind"],
      additionalProperties: false,
    },
  });
  const agent = agentOf("any", [choice]);
  const plan = async (params: JsonObject) => {
    const one = { id: "one", agent: "any", intent: "choose", params: { kind: "a" } };
    const two = { id: "two", agent: "any", intent: "choose", params };
    const plan = await planTasks([one, two], [agent]);
    return plan.ok ? "fits" : plan.faults;
  };
  const days = "{{one.data.days}}";
  assertEquals(await plan({ days, kind: days, of: { y: days } }), "fits");
  assertEquals(await plan({ days }), [
    "Task \"two\": the params of any/choose do not fit: the value must have required property 'kind'",
  ]);
});

Deno.test("planTasks() says which order can't be kept", async () => {
  assertEquals(
    await planned(
      status({ id: "a", after: ["c"] }),
      status({ id: "b", after: ["a"] }),
      status({ id: "c", params: { order: "{{b.data.id}}" } }),
    ),
    ["Tasks wait for each other: a → c → b → a"],
  );
  assertEquals(
    await planned(
      status({ id: "a", after: ["a"] }),
    ),
    ["Tasks wait for each other: a → a"],
  );
  assertEquals(
    await planned(
      status({ id: "first", after: ["frist"] }),
      status({ id: "first" }),
      status({ params: { order: "{{fist.data.id}}" } }),
    ),
    [
      'Two tasks have the id "first"',
      'Task "first" is to run after "frist": there are t3',
      'Task "t3" refers to {{fist.data.id}}, and no task of this call is "fist": ' +
      "did you mean first?",
    ],
  );
});

Deno.test("planTasks() says that a schema of the directory can't be used", async () => {
  const broken = agentOf("any", [intentOf("x", { parameters: { type: "objekt" } })]);
  const plan = await planTasks([{ agent: "any", intent: "x" }], [broken]);
  assertEquals(plan.ok ? [] : plan.faults.map((fault) => fault.slice(0, 76)), [
    "Task \"t1\": the params of any/x do not fit: the directory's schema of x can't",
  ]);
});
