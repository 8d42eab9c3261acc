import { assertEquals } from "@std/assert";
import type { Event } from "../lib/events.ts";
import { run } from "../lib/loop.ts";
import { faultOf, type Turn } from "../lib/turn.ts";
import type { ModelChunk } from "../lib/types.ts";
import { eventFaults } from "./_schemas.ts";
import { fakeRunPorts, NEVER, play, ScriptedModel } from "./fakes.ts";

const ERROR = { code: "server_error", message: "The server answered 500: Boom" } as const;

/** A turn that fails after a word, and is another one when it is asked for again. */
async function* restarted(): AsyncGenerator<ModelChunk> {
  yield { type: "text", text: "Hello" };
  yield { type: "retry", attempt: 1, of: 3, waitMs: 1500, error: ERROR };
  yield { type: "restart" };
  yield { type: "text", text: "Good day." };
  yield {
    type: "turn_finished",
    message: { role: "assistant", content: "Good day.", calls: [] },
    finishReason: "stop",
    usage: { inputTokens: 10, cachedInputTokens: 8, outputTokens: 5 },
  };
}

Deno.test("takeTurn() tells of retries and of text that is void, as the schemas have it", async () => {
  const ports = fakeRunPorts(new ScriptedModel(restarted));
  const { events } = await play(run({ task: "t" }, ports, NEVER));
  assertEquals(events.flatMap(eventFaults), []);
  const told = events.map(({ at: _at, schema: _schema, run_id: _run, ...rest }) => rest);
  assertEquals(told.slice(2, 6), [
    { type: "text_delta", step: 1, text: "Hello" },
    { type: "model_retried", step: 1, attempt: 1, of: 3, wait_ms: 1500, error: ERROR },
    { type: "text_restarted", step: 1 },
    { type: "text_delta", step: 1, text: "Good day." },
  ]);
});

Deno.test("takeTurn() counts what the server had kept, with its price", async () => {
  const { limits, ...others } = fakeRunPorts(new ScriptedModel(restarted));
  const prices = { input: 1_000_000, cachedInput: 100_000, output: 0 };
  const ports = { ...others, limits: { ...limits, prices } };
  const { result } = await play(run({ task: "t" }, ports, NEVER));
  assertEquals([result.usage, result.cost, result.answer], [
    { input_tokens: 10, cached_input_tokens: 8, output_tokens: 5, estimated: false },
    2 + 0.8,
    "Good day.",
  ]);
});

Deno.test("text that is void is no part of what a run obtained", async () => {
  const failing = async function* (): AsyncGenerator<ModelChunk> {
    yield { type: "text", text: "Hello" };
    yield { type: "restart" };
    yield { type: "text", text: "Good" };
    throw new DOMException("Enough", "AbortError");
  };
  const run1 = new AbortController();
  const ports = fakeRunPorts(new ScriptedModel(failing));
  const { result } = await play(run({ task: "t" }, ports, run1.signal), (event) => {
    if (event.type === "text_delta" && event.text === "Good") run1.abort();
  });
  assertEquals(result.ending?.obtained, ["The model's last words: Good"]);
});

const CALLS = [{ id: "c", name: "echo", arguments: '{"text":"hi"}' }];
const USAGE = { inputTokens: 10, outputTokens: 5 };

async function* thinking(): AsyncGenerator<ModelChunk> {
  await Promise.resolve();
  yield { type: "adapted", what: "no temperature is sent", why: "only 1 is allowed" };
  yield { type: "reasoning", text: "Let me " };
  yield { type: "reasoning", text: "echo." };
  yield {
    type: "turn_finished",
    message: { role: "assistant", content: "", calls: CALLS, reasoning: "Let me echo." },
    finishReason: "calls",
    usage: USAGE,
  };
}

Deno.test("a run tells thoughts apart from the answer, and gives them back with their call", async () => {
  const model = new ScriptedModel(thinking, { text: "Done." });
  const events: Event[] = await Array.fromAsync(run({ task: "t" }, fakeRunPorts(model), NEVER));
  assertEquals(events.flatMap(eventFaults), []);
  const told = events.flatMap((event) => {
    switch (event.type) {
      case "model_adapted":
        return [`${event.what} / ${event.why}`];
      case "reasoning_delta":
        return [event.text];
      case "turn_finished":
        return [event.reasoning];
      case "run_finished":
        return [event.result.answer];
      default:
        return [];
    }
  });
  assertEquals(told, [
    "no temperature is sent / only 1 is allowed",
    "Let me ",
    "echo.",
    "Let me echo.",
    null,
    "Done.",
  ]);
  assertEquals(model.requests[1]?.messages.filter(({ role }) => role === "assistant"), [
    { role: "assistant", content: "", calls: CALLS, reasoning: "Let me echo." },
  ]);
});

Deno.test("faultOf() tells a model that only thought from one that said nothing", () => {
  const fault = (turn: Partial<Turn["message"]>, finishReason: Turn["finishReason"] = "stop") => {
    const message = { role: "assistant", content: "", calls: [], ...turn } as const;
    return faultOf({ type: "turn_finished", message, finishReason, usage: USAGE })?.message;
  };
  assertEquals([
    fault({ content: "Yes." }),
    fault({ calls: CALLS }),
    fault({ reasoning: "Hm." }),
    fault({ reasoning: "Hm." }, "length"),
    fault({}),
  ], [
    undefined,
    undefined,
    "The model thought, and then said nothing",
    undefined,
    "The model sent neither text nor a call",
  ]);
});
