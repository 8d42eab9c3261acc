import { assertEquals } from "@std/assert";
import type { Event, RunResult } from "../lib/events.ts";
import { run, type RunPorts } from "../lib/loop.ts";
import { DEFAULT_LIMITS } from "../lib/stop.ts";
import type { ModelChunk } from "../lib/types.ts";
import { runFaults } from "./_schemas.ts";
import { EventLog } from "./_events.ts";
import {
  aborted,
  FakeClock,
  fakeRunPorts,
  fakeTool,
  judgeAll,
  NEVER,
  play,
  type PlayedRun,
  ScriptedModel,
  type ScriptedTurn,
  settle,
} from "./fakes.ts";

const HELLO: ScriptedTurn = { text: "Hello." };

function echo(text: string, cosmetic: Record<string, string> = {}): ScriptedTurn {
  return { calls: [{ name: "echo", arguments: { text, ...cosmetic } }] };
}

async function follow(
  model: ScriptedModel,
  overrides: Partial<RunPorts> = {},
  onEvent?: (event: Event) => void,
): Promise<PlayedRun> {
  const ports = fakeRunPorts(model, overrides);
  const played = await play(run({ task: "t" }, ports, NEVER), onEvent);
  assertEquals(runFaults(played), []);
  return played;
}

function ended({ stop_reason, answer, steps }: RunResult) {
  return { stop_reason, answer, steps };
}

/** The notes of the observations, in order. */
function notes(events: readonly Event[]): (string | undefined)[] {
  return events.flatMap((event) => event.type === "call_finished" ? [event.observation.note] : []);
}

const AGAIN = "This call was made before with the same result. Do not make it again: use what " +
  "you have, do something else, or answer.";

Deno.test("run() gives a call that is made again a hint, and ends at the third", async () => {
  const reasons = ["a", "b", "c", "d"].map((reason) => echo("x", { reason }));
  const parameters = {
    ...fakeTool().parameters,
    properties: { text: { type: "string" }, reason: { type: "string" } },
  } as const;
  const tools = [fakeTool({ parameters, run: () => Promise.resolve(RESULT) })];
  const { result, events } = await follow(new ScriptedModel(...reasons), { tools });
  assertEquals(ended(result), { stop_reason: "repeating", answer: null, steps: 3 });
  assertEquals(notes(events), [undefined, AGAIN, AGAIN]);
});

const RESULT = { ok: true, data: { n: 1 }, summary: "one" } as const;

Deno.test("run() ends calls that alternate, and not the same tool over forty files", async () => {
  const turns = ["A", "B", "A", "B", "A", "B"].map((text) => echo(text));
  const alternating = await follow(new ScriptedModel(...turns));
  assertEquals(ended(alternating.result), { stop_reason: "repeating", answer: null, steps: 5 });
  const files = Array.from({ length: 40 }, (_, file) => echo(`${file}.txt`));
  const limits = { ...DEFAULT_LIMITS, maxSteps: 50 };
  const reading = await follow(new ScriptedModel(...files, HELLO), { limits });
  assertEquals(ended(reading.result), { stop_reason: "answered", answer: "Hello.", steps: 41 });
});

Deno.test("run() lets the model sum up a run that repeats itself", async () => {
  const model = new ScriptedModel(echo("x"), echo("x"), echo("x"), { text: "Only x." });
  const { result, events } = await follow(model);
  assertEquals(ended(result), { stop_reason: "repeating", answer: "Only x.", steps: 3 });
  assertEquals(model.requests.at(-1)?.tools, []);
  const turns = events.flatMap((event) => event.type === "turn_finished" ? [event.closing] : []);
  assertEquals(turns, [false, false, false, true]);
});

Deno.test("run() tells in its ending what was done, obtained and left, and how to go on", async () => {
  const limits = { ...DEFAULT_LIMITS, maxSteps: 1 };
  const calls = [{ name: "echo", arguments: { text: "a" } }];
  const model = new ScriptedModel({ calls, text: "I look." }, new Error("unused"));
  const ports = { limits, session: "s1", openItems: () => ["Look at b"] };
  const silent = new ScriptedModel({ calls, text: "I look." }, { text: "" });
  assertEquals(model.requests, []);
  const { result } = await follow(silent, ports);
  assertEquals(result.ending, {
    why: "the limit of 1 steps was reached",
    done: ["[1] echo a → echoed"],
    obtained: [],
    left: ["Look at b"],
    resume: "rein resume s1",
  });
});

/** Thinks until it is told to end. */
async function* thinking(signal: AbortSignal): AsyncGenerator<ModelChunk> {
  yield { type: "text", text: "I think" };
  await aborted(signal);
  throw signal.reason;
}

Deno.test("run() ends at its time limit, whatever the model does, and asks for a summary", async () => {
  const clock = new FakeClock();
  const model = new ScriptedModel(echo("a"), thinking, { text: "So far a." });
  const limits = { ...DEFAULT_LIMITS, maxTimeMs: 60_000 };
  const { result } = await follow(model, { clock, limits }, (event) => {
    if (event.type === "text_delta" && event.text === "I think") {
      void settle().then(() => clock.advance(60_000));
    }
  });
  assertEquals(ended(result), { stop_reason: "time_limit", answer: "So far a.", steps: 2 });
  assertEquals(result.ending?.why, "the time limit of 60 s was reached");
  assertEquals(result.elapsed_ms, 60_000);
});

Deno.test("run() gives up on a summary that does not come", async () => {
  const clock = new FakeClock();
  const model = new ScriptedModel(echo("a"), thinking);
  const limits = { ...DEFAULT_LIMITS, maxSteps: 1 };
  const { result } = await follow(model, { clock, limits }, (event) => {
    if (event.type === "text_delta") void settle().then(() => clock.advance(30_000));
  });
  assertEquals(ended(result), { stop_reason: "step_limit", answer: "I think", steps: 1 });
});

Deno.test("run() cancels a tool at its time limit", async () => {
  const clock = new FakeClock();
  const tool = fakeTool({
    timeoutMs: 600_000,
    run: async (_args, { signal }) => {
      void settle().then(() => clock.advance(1000));
      await aborted(signal);
      return { ok: true, data: {}, summary: "half" };
    },
  });
  const limits = { ...DEFAULT_LIMITS, maxTimeMs: 1000 };
  const { result } = await follow(new ScriptedModel(echo("a"), HELLO), {
    clock,
    limits,
    tools: [tool],
  });
  assertEquals(result.calls.map(({ status }) => status), ["cancelled"]);
  assertEquals(ended(result), { stop_reason: "time_limit", answer: "Hello.", steps: 1 });
});

Deno.test("run() stops before its next request would pass the limit of tokens", async () => {
  let asked = 0;
  async function* counted(): AsyncGenerator<ModelChunk> {
    await Promise.resolve();
    const calls = [{ id: `c${asked}`, name: "echo", arguments: `{"text":"${asked++}"}` }];
    yield {
      type: "turn_finished",
      message: { role: "assistant", content: "", calls },
      finishReason: "calls",
      usage: { inputTokens: 700, outputTokens: 100 },
    };
  }
  const limits = { ...DEFAULT_LIMITS, maxTokens: 6000 };
  const { result } = await follow(new ScriptedModel(counted), { limits });
  const used = result.usage.input_tokens + result.usage.output_tokens;
  assertEquals([result.stop_reason, used > 3000, used <= 6000], ["token_limit", true, true]);
});

Deno.test("run() says what it cost where prices are set", async () => {
  const limits = { ...DEFAULT_LIMITS, prices: { input: 1, output: 2 } };
  const { result } = await follow(new ScriptedModel(HELLO), { limits });
  assertEquals(result.cost, 20 / 1_000_000);
});

Deno.test("run() counts by itself where the server does not, and says so", async () => {
  async function* uncounted(): AsyncGenerator<ModelChunk> {
    await Promise.resolve();
    yield {
      type: "turn_finished",
      message: { role: "assistant", content: "Hello there, all of you.", calls: [] },
      finishReason: "stop",
      usage: { inputTokens: 0, outputTokens: 0 },
    };
  }
  const { result } = await follow(new ScriptedModel(uncounted));
  const { input_tokens, output_tokens, estimated } = result.usage;
  assertEquals([input_tokens > 100, output_tokens > 3, estimated], [true, true, true]);
});

Deno.test("run() gives calls that a stop left over a result, so that the conversation is whole", async () => {
  const calls = ["a", "b", "c", "d"].map((text) => ({ name: "echo", arguments: { text } }));
  const model = new ScriptedModel({ calls }, { text: "I may not." });
  const tools = [fakeTool({ effect: "execute" })];
  const { result } = await follow(model, { judge: judgeAll("deny"), tools });
  assertEquals(ended(result), { stop_reason: "blocked", answer: "I may not.", steps: 1 });
  const messages = model.requests.at(-1)?.messages ?? [];
  assertEquals(messages.filter(({ role }) => role === "tool").length, 4);
  assertEquals(result.ending?.left, ['echo {"text":"d"}: proposed and not run']);
});

Deno.test("run() goes on with a run whose process ended, and never repeats its calls", async () => {
  const log = new EventLog().task("Do it").step().turn("", ["c1", "c2", "c3"]).began("c1")
    .call("c1").began("c2");
  const model = new ScriptedModel({ text: "Done." });
  const ran: string[] = [];
  const tools = [fakeTool({
    run: () => {
      ran.push("echo");
      return Promise.resolve(RESULT);
    },
  })];
  const ports = fakeRunPorts(model, { tools });
  const { result, events } = await play(run({ task: null, record: log.record }, ports, NEVER));
  assertEquals([ended(result), ran], [
    { stop_reason: "answered", answer: "Done.", steps: 2 },
    [],
  ]);
  const started = events[0];
  assertEquals(started?.type === "run_started" ? [started.task, started.resumed] : [], [
    "Do it",
    "crashed",
  ]);
  const codes = events.flatMap((event) =>
    event.type === "call_finished" ? [[event.call_id, event.observation.error?.code]] : []
  );
  assertEquals(codes, [["c2", "interrupted"], ["c3", "not_run"]]);
  assertEquals(model.requests[0]?.messages.filter(({ role }) => role === "tool").length, 3);
});

Deno.test("run() makes calls that had not begun where nobody is there to say otherwise", async () => {
  const log = new EventLog().task("Do it").step().turn("", ["c1", "c2", "c3"]).began("c1")
    .call("c1").began("c2");
  const ports = fakeRunPorts(new ScriptedModel({ text: "Done." }), { runsPending: true });
  const { result, events } = await play(run({ task: null, record: log.record }, ports, NEVER));
  const codes = events.flatMap((event) =>
    event.type === "call_finished" ? [[event.call_id, event.observation.error?.code ?? ""]] : []
  );
  assertEquals([ended(result).answer, codes], ["Done.", [["c3", ""], ["c2", "interrupted"]]]);
});

Deno.test("run() gives a run that had stopped at a limit a new allotment", async () => {
  const log = new EventLog().task("Do it").step().turn("", ["c1"]).call("c1")
    .turn("So far.", [], true).stopped("step_limit");
  const model = new ScriptedModel({ text: "Done." });
  const limits = { ...DEFAULT_LIMITS, maxSteps: 1 };
  const ports = fakeRunPorts(model, { limits });
  const { result } = await play(run({ task: null, record: log.record }, ports, NEVER));
  assertEquals(ended(result), { stop_reason: "answered", answer: "Done.", steps: 1 });
  assertEquals(model.requests[0]?.messages.slice(-3).map(({ content }) => content), [
    "So far.",
    "Go on with the task where it was left.",
    "[Step 1/1]",
  ]);
});

Deno.test("run() that was ended after its answer only has to say so", async () => {
  const log = new EventLog().task("Do it").step().turn("Done.");
  const model = new ScriptedModel({ text: "never" });
  const { result } = await play(
    run({ task: null, record: log.record }, fakeRunPorts(model), NEVER),
  );
  assertEquals([ended(result), model.requests.length], [
    { stop_reason: "answered", answer: "Done.", steps: 1 },
    0,
  ]);
});

Deno.test("run() begins a call only once its event was taken", async () => {
  let taken = false;
  const seen: boolean[] = [];
  const tools = [fakeTool({
    run: () => {
      seen.push(taken);
      return Promise.resolve(RESULT);
    },
  })];
  const events = run(
    { task: "t" },
    fakeRunPorts(new ScriptedModel(echo("a"), HELLO), { tools }),
    NEVER,
  );
  for await (const event of events) {
    if (event.type !== "call_started") continue;
    await settle();
    await settle();
    taken = true;
  }
  assertEquals(seen, [true]);
});
