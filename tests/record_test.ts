import { assertEquals } from "@std/assert";
import { addCall, addTurn, addUsage, beginStep, newRecord } from "../lib/record.ts";
import { failed } from "../lib/results/observe.ts";
import type { Observation } from "../lib/types.ts";
import { fakeResults } from "./fakes.ts";

const DENIED = failed("denied", { code: "denied", message: "No", hint: "", retriable: false });
const DONE = fakeResults().observe({ ok: true, data: { n: 1 }, summary: "one" }, {});

function finished(observation: Observation) {
  const call = { id: "c1", name: "echo", arguments: "{}" };
  return { call, arguments: {}, decision: "allow", brief: "", observation, ms: 7 } as const;
}

const CALLS = [{ id: "c1", name: "echo", arguments: "{}" }];

Deno.test("newRecord() begins the conversation with the task", () => {
  const record = newRecord("What is up?");
  assertEquals([record.messages, record.steps], [[{ role: "user", content: "What is up?" }], 0]);
});

Deno.test("beginStep() counts and forgets the turn before", () => {
  const record = newRecord("t");
  addTurn(record, { role: "assistant", content: "hi", calls: [] }, "stop");
  beginStep(record);
  assertEquals([record.steps, record.text, record.turn], [1, "", null]);
});

Deno.test("addUsage() adds up", () => {
  const record = newRecord("t");
  addUsage(record, { inputTokens: 3, outputTokens: 1 });
  addUsage(record, { inputTokens: 4, outputTokens: 2 });
  assertEquals([record.inputTokens, record.outputTokens], [7, 3]);
});

Deno.test("addCall() keeps the result for the model and a report for the end", () => {
  const record = newRecord("t");
  beginStep(record);
  addCall(record, finished(DONE));
  assertEquals(record.messages.at(-1), {
    role: "tool",
    callId: "c1",
    content: '{"status":"success","data":{"n":1}}',
  });
  assertEquals(record.calls, [{
    id: "c1",
    step: 1,
    tool: "echo",
    arguments: {},
    decision: "allow",
    status: "success",
    ms: 7,
    truncated: false,
  }]);
});

Deno.test("addCall() counts denials in a row, over turns, until a call goes through", () => {
  const record = newRecord("t");
  const counts: number[] = [];
  for (const observation of [DENIED, DENIED, DONE, DENIED]) {
    addTurn(record, { role: "assistant", content: "", calls: CALLS }, "calls");
    addCall(record, finished(observation));
    counts.push(record.denialsInARow);
  }
  assertEquals(counts, [1, 2, 0, 1]);
});

Deno.test("addTurn() remembers a denial until calls are proposed again", () => {
  const record = newRecord("t");
  const lately: boolean[] = [];
  addTurn(record, { role: "assistant", content: "", calls: CALLS }, "calls");
  addCall(record, finished(DENIED));
  addCall(record, finished(DONE));
  lately.push(record.deniedLately);
  addTurn(record, { role: "assistant", content: "so", calls: [] }, "stop");
  lately.push(record.deniedLately);
  addTurn(record, { role: "assistant", content: "", calls: CALLS }, "calls");
  lately.push(record.deniedLately);
  assertEquals(lately, [true, true, false]);
});
