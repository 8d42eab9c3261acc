import { assertEquals } from "@std/assert";
import { run } from "../lib/loop.ts";
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
