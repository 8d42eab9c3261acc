import { assertEquals } from "@std/assert";
import { createAnswerForm } from "../lib/answer/form.ts";
import { run, type RunPorts } from "../lib/loop.ts";
import { newRecord } from "../lib/record.ts";
import { restoreRecord } from "../lib/session/restore.ts";
import { DEFAULT_LIMITS } from "../lib/stop.ts";
import type { JsonObject, ModelChunk } from "../lib/types.ts";
import { ModelError } from "../lib/types.ts";
import { runFaults } from "./_schemas.ts";
import {
  aborted,
  FakeClock,
  fakeRunPorts,
  judgeAll,
  NEVER,
  play,
  type PlayedRun,
  ScriptedModel,
  type ScriptedTurn,
} from "./fakes.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { full: { type: "boolean" } },
  required: ["full"],
  additionalProperties: false,
};
const ECHO: ScriptedTurn = { calls: [{ name: "echo", arguments: { text: "hi" } }] };
const FITS: ScriptedTurn = { text: '{ "full": true }' };
const PROSE: ScriptedTurn = { text: "It is full." };
const WRONG: ScriptedTurn = { text: '{"full": "yes"}' };

/** Plays a run whose answer must fit, and holds all that it told to the published schemas. */
async function follow(
  model: ScriptedModel,
  overrides: Partial<RunPorts> = {},
  { bound = false, signal = NEVER, record = newRecord() } = {},
): Promise<PlayedRun> {
  const answerForm = await createAnswerForm(SCHEMA, { bound });
  const ports = fakeRunPorts(model, { answerForm, ...overrides });
  const played = await play(run({ task: "Is it full?", record }, ports, signal));
  assertEquals(runFaults(played), []);
  // What failed is in no event but the last.
  assertEquals({ ...restoreRecord(played.events), error: record.error }, record);
  return played;
}

function ending({ result }: PlayedRun) {
  const { stop_reason, status, answer, data, steps, error } = result;
  return { stop_reason, status, answer, data, steps, error: error?.code ?? null };
}

const ANSWERED = { stop_reason: "answered", status: "success", error: null } as const;

/** What was checked, in order: the errors, and whether the model was asked again. */
function checks({ events }: PlayedRun) {
  return events.flatMap((event) =>
    event.type === "answer_checked" ? [[event.errors, event.correction !== null]] : []
  );
}

/** Whether each request offered tools, and whether the server was to hold its answer. */
function requests(model: ScriptedModel) {
  return model.requests.map(({ tools, answerSchema }) => [tools.length > 0, answerSchema ?? null]);
}

Deno.test("run() takes an answer that fits at once, compact and as data", async () => {
  const model = new ScriptedModel(ECHO, FITS);
  const played = await follow(model);
  assertEquals(ending(played), {
    ...ANSWERED,
    answer: '{"full":true}',
    data: { full: true },
    steps: 2,
  });
  assertEquals([checks(played), requests(model)], [[[[], false]], [[true, null], [true, null]]]);
});

Deno.test("run() tells the schema with every step, behind all else, and keeps it nowhere", async () => {
  const model = new ScriptedModel(ECHO, FITS);
  await follow(model);
  const told = model.requests.map(({ messages }) =>
    messages.map(({ content }) => content.includes(JSON.stringify(SCHEMA)))
  );
  assertEquals(told, [[false, false, true], [false, false, false, false, true]]);
});

Deno.test("run() asks for an answer again that does not fit, with the errors and without tools", async () => {
  const model = new ScriptedModel(ECHO, PROSE, WRONG, FITS);
  const played = await follow(model);
  assertEquals(ending(played), {
    ...ANSWERED,
    answer: '{"full":true}',
    data: { full: true },
    steps: 2,
  });
  assertEquals(checks(played), [
    [["the answer holds no JSON value"], true],
    [["/full must be boolean"], true],
    [[], false],
  ]);
  assertEquals(requests(model), [[true, null], [true, null], [false, null], [false, null]]);
  const last = model.requests.at(-1)?.messages.slice(-4).map(({ role, content }) => [
    role,
    content.slice(0, 62),
  ]);
  assertEquals(last, [
    ["user", "Your answer does not fit its JSON Schema: the answer holds no "],
    ["assistant", '{"full": "yes"}'],
    ["user", "Your answer does not fit its JSON Schema: /full must be boolea"],
    ["user", "No more tools can be called. Answer now with one JSON value th"],
  ]);
  assertEquals(played.result.usage.input_tokens, 40);
});

Deno.test("run() ends schema_unmet after two corrections, with the errors and what was said", async () => {
  const model = new ScriptedModel(PROSE, WRONG, { text: '{"full": 1}' }, FITS);
  const played = await follow(model);
  assertEquals([model.requests.length, ending(played)], [3, {
    stop_reason: "schema_unmet",
    status: "failed",
    answer: '{"full": 1}',
    data: null,
    steps: 1,
    error: "schema_unmet",
  }]);
  assertEquals(played.result.error, {
    code: "schema_unmet",
    message: "The answer does not fit the schema after 2 corrections: /full must be boolean",
    hint: "Look at the schema and the question, or use another model.",
  });
  assertEquals(played.result.ending?.obtained, ['The model\'s last words: {"full": 1}']);
});

Deno.test("run() lets the server hold only the answers that are asked for again", async () => {
  const model = new ScriptedModel(ECHO, PROSE, FITS);
  await follow(model, {}, { bound: true });
  assertEquals(requests(model), [[true, null], [true, null], [false, SCHEMA]]);
});

Deno.test("run() runs no call that comes instead of an answer that was asked for again", async () => {
  const model = new ScriptedModel(PROSE, ECHO, FITS);
  const played = await follow(model);
  assertEquals([played.result.calls, ending(played).answer], [[], '{"full":true}']);
  assertEquals(checks(played).map(([errors]) => errors), [
    ["the answer holds no JSON value"],
    ["the answer holds no JSON value"],
    [],
  ]);
});

Deno.test("run() binds neither what is said beside calls, nor summaries, nor words after a denial", async () => {
  const beside: ScriptedTurn = { text: "I look.", calls: [{ name: "echo" }] };
  const limits = { ...DEFAULT_LIMITS, maxSteps: 1 };
  const stopped = await follow(new ScriptedModel(beside, PROSE), { limits });
  const denied = await follow(new ScriptedModel(ECHO, PROSE), { judge: judgeAll("deny") });
  assertEquals([stopped, denied].map((played) => [ending(played), checks(played)]), [
    [{ ...ending(stopped), stop_reason: "step_limit", answer: "It is full.", data: null }, []],
    [{ ...ending(denied), stop_reason: "blocked", answer: "It is full.", data: null }, []],
  ]);
});

Deno.test("run() asks for no answer again that its limits do not leave room for", async () => {
  const limits = { ...DEFAULT_LIMITS, maxTokens: 40 };
  const model = new ScriptedModel(PROSE, FITS);
  const { context } = fakeRunPorts(model);
  context.tokensOf = () => 10;
  const played = await follow(model, { limits, context });
  assertEquals([ending(played), model.requests.length], [{
    stop_reason: "token_limit",
    status: "unfinished",
    answer: "It is full.",
    data: null,
    steps: 1,
    error: null,
  }, 1]);
});

Deno.test("run() ends with the model's failure, an interruption or the time while it asks again", async () => {
  const failure = new ModelError("server_error", "Out of order", { hint: "Wait." });
  const failed = await follow(new ScriptedModel(PROSE, failure));
  const controller = new AbortController();
  async function* thinking(signal: AbortSignal): AsyncGenerator<ModelChunk> {
    yield { type: "text", text: "{" };
    controller.abort();
    await aborted(signal);
    throw signal.reason;
  }
  const model = new ScriptedModel(PROSE, thinking);
  const interrupted = await follow(model, {}, { signal: controller.signal });
  const clock = new FakeClock();
  async function* late(signal: AbortSignal): AsyncGenerator<ModelChunk> {
    yield { type: "text", text: "{" };
    await clock.advance(1000);
    await aborted(signal);
    throw signal.reason;
  }
  const limits = { ...DEFAULT_LIMITS, maxTimeMs: 1000 };
  const slow = await follow(new ScriptedModel(PROSE, late, PROSE), { clock, limits });
  assertEquals([failed, interrupted, slow].map((played) => ending(played).stop_reason), [
    "model_error",
    "interrupted",
    "time_limit",
  ]);
});
