import { assert, assertEquals } from "@std/assert";
import { budgetOf } from "../../lib/context/budget.ts";
import { sumUp } from "../../lib/context/sum_up.ts";
import { ModelError } from "../../lib/types.ts";
import { EventLog } from "../_events.ts";
import { FakeClock, NEVER, ScriptedModel, type ScriptedTurn } from "../fakes.ts";

const NOTHING = { facts: [], digests: [] };

/** A log of so many rounds, each with a result of about 400 tokens. */
function rounds(count: number): EventLog {
  const log = new EventLog();
  for (let step = 1; step <= count; step++) {
    const data = { stdout: `port ${7000 + step} of host ${step} is open, `.repeat(40) };
    log.step().turn("I look.", [`c${step}`])
      .call(`c${step}`, { status: "success", data, error: null, truncated: [], summary: "read" });
  }
  return log;
}

function summaryOf(open: string, call = 1): ScriptedTurn {
  return { text: JSON.stringify({ facts: [{ text: `fact of ${open}`, call }], open: [open] }) };
}

async function summed(log: EventLog, window: number, ...turns: readonly ScriptedTurn[]) {
  const model = new ScriptedModel(...turns);
  const ended: boolean[] = [];
  const summary = {
    model,
    clock: new FakeClock(),
    signal: NEVER,
    usageOf: () => ({ input_tokens: 10, output_tokens: 5, estimated: false }),
    ended: (ok: boolean) => void ended.push(ok),
  };
  const leaving = {
    task: "Find the open ports",
    entries: log.record.entries,
    known: NOTHING,
    budget: budgetOf(window, 500),
  };
  const sum = await sumUp(leaving, { factor: 1, summary });
  return {
    sum,
    ended,
    asked: model.requests.map(({ messages }) => messages.at(-1)?.content ?? ""),
  };
}

Deno.test("sumUp() shows the model the task, and each call under a number with its result", async () => {
  const log = new EventLog().task("Only web hosts").step().turn("I look.", ["c1", "c2"]).call("c1")
    .call("c2");
  const big = rounds(2);
  log.record.entries.push(...big.record.entries);
  const { sum, asked: [content = ""] } = await summed(log, 128_000, summaryOf("a", 4));
  const head = `The task:
Find the open ports

Steps that leave:
The person: Only web hosts

The agent: I look.
Call 1: echo hi → one
{"status":"success","data":{"n":1}}
Call 2: echo hi → one
{"status":"success","data":{"n":1}}

The agent: I look.
Call 3: echo hi → read
{"status":"success","data":{"stdout":"port 7001 of host 1 is open, `;
  assertEquals(content.slice(0, head.length), head);
  assertEquals(sum, {
    digest: { facts: [{ text: "fact of a", call: "c2", step: 2 }], decisions: [], open: ["a"] },
    by: "model",
    usage: { input_tokens: 10, output_tokens: 5, estimated: false },
  });
});

Deno.test("sumUp() asks in pieces that fit the window, each with what the one before told", async () => {
  const turns = ["a", "b", "c", "d"].map((open) => summaryOf(open));
  const { sum, asked } = await summed(rounds(8), 3200, ...turns);
  assertEquals(asked.length, 3);
  assert(asked[1]?.includes("- fact of a\nStill open:\n- a\n"));
  assertEquals(sum.digest.facts.map(({ text }) => text), ["fact of a", "fact of b", "fact of c"]);
  assertEquals([sum.digest.open, sum.usage?.input_tokens], [["c"], 30]);
});

Deno.test("sumUp() asks for the newest pieces only, and sums up the others itself", async () => {
  const { sum, asked } = await summed(rounds(30), 3200, summaryOf("x"));
  assertEquals(asked.length, 4);
  const own = sum.digest.facts.filter(({ text }) => text.startsWith("echo hi"));
  assert(own.length > 10 && own[0]?.call === "c1");
  assertEquals(sum.by, "model");
});

Deno.test("sumUp() does not ask a model again that has failed", async () => {
  const error = new ModelError("server_error", "No", { hint: "" });
  const { sum, asked, ended } = await summed(rounds(8), 3200, summaryOf("a"), error);
  assertEquals([asked.length, ended, sum.by], [2, [true, false], "model"]);
  assertEquals(sum.digest.open, ["a"]);
  assertEquals(sum.digest.facts.at(-1)?.call, "c8");
});

Deno.test("sumUp() does not ask for what is shorter than the question", async () => {
  const log = new EventLog().step().turn("I look.", ["c1"]).call("c1");
  const { sum, asked } = await summed(log, 3200, summaryOf("a"));
  assertEquals([asked, sum.by, sum.usage], [[], "rein", null]);
});
