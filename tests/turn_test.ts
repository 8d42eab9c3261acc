import { assertEquals } from "@std/assert";
import type { Event } from "../lib/events.ts";
import { run } from "../lib/loop.ts";
import { faultOf, type Turn } from "../lib/turn.ts";
import type { ModelChunk } from "../lib/types.ts";
import { eventFaults } from "./_schemas.ts";
import { fakeRunPorts, NEVER, ScriptedModel } from "./fakes.ts";

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
