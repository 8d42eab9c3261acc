import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import type { Event } from "../../lib/events.ts";
import { run } from "../../lib/loop.ts";
import { apply, newRecord, type RunRecord } from "../../lib/record.ts";
import { DEFAULT_LIMITS } from "../../lib/stop.ts";
import { type Model, ModelError, type ModelRequest } from "../../lib/types.ts";
import { EventLog } from "../_events.ts";
import { eventFaults } from "../_schemas.ts";
import { FakeClock, fakeRunPorts, NEVER, play, ScriptedModel } from "../fakes.ts";
import { big, contextOf, partedIn } from "./_context.ts";
import { probeTool, randomFrom } from "./_hosts.ts";
import { isSummary, type Reply, WindowedModel } from "./_windowed_model.ts";

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
  readonly tokensEach?: number;
  readonly counts?: boolean;
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

Deno.test("a tokenizer of other habits is learned from its counts, or else from one refusal", async () => {
  for (const tokensEach of [0.6, 1.6, 2.2]) {
    for (const counts of [true, false]) {
      const options = { window: 8000, reply: looksAt(40), tokensEach, counts };
      const { model, result } = await playRun(options);
      const bound = counts || tokensEach < 1 ? 0 : 1;
      assertEquals([result.stop_reason, model.refusals], ["answered", bound]);
    }
  }
});

Deno.test("calls of one turn whose results alone would fill the window are shown by their ends", async () => {
  const reply: Reply = (_request, number) =>
    number > 6 ? { text: "That is all." } : {
      calls: Array.from({ length: 8 }, (_, index) => ({
        name: "probe",
        arguments: { host: 10 * number + index },
      })),
    };
  const { model, result, requests } = await playRun({ window: 4000, reply, chars: () => 6000 });
  assertEquals([result.stop_reason, model.refusals], ["answered", 0]);
  const newest = requests[1]?.messages.slice(-9, -1) ?? [];
  assertEquals(newest.map(({ content }) => /host-\d+ up .* left out here/s.test(content)), [
    ...newest.map(() => true),
  ]);
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

Deno.test("Context.compact() leaves the newest round and what is known of the others", async () => {
  const { record } = await playRun({ window: 128_000, reply: looksAt(12) });
  const wanted = { record, last: "", tools: [] };
  const context = contextOf(128_000);
  const model = new WindowedModel({ window: 128_000, reply: looksAt(12) });
  const body = await context.compact(wanted, { model, signal: NEVER });
  if (body === null) throw new Error("Nothing would be gained");
  assertEquals([body.cause, body.tokens_after < body.tokens_before / 2], ["asked", true]);
  const at = new Date(0).toISOString();
  const event = { schema: "rein-event/1", at, run_id: "r", step: 13, ...body } as const;
  assertEquals(eventFaults(event), []);
  apply(record, event);
  const kept = record.entries.map(({ kind, number }) => `${kind} ${number}`);
  assertEquals(kept, ["said 1", "round 14"]);
  assertEquals(partedIn(context.request(wanted)), []);
  assertEquals(context.tokensOf(context.request(wanted)), body.tokens_after);
});

Deno.test("Context.compact() does nothing where nothing would be gained", async () => {
  const { record } = await playRun({ window: 128_000, reply: looksAt(0) });
  const model = new WindowedModel({ window: 128_000, reply: looksAt(0) });
  const wanted = { record, last: "", tools: [] };
  assertEquals(await contextOf(128_000).compact(wanted, { model, signal: NEVER }), null);
});

Deno.test("a context counts thoughts where they go back to the model with their calls", () => {
  const reasoning = "well ".repeat(400);
  const usage = { input_tokens: 10, output_tokens: 5, estimated: false };
  const calls = [{ id: "c", name: "echo", arguments: "{}" }];
  const turn = { content: "", calls, usage, finish_reason: "calls", closing: false } as const;
  const { record } = new EventLog().task("t").step()
    .add({ type: "turn_finished", reasoning, ...turn });
  const tokens = (sends: boolean) => {
    const context = contextOf(100_000, new FakeClock(), () => sends);
    return context.tokensOf(context.request({ record, last: "", tools: [] }));
  };
  assert(tokens(true) - tokens(false) > 300);
  assertEquals(tokens(false) < 2_000, true);
});
