import { assertEquals, assertRejects } from "@std/assert";
import { debugFetch } from "../../lib/debug/watch_fetch.ts";
import { ModelWatch } from "../../lib/debug/watch_model.ts";
import { createServerModel } from "../../lib/model/openai.ts";
import { type Model, ModelError, type ModelRequest } from "../../lib/types.ts";
import { fakeTool, NEVER, ScriptedModel } from "../fakes.ts";
import { NO_TIMEOUTS, serverPorts } from "../model/_ports.ts";
import { type Reply, startModelServer } from "../model_server.ts";
import { type MemoryLog, memoryLog, withoutTimes } from "./_lines.ts";

const { name, description, parameters } = fakeTool();
const REQUEST: ModelRequest = {
  messages: [{ role: "system", content: "S" }, { role: "user", content: "Hello" }],
  tools: [{ name, description, parameters }],
};

/** Asks to the end. */
async function asked(model: Model, request = REQUEST): Promise<string[]> {
  const types: string[] = [];
  for await (const { type } of model.ask(request, NEVER)) types.push(type);
  return types;
}

/** Asks a server whose wire is watched. */
async function askedServer(reply: Reply): Promise<MemoryLog> {
  const memory = await memoryLog("", ["sk-test-key-0123456789"]);
  const server = startModelServer(() => reply);
  const watch = new ModelWatch(memory.log);
  const watched = debugFetch(fetch, memory.log, () => watch.ask);
  const place = { baseUrl: server.baseUrl, apiKey: "sk-test-key-0123456789", model: "m" };
  const settings = { ...place, temperature: 0, timeouts: NO_TIMEOUTS };
  try {
    await asked(watch.watch(createServerModel(settings, serverPorts({ fetch: watched }))));
  } finally {
    await server.close();
  }
  return memory;
}

Deno.test("ModelWatch writes down what is asked, once each message, and the turn", async () => {
  const { log, lines } = await memoryLog();
  const watch = new ModelWatch(log);
  const model = watch.watch(new ScriptedModel({ text: "Hi." }));
  assertEquals(await asked(model), ["text", "turn_finished"]);
  const more = { role: "user", content: "And now?" } as const;
  await asked(model, { messages: [...REQUEST.messages, more], tools: [] });
  const turn = {
    type: "turn",
    notes: [],
    message: { role: "assistant", content: "Hi.", calls: [] },
    finish_reason: "stop",
    usage: { inputTokens: 10, outputTokens: 5 },
  };
  assertEquals(JSON.parse(JSON.stringify(withoutTimes(lines()).slice(1))), [
    { type: "definitions", tools: REQUEST.tools },
    {
      type: "asked",
      ask: 1,
      same: 0,
      messages: REQUEST.messages,
      tools: [name],
      answer_schema: null,
    },
    { ...turn, ask: 1 },
    { type: "asked", ask: 2, same: 2, messages: [more], tools: [], answer_schema: null },
    { ...turn, ask: 2 },
  ]);
});

Deno.test("ModelWatch writes down why there was no turn, and leaves the model as it was", async () => {
  const { log, lines } = await memoryLog();
  const watch = new ModelWatch(log);
  const error = new ModelError("context_length", "Too long", { hint: "Less.", window: 4096 });
  const model = watch.watch(new ScriptedModel(error));
  await assertRejects(() => asked(model), ModelError, "Too long");
  assertEquals([model.name, model.recorded], ["scripted", false]);
  assertEquals(withoutTimes(lines()).at(-1), {
    type: "turn_failed",
    ask: 1,
    notes: [],
    text: "",
    error: { code: "context_length", message: "Too long", hint: "Less.", window: 4096 },
  });
});

Deno.test("debugFetch() writes down requests and responses as they were, but for the key", async () => {
  const { text, lines } = await askedServer({ text: ["你", "好"] });
  const types = lines().map(({ type }) => type);
  assertEquals(types.filter((type) => type !== "delta"), [
    ...["debug_started", "definitions", "asked", "request", "response"],
    ...["response_ended", "turn"],
  ]);
  const deltas = lines().flatMap((line) => line.type === "delta" ? [line.text] : []).join("");
  const bytes = lines().flatMap((line) => line.type === "response_ended" ? [line.bytes] : []);
  assertEquals(
    [deltas.match(/"content":"(.)"/g), deltas.endsWith("data: [DONE]\n\n"), bytes],
    [['"content":"你"', '"content":"好"'], true, [new TextEncoder().encode(deltas).length]],
  );
  assertEquals(text().includes("sk-test-key"), false);
});

Deno.test("debugFetch() withholds pieces that hold a secret only together", async () => {
  const { text, lines } = await askedServer({ text: ["AKIAIOSF", "ODNN7EXAMPLE"] });
  const ended = lines().find(({ type }) => type === "response_ended");
  assertEquals(
    ended?.type === "response_ended" && ended.note,
    "deltas withheld: together they hold a secret",
  );
  assertEquals(text().match(/AKIAIOSF|ODNN7EXAMPLE/), null);
});

Deno.test("debugFetch() withholds pieces that hold a secret only as JSON means it", async () => {
  const calls = [{ name: "run_shell", arguments: { password: "correct horse battery" } }];
  const { text } = await askedServer({ calls });
  assertEquals(text().includes("correct horse"), false);
});

Deno.test("debugFetch() writes down that there was no response", async () => {
  const { log, lines } = await memoryLog();
  const refused = debugFetch(() => Promise.reject(new TypeError("refused")), log, () => null);
  await assertRejects(() => refused("http://127.0.0.1:1/v1/models"), TypeError, "refused");
  assertEquals(withoutTimes(lines()).slice(1), [
    {
      type: "request",
      ask: null,
      request: 1,
      method: "GET",
      url: "http://127.0.0.1:1/v1/models",
      headers: {},
      body: null,
    },
    { type: "response_ended", request: 1, bytes: 0, note: "refused" },
  ]);
});
