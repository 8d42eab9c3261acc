import { assertEquals, assertRejects } from "@std/assert";
import { run, type RunPorts } from "../lib/loop.ts";
import type { Event, RunResult } from "../lib/events.ts";
import { DEFAULT_LIMITS } from "../lib/stop.ts";
import type { Message, ModelChunk, Tool, ToolOutcome } from "../lib/types.ts";
import { ModelError } from "../lib/types.ts";
import { runFaults } from "./_schemas.ts";
import {
  aborted,
  evaluationOf,
  FakeClock,
  fakeRunPorts,
  fakeTool,
  judgeAll,
  NEVER,
  play,
  type PlayedRun,
  ScriptedModel,
  type ScriptedTurn,
} from "./fakes.ts";

const HELLO: ScriptedTurn = { text: "Hello." };
const ECHO: ScriptedTurn = { calls: [{ name: "echo", arguments: { text: "hi" } }] };

/** Plays a run to its end and holds all that it told to the published schemas. */
async function follow(
  model: ScriptedModel,
  overrides: Partial<RunPorts> = {},
  options: { signal?: AbortSignal; onEvent?: (event: Event) => void } = {},
): Promise<PlayedRun> {
  const ports = fakeRunPorts(model, overrides);
  const played = await play(
    run({ task: "Say hello" }, ports, options.signal ?? NEVER),
    options.onEvent,
  );
  assertEquals(runFaults(played), []);
  assertEquals(played.events.at(-1)?.type, "run_finished");
  return played;
}

/** A run that is interrupted at its first event of this type. */
async function interruptedAt(
  type: Event["type"],
  model: ScriptedModel,
  overrides: Partial<RunPorts> = {},
): Promise<PlayedRun> {
  const controller = new AbortController();
  const onEvent = (event: Event) => {
    if (event.type === type) controller.abort();
  };
  return await follow(model, overrides, { signal: controller.signal, onEvent });
}

function ending({ stop_reason, status, answer, steps, error }: RunResult) {
  return { stop_reason, status, answer, steps, error: error?.code ?? null };
}

function statuses(result: RunResult): string[] {
  return result.calls.map(({ tool, status }) => `${tool} ${status}`);
}

/** What tools sent back, in the order in which the model was sent it. */
function toolMessages(messages: readonly Message[]): string[] {
  return messages.flatMap((message) => message.role === "tool" ? [message.callId] : []);
}

/** A tool that brings back what it has once it is told to end. */
const slow: Tool = fakeTool({
  run: async (_args, { signal }): Promise<ToolOutcome> => {
    await aborted(signal);
    return { ok: true, data: { half: true }, summary: "half" };
  },
});

/** Says something, then thinks until it is told to end. */
async function* thinking(signal: AbortSignal): AsyncGenerator<ModelChunk> {
  yield { type: "text", text: "I think" };
  await aborted(signal);
  throw signal.reason;
}

Deno.test("run() tells all that happens, from the task to the result", async () => {
  const clock = new FakeClock(Date.UTC(2026, 10, 29, 12));
  const model = new ScriptedModel(ECHO, { text: ["Hel", "lo."] });
  const { events, result } = await follow(model, { clock });
  const at = "2026-11-29T12:00:00.000Z";
  const base = (step: number) => ({ schema: "rein-event/1", at, run_id: "run1", step });
  const usage = { input_tokens: 10, output_tokens: 5, estimated: false };
  const call = { id: "call_1_1", name: "echo", arguments: '{"text":"hi"}' };
  const about = { call_id: "call_1_1", tool: "echo" };
  const observation = {
    status: "success",
    data: { text: "hi" },
    error: null,
    truncated: [],
    summary: "echoed",
  };
  const expected: RunResult = {
    schema: "rein-result/1",
    run_id: "run1",
    status: "success",
    stop_reason: "answered",
    answer: "Hello.",
    data: null,
    model: { name: "scripted", recorded: false },
    steps: 2,
    usage: { input_tokens: 20, output_tokens: 10, estimated: false },
    calls: [{
      id: "call_1_1",
      step: 1,
      tool: "echo",
      arguments: { text: "hi" },
      decision: "allow",
      status: "success",
      ms: 0,
      truncated: false,
    }],
    cost: null,
    elapsed_ms: 0,
    session: null,
    facts: [],
    error: null,
    ending: null,
  };
  assertEquals(result, expected);
  assertEquals(events as readonly unknown[], [
    {
      ...base(0),
      type: "run_started",
      task: "Say hello",
      model: { name: "scripted", source: "test", recorded: false },
      max_steps: 15,
      session: null,
      resumed: "no",
    },
    { ...base(1), type: "step_started", max_steps: 15, progress: "[Step 1/15]" },
    {
      ...base(1),
      type: "turn_finished",
      reasoning: null,
      content: "",
      calls: [call],
      finish_reason: "calls",
      usage,
      closing: false,
    },
    { ...base(1), type: "call_proposed", ...about, arguments: '{"text":"hi"}' },
    { ...base(1), type: "call_judged", ...about, evaluation: evaluationOf("allow") },
    { ...base(1), type: "call_started", ...about, brief: "hi" },
    {
      ...base(1),
      type: "call_finished",
      ...about,
      brief: "hi",
      arguments: { text: "hi" },
      decision: "allow",
      observation,
      ms: 0,
    },
    {
      ...base(2),
      type: "step_started",
      max_steps: 15,
      progress: "[Step 2/15] done: echo hi (ok)",
    },
    { ...base(2), type: "text_delta", text: "Hel" },
    { ...base(2), type: "text_delta", text: "lo." },
    {
      ...base(2),
      type: "turn_finished",
      reasoning: null,
      content: "Hello.",
      calls: [],
      finish_reason: "stop",
      usage,
      closing: false,
    },
    { ...base(2), type: "run_finished", result: expected },
  ]);
});

Deno.test("run() sends results back in the order of the calls", async () => {
  const ids = ["c3", "c1", "c5", "c2", "c4"];
  const calls = ids.map((id) => ({ id, name: "echo", arguments: { text: id } }));
  const model = new ScriptedModel({ calls }, HELLO);
  const { result } = await follow(model);
  assertEquals(toolMessages(model.requests[1]?.messages ?? []), ids);
  assertEquals(result.calls.map(({ id }) => id), ids);
});

Deno.test("run() offers the tools with every request but the last one at the limit", async () => {
  const model = new ScriptedModel(ECHO);
  await follow(model, { limits: { ...DEFAULT_LIMITS, maxSteps: 2 } });
  assertEquals(model.requests.map(({ tools }) => tools.map(({ name }) => name)), [
    ["echo"],
    ["echo"],
    [],
  ]);
});

Deno.test("run() asks for a summary at the step limit, and gives it as what there is", async () => {
  const model = new ScriptedModel(ECHO, { text: "So far: hi." });
  const limits = { ...DEFAULT_LIMITS, maxSteps: 1 };
  const { result } = await follow(model, { limits });
  assertEquals(ending(result), {
    stop_reason: "step_limit",
    status: "unfinished",
    answer: "So far: hi.",
    steps: 1,
    error: null,
  });
  assertEquals(result.usage, { input_tokens: 20, output_tokens: 10, estimated: false });
  const [first, last] = model.requests.map(({ messages }) => messages);
  assertEquals(first?.at(-1), { role: "user", content: "[Step 1/1]" });
  assertEquals(last?.slice(-2).map(({ role }) => role), ["tool", "user"]);
  const content = "The run ends here: the limit of 1 steps was reached. No more tools can be " +
    "called. Answer now in text, in the language of the task: what was found, what that says " +
    "about the task, and what is still open.";
  assertEquals(last?.at(-1), { role: "user", content });
});

Deno.test("run() runs nothing that is proposed instead of a summary", async () => {
  const { result, events } = await follow(new ScriptedModel({ ...ECHO, text: "Then" }), {
    limits: { ...DEFAULT_LIMITS, maxSteps: 2 },
  });
  assertEquals(ending(result), {
    stop_reason: "step_limit",
    status: "unfinished",
    answer: "Then",
    steps: 2,
    error: null,
  });
  assertEquals(events.filter(({ type }) => type === "call_started").length, 2);
});

Deno.test("run() lets a summary that fails change nothing", async () => {
  const gone = new ModelError("unreachable", "Gone", { hint: "Wait." });
  const { result } = await follow(new ScriptedModel(ECHO, gone), {
    limits: { ...DEFAULT_LIMITS, maxSteps: 1 },
  });
  assertEquals(ending(result), {
    stop_reason: "step_limit",
    status: "unfinished",
    answer: null,
    steps: 1,
    error: null,
  });
});

Deno.test("run() takes what is said beside calls for no answer", async () => {
  const beside: ScriptedTurn = { ...ECHO, text: "Let me look." };
  const { result } = await interruptedAt("call_started", new ScriptedModel(beside, HELLO));
  assertEquals(ending(result).answer, null);
});

Deno.test("run() that is interrupted before it begins asks nothing", async () => {
  const model = new ScriptedModel(HELLO);
  const { result } = await follow(model, {}, { signal: AbortSignal.abort() });
  assertEquals(ending(result), {
    stop_reason: "interrupted",
    status: "unfinished",
    answer: null,
    steps: 0,
    error: null,
  });
  assertEquals(model.requests, []);
});

Deno.test("run() that is interrupted while the model talks keeps what it said", async () => {
  const { result } = await interruptedAt("text_delta", new ScriptedModel(thinking));
  assertEquals(ending(result), {
    stop_reason: "interrupted",
    status: "unfinished",
    answer: "I think",
    steps: 1,
    error: null,
  });
});

Deno.test("run() that is interrupted while a tool runs keeps what it had, and runs no other", async () => {
  const controller = new AbortController();
  const stopping = fakeTool({
    effect: "execute",
    run: (args, context) => {
      controller.abort();
      return slow.run(args, context);
    },
  });
  const call = { name: "echo" };
  const model = new ScriptedModel({ calls: [call, call] }, HELLO);
  const { result, events } = await follow(model, { tools: [stopping] }, {
    signal: controller.signal,
  });
  assertEquals([ending(result).stop_reason, statuses(result)], ["interrupted", ["echo cancelled"]]);
  const last = events.find(({ type }) => type === "call_finished");
  assertEquals(last?.type === "call_finished" ? last.observation.data : null, { half: true });
  assertEquals(model.requests.length, 1);
});

Deno.test("run() that is interrupted during the summary is interrupted", async () => {
  const { result } = await interruptedAt("text_delta", new ScriptedModel(ECHO, thinking), {
    limits: { ...DEFAULT_LIMITS, maxSteps: 1 },
  });
  assertEquals(ending(result), {
    stop_reason: "interrupted",
    status: "unfinished",
    answer: "I think",
    steps: 1,
    error: null,
  });
});

Deno.test("run() is blocked by three denials in a row, over turns", async () => {
  const model = new ScriptedModel(ECHO);
  const { result } = await follow(model, { judge: judgeAll("deny") });
  assertEquals(ending(result), {
    stop_reason: "blocked",
    status: "unfinished",
    answer: null,
    steps: 3,
    error: null,
  });
  assertEquals(statuses(result), ["echo denied", "echo denied", "echo denied"]);
  assertEquals(result.calls.map(({ decision }) => decision), ["deny", "deny", "deny"]);
});

Deno.test("run() is blocked by three denials within one turn, and proposes no more", async () => {
  const calls = Array.from({ length: 5 }, () => ({ name: "echo" }));
  const { result } = await follow(new ScriptedModel({ calls }), {
    judge: judgeAll("ask"),
    tools: [fakeTool({ effect: "execute" })],
  });
  assertEquals([ending(result).stop_reason, ending(result).steps, result.calls.length], [
    "blocked",
    1,
    3,
  ]);
});

Deno.test("run() goes on after denials that were not in a row", async () => {
  const judge: RunPorts["judge"] = ({ tool }) =>
    Promise.resolve(evaluationOf(tool === "echo" ? "allow" : "deny"));
  const tools = [fakeTool(), fakeTool({ name: "rm" })];
  const [no, yes] = [{ name: "rm" }, { name: "echo" }];
  const turns = [{ calls: [no, no, yes] }, { calls: [no, no] }, ECHO, HELLO];
  const { result } = await follow(new ScriptedModel(...turns), { judge, tools });
  assertEquals([ending(result).stop_reason, result.calls.length], ["answered", 6]);
});

Deno.test("run() takes an answer right after a denial for blocked", async () => {
  const { result } = await follow(new ScriptedModel(ECHO, { text: "I may not." }), {
    judge: judgeAll("ask"),
  });
  assertEquals(ending(result), {
    stop_reason: "blocked",
    status: "unfinished",
    answer: "I may not.",
    steps: 2,
    error: null,
  });
});

Deno.test("run() takes an answer for an answer once another way was found", async () => {
  const judge: RunPorts["judge"] = ({ tool }) =>
    Promise.resolve(evaluationOf(tool === "echo" ? "allow" : "deny"));
  const tools = [fakeTool(), fakeTool({ name: "rm" })];
  const model = new ScriptedModel({ calls: [{ name: "rm" }] }, ECHO, HELLO);
  const { result } = await follow(model, { judge, tools });
  assertEquals(ending(result).stop_reason, "answered");
});

Deno.test("run() bounds calls of a tool that does not exist, and names the closest", async () => {
  const model = new ScriptedModel({ calls: [{ name: "ecko" }] });
  const { result } = await follow(model, { limits: { ...DEFAULT_LIMITS, maxSteps: 5 } });
  assertEquals(ending(result), {
    stop_reason: "repeating",
    status: "unfinished",
    answer: null,
    steps: 3,
    error: null,
  });
  assertEquals(statuses(result), Array.from({ length: 3 }, () => "ecko error"));
  const told = model.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
  assertEquals(
    told.map(({ content }) => JSON.parse(content).error.hint),
    Array.from({ length: 3 }, () => "Did you mean echo?"),
  );
});

Deno.test("run() never runs a call that was cut off, and goes on", async () => {
  const cutOff: ScriptedTurn = {
    calls: [{ name: "echo", arguments: '{"text":"rm -rf /tmp/x' }],
    finishReason: "length",
  };
  const { result, events } = await follow(new ScriptedModel(cutOff, HELLO));
  assertEquals([ending(result).stop_reason, statuses(result)], ["answered", ["echo error"]]);
  assertEquals(result.calls[0]?.arguments, '{"text":"rm -rf /tmp/x');
  assertEquals(events.filter(({ type }) => type === "call_started"), []);
});

Deno.test("run() calls an answer that was cut off unfinished", async () => {
  const { result } = await follow(new ScriptedModel({ text: "Half", finishReason: "length" }));
  assertEquals(ending(result), {
    stop_reason: "token_limit",
    status: "unfinished",
    answer: "Half",
    steps: 1,
    error: null,
  });
});

Deno.test("run() blames the output limit where a model thought until it was reached", async () => {
  const { result } = await follow(new ScriptedModel({ finishReason: "length" }));
  assertEquals(ending(result), {
    stop_reason: "token_limit",
    status: "unfinished",
    answer: null,
    steps: 1,
    error: null,
  });
});

Deno.test("run() ends with the model's failure, what was said kept", async () => {
  async function* broken(): AsyncGenerator<ModelChunk> {
    yield { type: "text", text: "It is" };
    await Promise.resolve();
    throw new ModelError("server_error", "Broken", { hint: "Try again.", status: 500 });
  }
  const { result } = await follow(new ScriptedModel(broken));
  assertEquals(ending(result), {
    stop_reason: "model_error",
    status: "failed",
    answer: "It is",
    steps: 1,
    error: "server_error",
  });
  assertEquals(result.error, { code: "server_error", message: "Broken", hint: "Try again." });
});

Deno.test("run() takes a turn without text and calls for a failure of the model", async () => {
  const { result } = await follow(new ScriptedModel({ text: " \n" }));
  assertEquals([ending(result).stop_reason, ending(result).error], ["model_error", "bad_response"]);
});

Deno.test("run() takes a refusal of the model's server for a failure", async () => {
  const { result } = await follow(new ScriptedModel({ text: "I", finishReason: "refused" }));
  assertEquals([ending(result).stop_reason, ending(result).error], ["model_error", "rejected"]);
});

Deno.test("run() takes a stream that ends without a turn for nothing to go on from", async () => {
  async function* empty(): AsyncGenerator<ModelChunk> {
    yield { type: "text", text: "So" };
    await Promise.resolve();
  }
  const { result } = await follow(new ScriptedModel(empty));
  assertEquals([ending(result).stop_reason, ending(result).error], ["model_error", "bad_response"]);
});

Deno.test("run() lets a defect of a model through", async () => {
  const model = new ScriptedModel(new TypeError("Not a model"));
  await assertRejects(
    () => play(run({ task: "t" }, fakeRunPorts(model), NEVER)),
    TypeError,
    "Not a model",
  );
});
