import { assertEquals } from "@std/assert";
import { run, type RunPorts } from "../lib/loop.ts";
import { newRecord, type RunRecord } from "../lib/record.ts";
import { apply } from "../lib/record.ts";
import type { Event } from "../lib/events.ts";
import type { CallIdentity, Tool } from "../lib/types.ts";
import { runFaults } from "./_schemas.ts";
import { fakeRunPorts, fakeTool, judgeAll, NEVER, play, ScriptedModel } from "./fakes.ts";

const CALL = { calls: [{ name: "send", arguments: { text: "hi" }, id: "c1" }] };
const DONE = { text: "Done." };

/** A tool that can be taken up, and says of which calls it was run. */
function sender(seen: CallIdentity[], overrides: Partial<Tool> = {}): Tool {
  return fakeTool({
    name: "send",
    effect: "delegate",
    resumable: true,
    run: (args, { call }) => {
      seen.push(call);
      return Promise.resolve({ ok: true, data: args, summary: "sent" });
    },
    ...overrides,
  });
}

/** The record of a run whose process was killed while its call ran. */
async function killedIn(type: Event["type"]): Promise<RunRecord> {
  const record = newRecord();
  const ports = fakeRunPorts(new ScriptedModel(CALL), {
    tools: [sender([])],
    newId: () => "first",
  });
  const events = run({ task: "Send it", record: newRecord() }, ports, NEVER);
  for (let next = await events.next(); !next.done; next = await events.next()) {
    apply(record, next.value);
    if (next.value.type === type) break;
  }
  await events.return(undefined as never);
  return record;
}

async function resumed(
  record: RunRecord,
  overrides: Partial<RunPorts>,
  task: string | null = null,
) {
  const model = new ScriptedModel(DONE);
  const ports = fakeRunPorts(model, { newId: () => "second", ...overrides });
  const played = await play(run({ task, record }, ports, NEVER));
  assertEquals(runFaults(played), []);
  const results = played.events.flatMap((event) =>
    event.type === "call_finished"
      ? [`${event.observation.status} ${event.observation.error?.code ?? ""}`.trim()]
      : []
  );
  return { ...played, results, model };
}

Deno.test("run() takes a begun call up where its tool knows how, as the same call", async () => {
  const seen: CallIdentity[] = [];
  const { results, events, result } = await resumed(await killedIn("call_started"), {
    tools: [sender(seen)],
  });
  assertEquals(seen, [{ run: "first", id: "c1", again: true }]);
  assertEquals([results, result.status, result.calls.map(({ status }) => status)], [
    ["success"],
    "success",
    ["success"],
  ]);
  assertEquals(events.map(({ type }) => type).slice(0, 4), [
    "run_started",
    "call_judged",
    "call_started",
    "call_finished",
  ]);
});

Deno.test("run() takes a call up again that was taken up before, still as the same", async () => {
  const record = await killedIn("call_started");
  const ports = fakeRunPorts(new ScriptedModel(DONE), {
    newId: () => "second",
    tools: [sender([])],
  });
  const events = run({ task: null, record }, ports, NEVER);
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if (next.value.type === "call_started") break;
  }
  await events.return(undefined as never);
  const seen: CallIdentity[] = [];
  await resumed(record, { tools: [sender(seen)], newId: () => "third" });
  assertEquals(seen, [{ run: "first", id: "c1", again: true }]);
});

Deno.test("run() gives a new call the run that it is in", async () => {
  const seen: CallIdentity[] = [];
  const ports = fakeRunPorts(new ScriptedModel(CALL, DONE), { tools: [sender(seen)] });
  await play(run({ task: "Send it" }, ports, NEVER));
  assertEquals(seen, [{ run: "run1", id: "c1", again: false }]);
});

Deno.test("run() does not ask again for what was approved when it began", async () => {
  const seen: CallIdentity[] = [];
  const { results } = await resumed(await killedIn("call_started"), {
    tools: [sender(seen)],
    judge: judgeAll("ask"),
  });
  assertEquals([results, seen.length], [["success"], 1]);
});

Deno.test("run() does not take up what the policy denies now, and says what is not known", async () => {
  const seen: CallIdentity[] = [];
  const { events, results } = await resumed(await killedIn("call_started"), {
    tools: [sender(seen)],
    judge: judgeAll("deny"),
  });
  const finished = events.find((event) => event.type === "call_finished");
  assertEquals([results, seen.length], [["denied denied_by_policy"], 0]);
  assertEquals(
    finished?.type === "call_finished" ? finished.observation.note : null,
    "rein was ended while this call ran; whether it took effect is not known.",
  );
});

Deno.test("run() leaves a begun call of any other tool, of another task or in a dry run", async () => {
  const seen: CallIdentity[] = [];
  const tool = sender(seen);
  const { resumable: _, ...plain } = tool;
  const interrupted = ["cancelled interrupted"];
  const other = await resumed(await killedIn("call_started"), { tools: [plain] });
  const asked = await resumed(await killedIn("call_started"), { tools: [tool] }, "Another task");
  const dry = await resumed(await killedIn("call_started"), {
    tools: [tool],
    readOnly: judgeAll("ask"),
  });
  assertEquals([other.results, asked.results, dry.results], [
    interrupted,
    interrupted,
    interrupted,
  ]);
  assertEquals(seen, []);
});

Deno.test("run() does not run on resume what was proposed and never begun", async () => {
  const seen: CallIdentity[] = [];
  const { results } = await resumed(await killedIn("call_proposed"), { tools: [sender(seen)] });
  assertEquals([results, seen], [["cancelled not_run"], []]);
});

Deno.test("run() tells of arguments that the tool finds wrong, before anyone is asked", async () => {
  const error = { code: "wrong", message: "Wrong", hint: "Mend it", retriable: false };
  const tool = sender([], { check: () => Promise.resolve(error) });
  const ports = fakeRunPorts(new ScriptedModel(CALL, DONE), {
    tools: [tool],
    judge: judgeAll("ask"),
  });
  const { events } = await play(run({ task: "Send it" }, ports, NEVER));
  const types = events.map(({ type }) => type).filter((type) => type.startsWith("call_"));
  const finished = events.find((event) => event.type === "call_finished");
  assertEquals([types, finished?.type === "call_finished" ? finished.observation.error : null], [
    ["call_proposed", "call_finished"],
    error,
  ]);
});
