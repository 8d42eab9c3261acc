import { assert, assertEquals, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateText, TokenEstimator } from "../../lib/context/estimate.ts";
import type { AssistantMessage, Message, ToolDefinition } from "../../lib/types.ts";
import { CALIBRATION, HELD_OUT, KINDS } from "./_corpora.ts";
import { compactionError, conversationErrors, median, mixed, textErrors } from "./_errors.ts";
import { OPENING } from "./_opening.ts";

const SYSTEM: Message = { role: "system", content: "Be brief." };
const TASK: Message = { role: "user", content: "Why is the disk full?" };
const RESULT: Message = { role: "tool", callId: "call_1", content: "files ".repeat(1_000) };

function progress(step: number): Message {
  return { role: "user", content: `[Step ${step}/15]` };
}

const TOOL: ToolDefinition = {
  name: "run_shell",
  description: "Runs a command.",
  parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
};

/** The kinds whose error is not below a limit, with their error. */
function beyond(limit: number, errors: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(errors).filter(([, error]) => !(error < limit));
}

for (const [name, corpora] of Object.entries({ CALIBRATION, HELD_OUT })) {
  Deno.test(`estimateText() is off by less than 8% in the median, by kind: ${name}`, () => {
    assertEquals(beyond(0.08, textErrors(corpora, countTokens)), []);
  });

  Deno.test(`a request is off by less than 3% in the median after a response: ${name}`, () => {
    const texts = { ...corpora, mixed: mixed(corpora) };
    const errors = Object.entries(texts).map(([kind, pieces]) => [
      kind,
      median(conversationErrors(pieces, OPENING, countTokens).slice(1)),
    ]);
    assertEquals(beyond(0.03, Object.fromEntries(errors)), []);
  });

  Deno.test(`a request is off by less than 8% after half of it was dropped: ${name}`, () => {
    const errors = KINDS.map((kind) => [
      kind,
      compactionError(corpora[kind], OPENING, countTokens),
    ]);
    assertEquals(beyond(0.08, Object.fromEntries(errors)), []);
  });
}

Deno.test("a first request with rein's prompt and tools is off by less than 8%", () => {
  const [first] = conversationErrors(["nothing"], OPENING, countTokens);
  assertEquals(beyond(0.08, { first: first! }), []);
});

Deno.test("estimateText() takes an empty text for nothing and one word for one token", () => {
  assertEquals(["", "disk", "42"].map((text) => Math.round(estimateText(text))), [0, 1, 1]);
});

Deno.test("estimateText() counts every text, with lone surrogates and controls too", () => {
  const unit = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }));
  fc.assert(fc.property(unit, fc.nat(0xffff), (text, code) => {
    const whole = text + String.fromCharCode(code);
    const tokens = estimateText(whole);
    return tokens >= 0 && tokens <= 4 * whole.length;
  }));
});

Deno.test("TokenEstimator estimates a request before any count as the sum of its parts", () => {
  const estimator = new TokenEstimator();
  const messages = [SYSTEM, TASK];
  const sum = messages.reduce((tokens, message) => tokens + estimator.messageTokens(message), 0);
  const bare = estimator.requestTokens(messages, []);
  assertEquals(bare, Math.ceil(sum + 3));
  const tool = estimateText(JSON.stringify({ type: "function", function: TOOL }));
  assertEquals(estimator.requestTokens(messages, [TOOL]), Math.ceil(sum + 3 + tool));
  assertStrictEquals(estimator.factor, 1);
});

Deno.test("TokenEstimator counts calls with their arguments", () => {
  const estimator = new TokenEstimator();
  const call = { id: "call_1", name: "run_shell", arguments: '{"command":"df -h"}' };
  const silent = estimator.messageTokens({ role: "assistant", content: "", calls: [] });
  const calling = estimator.messageTokens({ role: "assistant", content: "", calls: [call, call] });
  assertEquals(
    calling,
    silent + 2 * (6 + estimateText(call.name) + estimateText(call.arguments)),
  );
});

Deno.test("TokenEstimator takes a counted request as counted", () => {
  const estimator = new TokenEstimator();
  const messages = [SYSTEM, TASK, progress(1)];
  estimator.correct(messages, [TOOL], 100);
  assertEquals(estimator.requestTokens(messages, [TOOL]), 100);
  assertEquals(estimator.requestTokens(structuredClone(messages), [TOOL]), 100);
});

Deno.test("TokenEstimator estimates only what follows the counted messages, by its factor", () => {
  const estimator = new TokenEstimator();
  const sent = [SYSTEM, TASK, progress(1)];
  const estimated = estimator.requestTokens(sent, []);
  estimator.correct(sent, [], 2 * estimated);
  const next = [SYSTEM, TASK, RESULT, progress(2)];
  const added = estimator.factor * (estimator.messageTokens(RESULT) +
    estimator.messageTokens(progress(2)) - estimator.messageTokens(progress(1)));
  assertEquals(estimator.requestTokens(next, []), Math.ceil(2 * estimated + added));
});

Deno.test("TokenEstimator learns from what requests grew by, whatever the server adds itself", () => {
  const estimator = new TokenEstimator();
  const first = [SYSTEM, TASK, progress(1)];
  const hidden = estimator.requestTokens(first, []);
  estimator.correct(first, [], estimator.requestTokens(first, []) + hidden);
  const second = [SYSTEM, TASK, RESULT, progress(2)];
  const grown = new TokenEstimator().requestTokens(second, []);
  estimator.correct(second, [], grown + hidden);
  const third = [SYSTEM, TASK, RESULT, RESULT, progress(3)];
  const real = new TokenEstimator().requestTokens(third, []) + hidden;
  assert(Math.abs(estimator.requestTokens(third, []) - real) <= 2);
});

Deno.test("TokenEstimator gives back what tools took where a request goes without them", () => {
  const estimator = new TokenEstimator();
  const messages = [SYSTEM, TASK, progress(1)];
  const without = estimator.requestTokens(messages, []);
  estimator.correct(messages, [TOOL], estimator.requestTokens(messages, [TOOL]));
  assert(Math.abs(estimator.requestTokens(messages, []) - without) <= 1);
});

Deno.test("TokenEstimator multiplies the whole request by its factor after a compaction", () => {
  const estimator = new TokenEstimator();
  const sent = [SYSTEM, TASK, RESULT, progress(1)];
  estimator.correct(sent, [], 2 * estimator.requestTokens(sent, []));
  const compacted: Message[] = [SYSTEM, { role: "user", content: "Summary." }, progress(2)];
  const estimated = compacted.reduce((sum, one) => sum + estimator.messageTokens(one), 3);
  assertEquals(estimator.requestTokens(compacted, []), Math.ceil(estimator.factor * estimated));
});

Deno.test("TokenEstimator learns nothing from servers that do not count or count nonsense", () => {
  const estimator = new TokenEstimator();
  const messages = [SYSTEM, TASK, RESULT];
  const estimated = estimator.requestTokens(messages, []);
  for (const reported of [0, NaN, -5, Math.floor(estimated * 0.29), estimated * 4, Infinity]) {
    estimator.correct(messages, [], reported);
  }
  estimator.correct([], [], 0);
  assertEquals([estimator.factor, estimator.requestTokens(messages, [])], [1, estimated]);
});

Deno.test("TokenEstimator takes messages with the same text and other calls for others", () => {
  const estimator = new TokenEstimator();
  const calling = (text: string): Message => ({
    role: "assistant",
    content: "",
    calls: [{ id: "call_1", name: "run_shell", arguments: text }],
  });
  estimator.correct([SYSTEM, calling("{}"), progress(1)], [], 40);
  const other = [SYSTEM, calling(JSON.stringify({ command: "ls ".repeat(500) })), progress(1)];
  const estimated = other.reduce((sum, one) => sum + estimator.messageTokens(one), 3);
  assertEquals(estimator.requestTokens(other, []), Math.ceil(estimator.factor * estimated));
});

Deno.test("TokenEstimator keeps its count though the list that was counted grows", () => {
  const estimator = new TokenEstimator();
  const messages: Message[] = [SYSTEM, TASK];
  estimator.correct(messages, [], 50);
  messages.push(RESULT);
  assert(estimator.requestTokens(messages, []) > 50);
});

Deno.test("messageTokens() counts thoughts where they go back to the model, with their calls", () => {
  const calls = [{ id: "1", name: "f", arguments: "{}" }];
  const called: AssistantMessage = {
    role: "assistant",
    content: "",
    calls,
    reasoning: "well ".repeat(100),
  };
  const said: AssistantMessage = { ...called, calls: [] };
  let sends = false;
  const estimator = new TokenEstimator(() => sends);
  const tokens = () =>
    [called, said].map((message) => Math.round(estimator.messageTokens(message)));
  const before = tokens();
  assertEquals(
    before,
    [called, said].map(({ reasoning: _, ...message }) =>
      Math.round(new TokenEstimator().messageTokens(message))
    ),
  );
  sends = true;
  assertEquals(tokens(), [before[0]! + Math.round(estimateText("well ".repeat(100))), before[1]]);
});
