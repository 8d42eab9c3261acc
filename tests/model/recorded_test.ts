import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import fc from "fast-check";
import { createRecordedModel, RecordingError } from "../../lib/model/recorded.ts";
import { type Model, type ModelChunk, ModelError } from "../../lib/types.ts";
import { NEVER } from "../fakes.ts";

const REQUEST = { messages: [], tools: [] };

function recording(...turns: readonly unknown[]): Model {
  return createRecordedModel(turns.map((turn) => JSON.stringify(turn)).join("\n"), "a.jsonl");
}

function turnOf(model: Model): Promise<ModelChunk[]> {
  return Array.fromAsync(model.ask(REQUEST, NEVER));
}

Deno.test("createRecordedModel() is known as recorded", () => {
  const { name, source, recorded } = recording({ text: "Hi" });
  assertEquals([name, source, recorded], ["recorded:a.jsonl", "a.jsonl", true]);
});

Deno.test("createRecordedModel() plays its turns in order, word by word", async () => {
  const model = recording(
    { recording: "rein-recording/1", note: "made by hand" },
    { text: "Let me look.", calls: [{ name: "f", arguments: { n: 1 } }, { name: "g" }] },
    { text: "Done.\n", usage: { input_tokens: 3, output_tokens: 4 } },
  );
  assertEquals(await turnOf(model), [
    { type: "text", text: "Let" },
    { type: "text", text: " me" },
    { type: "text", text: " look." },
    {
      type: "turn_finished",
      message: {
        role: "assistant",
        content: "Let me look.",
        calls: [
          { id: "call_1_1", name: "f", arguments: '{"n":1}' },
          { id: "call_1_2", name: "g", arguments: "{}" },
        ],
      },
      finishReason: "calls",
      usage: { inputTokens: 0, outputTokens: 0 },
    },
  ]);
  assertEquals(await turnOf(model), [
    { type: "text", text: "Done.\n" },
    {
      type: "turn_finished",
      message: { role: "assistant", content: "Done.\n", calls: [] },
      finishReason: "stop",
      usage: { inputTokens: 3, outputTokens: 4 },
    },
  ]);
});

Deno.test("createRecordedModel() plays raw arguments and ends as it was recorded", async () => {
  const call = { name: "f", arguments: '{"cut": "o' };
  const last = (await turnOf(recording({ calls: [call], finish_reason: "length" }))).at(-1);
  assertEquals(last, {
    type: "turn_finished",
    message: { role: "assistant", content: "", calls: [{ id: "call_1_1", ...call }] },
    finishReason: "length",
    usage: { inputTokens: 0, outputTokens: 0 },
  });
});

Deno.test("createRecordedModel() says that its recording has ended", async () => {
  const model = recording({ text: "Hi" });
  await turnOf(model);
  const error = await assertRejects(() => turnOf(model), ModelError);
  assertEquals([error.code, error.message, error.hint], [
    "recording_ended",
    'Recording "a.jsonl" has ended after 1 turns',
    "Record more turns.",
  ]);
});

Deno.test("createRecordedModel() plays nothing in an interrupted run", async () => {
  const signal = AbortSignal.abort("stop");
  const asked = Array.fromAsync(recording({ text: "Hi" }).ask(REQUEST, signal));
  assertEquals(await asked.catch((reason) => reason), "stop");
});

Deno.test("createRecordedModel() names the line that is no turn, and why", () => {
  const faults = [
    ["{", "is not JSON"],
    ["[]", "is not a JSON object"],
    ['{"text": 1}', 'has a "text" that is not a string'],
    ['{"note": "x"}', 'has neither "text" nor "calls"'],
    ['{"calls": [{}]}', 'has "calls" without a "name" each'],
    ['{"calls": "f"}', 'has "calls" without a "name" each'],
    ['{"text": "a", "usage": 3}', 'has a "usage" that does not count tokens'],
    ['{"text": "a", "usage": {"input_tokens": "3"}}', 'has a "usage" that does not count tokens'],
    [
      '{"text": "a", "finish_reason": ["stop"]}',
      'has a "finish_reason" other than stop, calls, length, refused',
    ],
    ['{"recording": "rein-recording/2"}', 'is of another format than "rein-recording/1"'],
  ] as const;
  const messages = faults.map(([line]) => {
    const text = `{"text": "fine"}\r\n\n${line}\n`;
    return assertThrows(() => createRecordedModel(text, "a.jsonl"), RecordingError).message;
  });
  assertEquals(messages, faults.map(([, fault]) => `Recording "a.jsonl", line 3, ${fault}`));
});

Deno.test("createRecordedModel() streams exactly the text that it ends with", async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
    const chunks = await turnOf(recording({ text: `${text} \n` }));
    const streamed = chunks.map((chunk) => chunk.type === "text" ? chunk.text : "").join("");
    assertEquals(streamed, `${text} \n`);
  }));
});
