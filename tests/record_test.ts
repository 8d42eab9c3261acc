import { assertEquals } from "@std/assert";
import { apply, GO_ON, messagesOf, newRecord, openCalls } from "../lib/record.ts";
import { DENIED, DONE, EventLog } from "./_events.ts";

Deno.test("apply() begins the conversation with the task", () => {
  const { record } = new EventLog().task("What is up?");
  assertEquals([record.entries, record.taskEntry, record.steps], [
    [{ kind: "said", number: 1, content: "What is up?" }],
    1,
    0,
  ]);
});

Deno.test("apply() counts a step and forgets the turn before", () => {
  const { record } = new EventLog().task("t").step().turn("hi").step();
  assertEquals([record.steps, record.text, record.turn], [2, "", null]);
});

Deno.test("apply() adds up what the turns took", () => {
  const { record } = new EventLog().task("t").step().turn("a").turn("b");
  assertEquals([record.inputTokens, record.outputTokens, record.answers], [20, 10, 2]);
});

Deno.test("apply() keeps the result of a call for the model and a report for the end", () => {
  const { record } = new EventLog().task("t").step().turn("", ["c1"]).call("c1");
  const [, round] = record.entries;
  assertEquals(round ? messagesOf(round) : [], [
    {
      role: "assistant",
      content: "",
      calls: [{ id: "c1", name: "echo", arguments: "{}" }],
    },
    { role: "tool", callId: "c1", content: '{"status":"success","data":{"n":1}}' },
  ]);
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
  assertEquals(record.done, [{ step: 1, what: "echo hi", status: "success", summary: "one" }]);
});

Deno.test("apply() keeps results in the order of the calls, whichever ended first", () => {
  const { record } = new EventLog().task("t").step().turn("", ["c1", "c2", "c3"])
    .call("c3").call("c1").call("c2");
  const messages = record.entries.flatMap(messagesOf);
  assertEquals(messages.flatMap((one) => one.role === "tool" ? [one.callId] : []), [
    "c1",
    "c2",
    "c3",
  ]);
  assertEquals(record.calls.map(({ id }) => id), ["c1", "c2", "c3"]);
});

Deno.test("apply() counts denials in a row, over turns, until a call goes through", () => {
  const log = new EventLog().task("t");
  const counts = [DENIED, DENIED, DONE, DENIED].map((observation, index) =>
    log.step().turn("", [`c${index}`]).call(`c${index}`, observation).record.denialsInARow
  );
  assertEquals(counts, [1, 2, 0, 1]);
});

Deno.test("apply() remembers a denial until calls are proposed again", () => {
  const log = new EventLog().task("t").step().turn("", ["c1", "c2"]).call("c1", DENIED).call("c2");
  const lately = [log.record.deniedLately];
  lately.push(log.step().turn("so").record.deniedLately);
  lately.push(log.step().turn("", ["c3"]).record.deniedLately);
  assertEquals(lately, [true, true, false]);
});

Deno.test("apply() begins anew with another task, and keeps the conversation", () => {
  const { record } = new EventLog().task("one").step().turn("", ["c1"]).call("c1").step()
    .turn("done").stopped("answered").task("two");
  assertEquals([record.steps, record.calls, record.inputTokens, record.stop], [0, [], 0, null]);
  assertEquals([record.task, record.taskEntry, record.entries.length], ["two", 4, 4]);
});

Deno.test("apply() goes on with a run whose process ended as if nothing had happened", () => {
  const log = new EventLog().task("one").step().turn("", ["c1"]).call("c1");
  log.task("one", "crashed");
  const { record } = log;
  assertEquals([record.steps, record.calls.length, record.entries.length], [1, 1, 2]);
  // Three seconds were used, and none of the time between.
  assertEquals(record.lastMs - record.startedMs, 3000);
});

Deno.test("apply() gives a run that had stopped new bounds, and asks to go on", () => {
  const { record } = new EventLog().task("one").step().turn("", ["c1"]).call("c1")
    .stopped("step_limit").task("one", "stopped");
  assertEquals([record.steps, record.task, record.taskEntry], [0, "one", 1]);
  assertEquals(record.entries.at(-1), { kind: "said", number: 3, content: GO_ON });
});

Deno.test("apply() keeps a turn that sums up for the conversation, and not as a turn", () => {
  const { record } = new EventLog().task("t").step().turn("", ["c1"]).call("c1")
    .turn("So far.", [], true);
  assertEquals([record.closed, record.text, record.turn?.calls], [true, "So far.", 1]);
  assertEquals(record.entries.length, 3);
});

Deno.test("openCalls() names the calls of the newest turn that have no result", () => {
  const { record } = new EventLog().task("t").step().turn("", ["c1", "c2"]).began("c1").began("c2")
    .call("c1");
  assertEquals([openCalls(record).map(({ id }) => id), [...record.begun.keys()]], [["c2"], ["c2"]]);
});

Deno.test("apply() brings the same events to the same record", () => {
  const log = new EventLog().task("t").step().turn("I look", ["c1", "c2"]).began("c1").call("c1")
    .call("c2", DENIED).step().turn("So.").stopped("blocked").task("u").step();
  const again = newRecord();
  for (const event of log.events) apply(again, event);
  assertEquals(again, log.record);
});
