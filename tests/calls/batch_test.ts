import { assertEquals } from "@std/assert";
import { groupCalls, MAX_PARALLEL, runCalls } from "../../lib/calls/batch.ts";
import { Breaker } from "../../lib/calls/breaker.ts";
import type { Approver, CallPorts } from "../../lib/calls/pipeline.ts";
import { prepareValidation } from "../../lib/calls/validate.ts";
import type { Tool, ToolCall } from "../../lib/types.ts";
import { FakeClock, fakeResults, fakeTool, judgeAll, NEVER, settle } from "../fakes.ts";

function calls(...names: string[]): ToolCall[] {
  return names.map((name, index) => ({ id: `c${index}`, name, arguments: `{"text":"${index}"}` }));
}

/** Tools whose calls stay open until they are let go, by their text. */
class Gates {
  readonly begun: string[] = [];
  readonly #open = new Map<string, () => void>();

  tool(overrides: Partial<Tool>): Tool {
    return fakeTool({
      ...overrides,
      run: async (args) => {
        const text = String(args["text"]);
        this.begun.push(text);
        await new Promise<void>((resolve) => this.#open.set(text, resolve));
        return { ok: true, data: args, summary: text };
      },
    });
  }

  /** Lets a call end. */
  async end(text: string): Promise<void> {
    this.#open.get(text)?.();
    await settle();
  }
}

const NOBODY: Approver = () => Promise.resolve({ granted: false, by: "nobody", reason: "no" });

function ports(tools: readonly Tool[], overrides: Partial<CallPorts> = {}): CallPorts {
  return {
    tools,
    judge: judgeAll("allow"),
    approve: NOBODY,
    clock: new FakeClock(),
    results: fakeResults(),
    random: () => 0,
    breaker: new Breaker(),
    hint: () => null,
    runOf: () => "run1",
    readOnly: null,
    ...overrides,
  };
}

// Loaded beforehand, so that a call gets to its tool without waiting for anything.
await prepareValidation([fakeTool().parameters]);

/** Runs the calls of a turn to their end and tells the order of their results. */
async function orderOf(turn: readonly ToolCall[], with_: CallPorts): Promise<string[]> {
  const order: string[] = [];
  const events = runCalls(turn, "calls", with_, NEVER, (finished) => {
    order.push(...finished.map(({ call }) => call.id));
    return true;
  });
  for await (const _event of events);
  return order;
}

Deno.test("groupCalls() puts neighbours that read together and leaves the rest alone", () => {
  const tools = [
    fakeTool({ name: "read" }),
    fakeTool({ name: "change", effect: "write" }),
    fakeTool({ name: "shell", effect: "execute" }),
  ];
  const turn = calls("read", "read", "change", "read", "shell", "unknown", "read", "read");
  const ids = groupCalls(turn, tools).map((group) => group.map(({ id }) => id));
  assertEquals(ids, [["c0", "c1"], ["c2"], ["c3"], ["c4"], ["c5"], ["c6", "c7"]]);
});

Deno.test("runCalls() runs reading calls at the same time and keeps the order of the results", async () => {
  const gates = new Gates();
  const order = orderOf(calls("read", "read", "read"), ports([gates.tool({ name: "read" })]));
  await settle();
  assertEquals(gates.begun, ["0", "1", "2"]);
  for (const text of ["2", "0", "1"]) await gates.end(text);
  assertEquals(await order, ["c0", "c1", "c2"]);
});

Deno.test("runCalls() runs no more than MAX_PARALLEL at once", async () => {
  const gates = new Gates();
  const turn = calls(...Array.from({ length: MAX_PARALLEL + 1 }, () => "read"));
  const order = orderOf(turn, ports([gates.tool({ name: "read" })]));
  await settle();
  assertEquals(gates.begun.length, MAX_PARALLEL);
  await gates.end("1");
  assertEquals(gates.begun.length, MAX_PARALLEL + 1);
  for (const text of ["0", "2", "3", "4"]) await gates.end(text);
  assertEquals(await order, turn.map(({ id }) => id));
});

Deno.test("runCalls() runs changing calls one after another in the order asked for", async () => {
  const gates = new Gates();
  const tool = gates.tool({ name: "change", effect: "execute" });
  const order = orderOf(calls("change", "change"), ports([tool]));
  await settle();
  assertEquals(gates.begun, ["0"]);
  await gates.end("0");
  assertEquals(gates.begun, ["0", "1"]);
  await gates.end("1");
  assertEquals(await order, ["c0", "c1"]);
});

Deno.test("runCalls() asks a person one thing at a time", async () => {
  let asking = 0;
  let most = 0;
  const approve: Approver = async () => {
    most = Math.max(most, ++asking);
    await settle();
    asking--;
    return { granted: true, by: "person", scope: "once" };
  };
  const judge = judgeAll("ask");
  const turn = calls("echo", "echo", "echo");
  const order = await orderOf(turn, ports([fakeTool()], { judge, approve }));
  assertEquals([order, most], [["c0", "c1", "c2"], 1]);
});

Deno.test("runCalls() ends where it is told so after a group", async () => {
  const seen: string[] = [];
  const tools = [fakeTool({ name: "change", effect: "write" })];
  const events = runCalls(calls("change", "change"), "calls", ports(tools), NEVER, (finished) => {
    seen.push(...finished.map(({ call }) => call.id));
    return false;
  });
  for await (const _event of events);
  assertEquals(seen, ["c0"]);
});
