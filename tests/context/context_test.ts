import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { type Context, createContext } from "../../lib/context/context.ts";
import type { Event } from "../../lib/events.ts";
import { run } from "../../lib/loop.ts";
import { apply, type CompactionBody, newRecord, type RunRecord } from "../../lib/record.ts";
import { DEFAULT_LIMITS } from "../../lib/stop.ts";
import { type Message, type Model, ModelError, type ModelRequest } from "../../lib/types.ts";
import { EventLog } from "../_events.ts";
import { eventFaults } from "../_schemas.ts";
import { FakeClock, fakeRunPorts, fakeTool, NEVER, play, ScriptedModel } from "../fakes.ts";
import { probeTool, randomFrom } from "./_hosts.ts";
import { isSummary, type Reply, WindowedModel } from "./_windowed_model.ts";

const PLACE = { os: "linux", cwd: "/work", date: "2026-11-29" };

function contextOf(window: number, clock = new FakeClock()): Context {
  return createContext({ place: PLACE, window, clock });
}

/** Looks at a host a step, and answers at the end. */
function looksAt(hosts: number, thought = ""): Reply {
  return (_request, number) =>
    number > hosts
      ? { text: "That is all." }
      : { text: thought, calls: [{ name: "probe", arguments: { host: number } }] };
}

interface Options {
  readonly window: number;
  /** The window that rein is told of, where it is another. */
  readonly toldWindow?: number;
  readonly reply: Reply;
  readonly chars?: (host: number) => number;
  readonly summarise?: (shown: string) => string;
  readonly tells?: boolean;
  readonly task?: string;
  readonly record?: RunRecord;
}

/** Plays a run, and keeps every request that the model was sent. */
async function playRun(options: Options) {
  const { window, toldWindow = window, chars = () => 1500, task = "Look at the hosts" } = options;
  const model = new WindowedModel(options);
  const requests: ModelRequest[] = [];
  const watched: Model = {
    name: model.name,
    source: model.source,
    recorded: false,
    ask: (request) => {
      requests.push(request);
      return model.ask(request);
    },
  };
  const record = options.record ?? newRecord();
  const ports = fakeRunPorts(watched, {
    tools: [probeTool(chars)],
    limits: { ...DEFAULT_LIMITS, maxSteps: 200 },
    context: contextOf(toldWindow),
  });
  const { events, result } = await play(run({ task, record }, ports, NEVER));
  for (const event of events) assertEquals(eventFaults(event), []);
  return { model, requests, record, events, result };
}

function compactionsOf(events: readonly Event[]) {
  return events.filter((event) => event.type === "context_compacted");
}

/** Folds events as they would be read from a file. */
function folded(events: readonly Event[]): RunRecord {
  const record = newRecord();
  for (const event of events) apply(record, JSON.parse(JSON.stringify(event)));
  return record;
}

/** Whether a request begins with all messages of another, its last one aside. */
function goesOn(before: ModelRequest, after: ModelRequest): boolean {
  const kept = before.messages.slice(0, -1);
  return JSON.stringify(after.messages.slice(0, kept.length)) === JSON.stringify(kept);
}

Deno.test("a request begins with the same bytes as the one before, unless a compaction came between", async () => {
  const { requests, events } = await playRun({ window: 6000, reply: looksAt(60) });
  const compactions = compactionsOf(events);
  assert(compactions.length >= 5);
  const steps = requests.filter((request) => !isSummary(request));
  const broken = steps.slice(1).filter((request, index) => !goesOn(steps[index]!, request));
  assertEquals(broken.length, compactions.length);
});

/** Results that stand behind no call, and calls without a result. */
function partedIn({ messages }: ModelRequest): string[] {
  const open = new Set<string>();
  const parted: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.callId)) parted.push(message.callId);
      continue;
    }
    parted.push(...open);
    open.clear();
    if (message.role === "assistant") { for (const { id } of message.calls) open.add(id); }
  }
  return [...parted, ...open];
}

Deno.test("no request parts a call from its result, or lacks the safety rules, the task, the newest result", async () => {
  const { requests } = await playRun({ window: 5000, reply: looksAt(50), task: "Look at all" });
  const steps = requests.filter((request) => !isSummary(request));
  for (const [index, request] of steps.entries()) {
    assertEquals(partedIn(request), []);
    assert(request.messages[0]?.content.includes("Safety, before everything else:"));
    assertEquals(request.messages[1], { role: "user", content: "Look at all" });
    const newest = request.messages.at(-2);
    if (index > 0) assertEquals(newest?.role === "tool" && newest.callId, `call_${index}_1`);
  }
});

Deno.test("a run in a small window, of many turns, with thoughts or without, stays within it", async () => {
  for (const window of [2000, 3000, 12_000]) {
    for (const thought of ["", "I think about it at length. ".repeat(20)]) {
      const { model, result } = await playRun({ window, reply: looksAt(30, thought) });
      assertEquals([result.stop_reason, model.refusals], ["answered", 0]);
      assert(Math.max(...model.asked, ...model.summaries) <= 0.92 * window);
    }
  }
});

Deno.test("thoughts are shortened before any round leaves, and that may be enough", async () => {
  const reply = looksAt(12, "I think about it at length, and say so. ".repeat(60));
  const { events, model } = await playRun({ window: 8000, reply, chars: () => 100 });
  const [first] = compactionsOf(events);
  assertEquals([first?.summarised_through, first?.by, first?.digest], [0, null, null]);
  assertEquals(first?.condensed_through, (first?.step ?? 0) - 2);
  assertEquals(model.summaries, []);
});

Deno.test("a session's compaction never takes the present task, and may take earlier ones", async () => {
  const record = newRecord();
  const first = await playRun({ window: 4000, reply: looksAt(3), task: "Look at web-one", record });
  const second = await playRun({
    window: 4000,
    reply: looksAt(20),
    task: "Now at the rest",
    record,
  });
  const events = [...first.events, ...second.events];
  assertEquals(folded(events), record);
  const last = second.requests.at(-1)?.messages ?? [];
  const said = last.filter(({ role }) => role === "user").map(({ content }) => content);
  assertEquals([said.includes("Now at the rest"), said.includes("Look at web-one")], [true, false]);
});

Deno.test("a compaction is in its event: the same events come to the same record", async () => {
  const thoughts = fc.constantFrom("", "Hm.", "I think about it at length. ".repeat(30));
  const windows = fc.constantFrom(2500, 4000, 9000);
  const sums = fc.constantFrom(undefined, () => "No.", () => '{"facts": [], "open": ["web-2"]}');
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      thoughts,
      windows,
      sums,
      async (seed, thought, window, summarise) => {
        const random = randomFrom(seed);
        const chars = () => Math.floor(random() * 4000);
        const reply = looksAt(5 + Math.floor(random() * 30), thought);
        const played = await playRun({ window, reply, chars, ...(summarise && { summarise }) });
        assertEquals(folded(played.events), played.record);
        for (const event of compactionsOf(played.events)) {
          assert(event.tokens_before - event.tokens_after >= 0.04 * window);
        }
      },
    ),
    { numRuns: 12 },
  );
});

Deno.test("where the task alone does not fit, the run ends at once, and nothing is sent", async () => {
  const task = "Look at these hosts: " + "web-1 ".repeat(4000);
  const { result, requests } = await playRun({ window: 4000, reply: looksAt(3), task });
  assertEquals([result.stop_reason, result.status, requests.length], [
    "context_exhausted",
    "unfinished",
    0,
  ]);
});

// L4 of the cases.
Deno.test("a server that refuses whatever it is sent ends the run after one useless try", async () => {
  const looks = [1, 2, 3].map((number) => ({
    calls: [{ name: "echo", arguments: { text: `${number} ${"word ".repeat(300)}` } }],
  }));
  const refusal = new ModelError("context_length", "Too long", { hint: "Less", status: 400 });
  const model = new ScriptedModel(...looks, refusal);
  const ports = fakeRunPorts(model, { context: contextOf(8000) });
  const { result, events } = await play(run({ task: "t" }, ports, NEVER));
  assertEquals(result.stop_reason, "context_exhausted");
  assert(result.ending?.why.includes("does not fit the model's window"));
  // Each try was for less, until hardly more than the task was left.
  const compactions = compactionsOf(events);
  assertEquals(compactions.map(({ cause }) => cause), ["refused", "refused", "refused"]);
  assert(compactions.every((one) => one.tokens_after <= 0.81 * one.tokens_before));
  const tries = model.requests.slice(looks.length).filter(({ tools }) => tools.length > 0);
  assertEquals(tries.length, 1 + compactions.length);
});

Deno.test("a server that refuses a long conversation for ever is asked a few times, each time for less", async () => {
  const sizes: number[] = [];
  const context = contextOf(16_000);
  const log = new EventLog().task("t");
  for (let step = 1; step <= 12; step++) {
    log.step().turn("", [`c${step}`]).call(`c${step}`, big(step));
  }
  for (let refused = null as { window: null } | null; sizes.length < 50;) {
    const wanted = { record: log.record, last: "[Step 13/15]", tools: [] };
    const model = new ScriptedModel(new ModelError("server_error", "No", { hint: "" }));
    const room = context.makeRoom(wanted, { model, signal: NEVER, refused });
    let next = await room.next();
    for (; !next.done; next = await room.next()) log.add(next.value);
    if (!next.value) break;
    sizes.push(context.tokensOf(context.request(wanted)));
    refused = { window: null };
  }
  assert(sizes.length >= 2 && sizes.length <= 6, `${sizes}`);
  assertEquals(sizes, sizes.toSorted((a, b) => b - a));
});

function big(step: number) {
  return {
    status: "success",
    data: { stdout: `line ${step} of a long log\n`.repeat(120) },
    error: null,
    truncated: [],
    summary: "120 lines",
  } as const;
}

Deno.test("a window that only the server knows is learned from its refusal, told or not", async () => {
  for (const tells of [true, false]) {
    const options = { window: 6000, toldWindow: 128_000, reply: looksAt(40), tells };
    const { model, result, record } = await playRun(options);
    assertEquals([result.stop_reason, model.refusals], ["answered", 1]);
    assert((record.compaction.window ?? 0) <= 6200);
  }
});

Deno.test("a recorded model is not asked for a summary: it has only turns of its run", async () => {
  const turns = Array.from({ length: 8 }, (_, index) => ({
    calls: [{ name: "echo", arguments: { text: `${index} ${"word ".repeat(400)}` } }],
  }));
  const scripted = new ScriptedModel(...turns, { text: "Done." });
  const model: Model = {
    name: "r",
    source: "s",
    recorded: true,
    ask: (request, signal) => scripted.ask(request, signal),
  };
  const ports = fakeRunPorts(model, { context: contextOf(4000) });
  const { events, result } = await play(run({ task: "t" }, ports, NEVER));
  assertEquals([result.stop_reason, scripted.requests.length], ["answered", 9]);
  assertEquals([...new Set(compactionsOf(events).map(({ by }) => by))], ["rein"]);
});

/** A record with rounds that fill 4,000 tokens. */
function fullRecord(): EventLog {
  const log = new EventLog().task("t");
  for (let step = 1; step <= 8; step++) {
    log.step().turn("", [`c${step}`]).call(`c${step}`, big(step));
  }
  return log;
}

/** Makes room once, following its events. */
async function makeRoom(context: Context, log: EventLog, model: Model, signal = NEVER) {
  const wanted = { record: log.record, last: "[Step 9/15]", tools: [] };
  const room = context.makeRoom(wanted, { model, signal, refused: null });
  const bodies: CompactionBody[] = [];
  let next = await room.next();
  for (; !next.done; next = await room.next()) {
    if (next.value.type === "context_compacted") bodies.push(next.value);
    log.add(next.value);
  }
  return { made: next.value, bodies };
}

Deno.test("makeRoom() sums up by itself where the model fails, calls a tool, or writes nonsense", async () => {
  const turns = [
    new ModelError("server_error", "No", { hint: "" }),
    { calls: [{ name: "echo" }] },
    { text: "I can't." },
    { text: "{}", finishReason: "refused" },
  ] as const;
  for (const turn of turns) {
    const { made, bodies } = await makeRoom(contextOf(4000), fullRecord(), new ScriptedModel(turn));
    const [body] = bodies;
    assertEquals([made, body?.by, body?.digest?.facts[0]], [true, "rein", {
      text: "echo hi → 120 lines: line 1 of a long log",
      call: "c1",
      step: 1,
    }]);
    assertEquals(body?.usage === null, turn instanceof ModelError);
  }
});

Deno.test("makeRoom() waits a minute for a summary, and then sums up by itself", async () => {
  const clock = new FakeClock();
  const model = new ScriptedModel((signal) => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    }),
  }));
  const made = makeRoom(contextOf(4000, clock), fullRecord(), model);
  await clock.advance(59_000);
  assertEquals(clock.sleeping, 1);
  await clock.advance(1000);
  const { bodies: [body] } = await made;
  assertEquals([body?.by, clock.sleeping], ["rein", 0]);
});

Deno.test("makeRoom() ends when the run is interrupted during a summary", async () => {
  const controller = new AbortController();
  const model = new ScriptedModel(() => {
    controller.abort(new Error("SIGINT"));
    throw new ModelError("unreachable", "The connection was closed", { hint: "" });
  });
  await assertRejects(
    () => makeRoom(contextOf(4000), fullRecord(), model, controller.signal),
    Error,
    "SIGINT",
  );
});

Deno.test("makeRoom() gives a model that writes more than what leaves no room for it", async () => {
  const facts = Array.from({ length: 30 }, (_, index) => ({
    text: `Fact ${index}: ${"many words that say little ".repeat(10)}`,
    call: 1,
  }));
  const points = Array.from({ length: 8 }, () => "more words that say little ".repeat(8));
  const text = JSON.stringify({ facts, decisions: points, open: points });
  const log = new EventLog().task("word ".repeat(2100)).step().turn("", ["c1"]).call("c1", big(1))
    .step().turn("", ["c2"]).call("c2", big(2));
  const { made, bodies: [body] } = await makeRoom(
    contextOf(4000),
    log,
    new ScriptedModel({ text }),
  );
  assertEquals([made, body?.by], [true, "model"]);
  assert(body !== undefined && body.tokens_before - body.tokens_after >= 100);
});

Deno.test("makeRoom() shortens nothing less that was shortened before", async () => {
  const log = fullRecord();
  Object.assign(log.record.compaction, { condensedThrough: 99 });
  const { bodies: [body] } = await makeRoom(contextOf(4000), log, new ScriptedModel({ text: "?" }));
  assertEquals(body?.condensed_through, 99);
});

Deno.test("makeRoom() leaves alone what fits, and what a compaction would hardly shrink", async () => {
  const model = new ScriptedModel({ text: "never asked" });
  const small = new EventLog().task("t").step().turn("", ["c1"]).call("c1");
  assertEquals(await makeRoom(contextOf(4000), small, model), { made: true, bodies: [] });
  const task = new EventLog().task("word ".repeat(3250)).step().turn("", ["c1"]).call("c1").step()
    .turn("", ["c2"]).call("c2");
  assertEquals(await makeRoom(contextOf(4000), task, model), { made: true, bodies: [] });
  assertEquals(model.requests, []);
});

function messagesIn(request: ModelRequest | null): readonly Message[] {
  return request?.messages ?? [];
}

Deno.test("closing() says why, offers no tools, and is the whole conversation where that fits", () => {
  const { record } = new EventLog().task("t").step().turn("", ["c1"]).call("c1");
  const request = contextOf(8000).closing(record, "it costs $& and $1");
  assertEquals([request?.tools, messagesIn(request).length], [[], 5]);
  assert(messagesIn(request).at(-1)?.content.startsWith("The run ends here: it costs $& and $1."));
});

Deno.test("closing() leaves out the oldest rounds where they do not fit, and shortens the newest", () => {
  const { record } = fullRecord();
  const context = contextOf(1500);
  const request = context.closing(record, "so");
  const messages = messagesIn(request);
  assert(context.tokensOf({ messages, tools: [] }) <= 1350);
  assertEquals(partedIn({ messages, tools: [] }), []);
  assertEquals(messages[1], { role: "user", content: "t" });
  const newest = messages.at(-2);
  assertEquals(newest?.role === "tool" && newest.callId, "c8");
});

Deno.test("closing() is nothing where there is nothing to sum up, or not even the task fits", () => {
  const begun = new EventLog().task("t").step();
  assertEquals(contextOf(8000).closing(begun.record, "so"), null);
  const long = new EventLog().task("word ".repeat(9000)).step().turn("", ["c1"]).call("c1");
  assertEquals(contextOf(8000).closing(long.record, "so"), null);
});

Deno.test("recall is named as the way to facts that left, only while it is offered", () => {
  const log = new EventLog().task("t").step().turn("", ["c1"]).call("c1");
  Object.assign(log.record.compaction, { factsLeft: 3, summarisedThrough: 1 });
  const context = contextOf(8000);
  const said = (name: string) => {
    const { description, parameters } = fakeTool();
    const tools = [{ name, description, parameters }];
    return context.request({ record: log.record, last: "", tools }).messages[2]?.content;
  };
  assertEquals([said("echo"), said("recall")], [
    "(3 older facts are not shown here.)",
    "(3 older facts are not shown here; recall finds what was seen earlier.)",
  ]);
});
