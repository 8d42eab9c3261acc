import { assertEquals, assertRejects } from "@std/assert";
import { DEFAULT_CAPABILITIES } from "../../lib/model/capabilities.ts";
import { createServerModel, type ServerSettings } from "../../lib/model/openai.ts";
import { type Message, type ModelChunk, ModelError, type ModelRequest } from "../../lib/types.ts";
import { fakeTool, NEVER } from "../fakes.ts";
import { NO_TIMEOUTS, serverPorts } from "./_ports.ts";
import { type ModelServer, type Reply, startModelServer } from "../model_server.ts";

const QUESTION: ModelRequest = { messages: [{ role: "user", content: "Hi" }], tools: [] };

const SETTINGS = { apiKey: "sk-test", model: "m", temperature: 0.2, timeouts: NO_TIMEOUTS };

/** A stream of events as a server would write them, byte for byte. */
function streamOf(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** Lines `data: …`, with an empty line after each. */
function events(...values: readonly unknown[]): Response {
  const lines = values.map((value) => typeof value === "string" ? value : JSON.stringify(value));
  return streamOf(lines.map((line) => `data: ${line}\n\n`).join(""));
}

function chunkOf(delta: unknown, finish_reason: string | null = null): unknown {
  return { choices: [{ index: 0, delta, finish_reason }] };
}

/** Serves these replies, the last one for ever, while the work goes on. */
async function serving<T>(
  replies: readonly (Reply | (() => Reply))[],
  work: (settings: ServerSettings, server: ModelServer) => Promise<T>,
): Promise<T> {
  const server = startModelServer((_request, index) => {
    const reply = replies[index] ?? replies.at(-1) ?? {};
    return typeof reply === "function" ? reply() : reply;
  });
  try {
    return await work({ ...SETTINGS, baseUrl: server.baseUrl }, server);
  } finally {
    await server.close();
  }
}

async function ask(
  settings: ServerSettings,
  options: { request?: ModelRequest; signal?: AbortSignal } = {},
): Promise<ModelChunk[]> {
  const model = createServerModel(settings, serverPorts());
  return await Array.fromAsync(model.ask(options.request ?? QUESTION, options.signal ?? NEVER));
}

/** The whole turn that comes of one reply. */
function turnOf(reply: Reply): Promise<ModelChunk | undefined> {
  return serving([reply], async (settings) => (await ask(settings)).at(-1));
}

/** How asking fails where a server always says this. */
async function failureOf(reply: Response, overrides: Partial<ServerSettings> = {}) {
  return await serving([() => reply.clone()], async (settings, server) => {
    const error = await assertRejects(() => ask({ ...settings, ...overrides }), ModelError);
    const { code, hint, status } = error;
    const message = error.message.replace(server.baseUrl, "BASE");
    return { code, message, hint, status, requests: server.requests.length };
  });
}

Deno.test("createServerModel() has the server hold an answer to a schema, where it is asked to", async () => {
  const answerSchema = { type: "object" };
  const sent = await serving([{ text: "{}" }], async (settings, { requests }) => {
    const capabilities = { ...DEFAULT_CAPABILITIES, jsonSchema: true };
    await ask({ ...settings, capabilities }, { request: { ...QUESTION, answerSchema } });
    await ask({ ...settings, capabilities });
    return requests.map(({ body }) => Object.entries(body).filter(([name]) => /form/.test(name)));
  });
  const json_schema = { name: "answer", schema: answerSchema };
  assertEquals(sent, [[["response_format", { type: "json_schema", json_schema }]], []]);
});

Deno.test("createServerModel() streams text as it comes and ends with the turn", async () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  const chunks = await serving([{ text: ["Hel", "lo."], usage }], (settings) => ask(settings));
  assertEquals(chunks, [
    { type: "text", text: "Hel" },
    { type: "text", text: "lo." },
    {
      type: "turn_finished",
      message: { role: "assistant", content: "Hello.", calls: [] },
      finishReason: "stop",
      usage: { inputTokens: 3, outputTokens: 2 },
    },
  ]);
});

Deno.test("createServerModel() hands text on before the turn has ended", async () => {
  const gate = Promise.withResolvers<void>();
  await serving([{ text: ["first", "second"], gate: gate.promise }], async (settings) => {
    const chunks = createServerModel(settings, serverPorts()).ask(QUESTION, NEVER)
      [Symbol.asyncIterator]();
    assertEquals((await chunks.next()).value, { type: "text", text: "first" });
    gate.resolve();
    assertEquals((await chunks.next()).value, { type: "text", text: "second" });
    await chunks.return?.();
  });
});

Deno.test("createServerModel() sends the conversation, the tools and its settings", async () => {
  const messages: Message[] = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Hi" },
    {
      role: "assistant",
      content: "",
      calls: [
        { id: "a", name: "f", arguments: '{"n":1}' },
        { id: "b", name: "f", arguments: "" },
        { id: "c", name: "f", arguments: '{"cut": "o' },
        { id: "d", name: "f", arguments: "[1]" },
      ],
    },
    { role: "tool", callId: "a", content: "1" },
    { role: "assistant", content: "Done.", calls: [] },
  ];
  const { name, description, parameters } = fakeTool();
  await serving([{ text: "ok" }], async (settings, server) => {
    const tools = [{ name, description, parameters }];
    await ask(settings, { request: { messages, tools } });
    const called = (id: string, args: string) => ({
      id,
      type: "function",
      function: { name: "f", arguments: args },
    });
    const [request] = server.requests;
    assertEquals(request?.path, "/v1/chat/completions");
    assertEquals(request?.headers.get("authorization"), "Bearer sk-test");
    assertEquals(request?.body as unknown, {
      model: "m",
      temperature: 0.2,
      stream: true,
      stream_options: { include_usage: true },
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            called("a", '{"n":1}'),
            called("b", "{}"),
            called("c", "{}"),
            called("d", "{}"),
          ],
        },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "assistant", content: "Done." },
      ],
      tools: [{ type: "function", function: { name, description, parameters } }],
    });
  });
});

Deno.test("createServerModel() without a key sends no authorization, and no tools where none are", async () => {
  await serving([{ text: "ok" }], async (settings, server) => {
    await ask({ ...settings, apiKey: null });
    const [request] = server.requests;
    assertEquals([request?.headers.get("authorization"), request?.body.tools], [null, undefined]);
  });
});

Deno.test("createServerModel() takes a call for a call, even where the server says stop", async () => {
  const calls = [{ name: "f", arguments: { n: 1 } }];
  assertEquals(await turnOf({ calls, finishReason: "stop" }), {
    type: "turn_finished",
    message: {
      role: "assistant",
      content: "",
      calls: [{ id: "call_0_0", name: "f", arguments: '{"n":1}' }],
    },
    finishReason: "calls",
    usage: { inputTokens: 10, outputTokens: 5 },
  });
});

Deno.test("createServerModel() gives calls without ids an id each, turn after turn", async () => {
  const call = { tool_calls: [{ function: { name: "f", arguments: "{}" } }] };
  const reply = () => events(chunkOf(call), chunkOf({}, "tool_calls"), "[DONE]");
  await serving([reply], async (settings) => {
    const model = createServerModel(settings, serverPorts());
    const ids: string[] = [];
    for (let turn = 0; turn < 2; turn++) {
      for await (const chunk of model.ask(QUESTION, NEVER)) {
        if (chunk.type === "turn_finished") ids.push(...chunk.message.calls.map(({ id }) => id));
      }
    }
    assertEquals(ids, ["rein_1", "rein_2"]);
  });
});

Deno.test("createServerModel() reads past comments, odd chunks and missing usage", async () => {
  const stream = ": keepalive\n\n" +
    `data: ${JSON.stringify({ choices: [] })}\n\n` +
    ": keepalive\n\n" +
    `data: ${JSON.stringify(chunkOf({ role: "assistant", content: "H" }))}\n\n` +
    `data: ${JSON.stringify(chunkOf({ content: "i" }))}\r\n\r\n` +
    `data: ${JSON.stringify({ choices: [{ index: 0, finish_reason: "stop" }] })}\n\n`;
  assertEquals(await turnOf(streamOf(stream)), {
    type: "turn_finished",
    message: { role: "assistant", content: "Hi", calls: [] },
    finishReason: "stop",
    usage: { inputTokens: 0, outputTokens: 0 },
  });
});

Deno.test("createServerModel() takes a whole completion where no stream comes", async () => {
  const message = {
    content: "Hi",
    tool_calls: [
      { id: "a", function: { name: "f", arguments: { n: 1 } } },
      { id: "b", function: { name: "f", arguments: { n: 2 } } },
    ],
  };
  const body = {
    choices: [{ index: 0, message, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 1, completion_tokens: 2 },
  };
  assertEquals(await turnOf(Response.json(body)), {
    type: "turn_finished",
    message: {
      role: "assistant",
      content: "Hi",
      calls: [
        { id: "a", name: "f", arguments: '{"n":1}' },
        { id: "b", name: "f", arguments: '{"n":2}' },
      ],
    },
    finishReason: "calls",
    usage: { inputTokens: 1, outputTokens: 2 },
  });
});

Deno.test("createServerModel() says what a server refuses, and asks again only where that may help", async () => {
  const error = (message: string) => ({ error: { message, type: "t" } });
  assertEquals(await failureOf(Response.json(error("Bad key"), { status: 401 })), {
    code: "unauthorized",
    message: "The model server at BASE answered 401: Bad key",
    hint: "Check OPENAI_API_KEY: the server does not accept this key.",
    status: 401,
    requests: 1,
  });
  const keyless = await failureOf(Response.json(error("No key"), { status: 401 }), {
    apiKey: null,
  });
  assertEquals(keyless.hint, "Set OPENAI_API_KEY, or pass --env-file FILE with it.");
  assertEquals(await failureOf(Response.json(error("model m not found"), { status: 404 })), {
    code: "not_found",
    message: "The model server at BASE answered 404: model m not found",
    hint: 'Check the model\'s name, "m", and that the address ends as the server wants it, ' +
      "usually in /v1.",
    status: 404,
    requests: 1,
  });
  assertEquals(await failureOf(Response.json(error("Slow down"), { status: 429 })), {
    code: "rate_limited",
    message: "The model server at BASE answered 429: Slow down (4 attempts)",
    hint: "Wait and try again, or check the account's quota.",
    status: 429,
    requests: 4,
  });
  assertEquals(await failureOf(Response.json(error("Too long"), { status: 400 })), {
    code: "rejected",
    message: "The model server at BASE answered 400: Too long",
    hint: "Check the model and the address.",
    status: 400,
    requests: 1,
  });
  assertEquals(await failureOf(new Response("<h1>Oops</h1>\n<p>down</p>", { status: 500 })), {
    code: "server_error",
    message: "The model server at BASE answered 500: Oops down (4 attempts)",
    hint: "Try again; if it stays, look at the server's log.",
    status: 500,
    requests: 4,
  });
});

Deno.test("createServerModel() says what a page says that is no model server", async () => {
  const html = new Response("<!doctype html>\n<title>Router</title>", {
    headers: { "content-type": "text/html" },
  });
  assertEquals(await failureOf(html), {
    code: "bad_response",
    message: 'The model server at BASE answered "<!doctype html> <title>Router</title>", ' +
      "not an event stream",
    hint: "Check --base-url or OPENAI_BASE_URL; it usually ends in /v1.",
    status: null,
    requests: 1,
  });
});

Deno.test("createServerModel() finds the error in a body that came with 200", async () => {
  const failures = [
    await failureOf(Response.json({ error: { message: "Quota exhausted" } })),
    await failureOf(Response.json({ error: "model not loaded" })),
  ];
  const hint = "Check the model's name and the server's log.";
  assertEquals(failures, [
    {
      code: "rejected",
      message: "The model server at BASE answered with an error: Quota exhausted",
      hint,
      status: null,
      requests: 1,
    },
    {
      code: "rejected",
      message: "The model server at BASE answered with an error: model not loaded",
      hint,
      status: null,
      requests: 1,
    },
  ]);
});

Deno.test("createServerModel() finds the error inside a stream", async () => {
  const reply = events(chunkOf({ content: "Hi" }), { error: { message: "Out of memory" } });
  assertEquals(await failureOf(reply), {
    code: "rejected",
    message: "The model server at BASE sent an error: Out of memory",
    hint: "Check the model and the address.",
    status: null,
    requests: 1,
  });
});

Deno.test("createServerModel() refuses a stream that is not JSON", async () => {
  const { code, message } = await failureOf(events("{not json"));
  assertEquals([code, message], [
    "bad_response",
    'The model server at BASE sent a stream that is not valid JSON: "{not json"',
  ]);
});

Deno.test("createServerModel() takes a stream without an end for cut off", async () => {
  const failures = [
    await failureOf(events(chunkOf({ content: "Hi" }))),
    await failureOf(events("[DONE]")),
    await failureOf(streamOf("")),
  ];
  assertEquals(failures.map(({ code, message }) => [code, message]), [
    [
      "bad_response",
      "The model server at BASE ended its stream before the turn was complete (4 attempts)",
    ],
    [
      "bad_response",
      "The model server at BASE ended its stream before the turn was complete (4 attempts)",
    ],
    [
      "bad_response",
      "The model server at BASE ended its stream before the turn was complete (4 attempts)",
    ],
  ]);
});

/** Answers every connection with these bytes, whatever it asks, and hangs up. */
async function hangUpAfter(listener: Deno.TcpListener, answer: string): Promise<number> {
  let connections = 0;
  for await (const connection of listener) {
    connections++;
    await connection.read(new Uint8Array(64 * 1024));
    await connection.write(new TextEncoder().encode(answer));
    connection.close();
  }
  return connections;
}

Deno.test("createServerModel() says that the connection broke in the middle", async () => {
  const event = `data: ${JSON.stringify(chunkOf({ content: "Hi" }))}\n\n`;
  const answer = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n" +
    `transfer-encoding: chunked\r\n\r\n${event.length.toString(16)}\r\n${event}\r\n`;
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answered = hangUpAfter(listener, answer);
  const settings = { ...SETTINGS, baseUrl: `http://127.0.0.1:${listener.addr.port}/v1` };
  const { code, status } = await assertRejects(() => ask(settings), ModelError);
  listener.close();
  assertEquals([code, status, await answered], ["unreachable", null, 4]);
});

Deno.test("createServerModel() says that nobody listens at the address", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const baseUrl = `http://127.0.0.1:${listener.addr.port}/v1`;
  listener.close();
  const error = await assertRejects(() => ask({ ...SETTINGS, baseUrl }), ModelError);
  assertEquals([error.code, error.hint, error.status], [
    "unreachable",
    "Start the server, or set another one with --base-url or OPENAI_BASE_URL.",
    null,
  ]);
  assertEquals(
    error.message.startsWith(`The model server at ${baseUrl} can't be reached: `),
    true,
  );
});

Deno.test("createServerModel() ends with the run's reason when it is interrupted in a stream", async () => {
  const gate = Promise.withResolvers<void>();
  await serving([{ text: ["Hi", "never"], gate: gate.promise }], async (settings) => {
    const run = new AbortController();
    const asked = createServerModel(settings, serverPorts()).ask(QUESTION, run.signal);
    const seen: ModelChunk[] = [];
    const reason = await (async () => {
      for await (const chunk of asked) {
        seen.push(chunk);
        run.abort("stop");
      }
    })().catch((thrown) => thrown);
    gate.resolve();
    assertEquals([seen, reason], [[{ type: "text", text: "Hi" }], "stop"]);
  });
});

Deno.test("createServerModel() ends with the run's reason when it is interrupted before an answer", async () => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const server = startModelServer(async () => {
    asked.resolve();
    await gate.promise;
    return { text: "late" };
  });
  const run = new AbortController();
  const settings = { ...SETTINGS, baseUrl: server.baseUrl };
  const answer = ask(settings, { signal: run.signal }).catch((thrown) => thrown);
  await asked.promise;
  run.abort("stop");
  assertEquals(await answer, "stop");
  gate.resolve();
  await server.close();
});

Deno.test("createServerModel() never shows the key, even one that no header can hold", async () => {
  const settings = { ...SETTINGS, baseUrl: "http://127.0.0.1:9/v1", apiKey: "sk-se\ncret" };
  const error = await assertRejects(() => ask(settings), ModelError);
  assertEquals(`${error.message} ${error.hint}`.includes("cret"), false);
});

Deno.test("createServerModel() never shows the key that a server repeats", async () => {
  const error = { error: { message: "Key sk-secret-1 is unknown" } };
  const failures = [
    await failureOf(Response.json(error, { status: 401 }), { apiKey: "sk-secret-1" }),
    await failureOf(Response.json(error), { apiKey: "sk-secret-1" }),
    await failureOf(events(error), { apiKey: "sk-secret-1" }),
    await failureOf(new Response("sk-secret-1?"), { apiKey: "sk-secret-1" }),
  ];
  assertEquals(failures.map(({ message }) => message), [
    "The model server at BASE answered 401: Key [key] is unknown",
    "The model server at BASE answered with an error: Key [key] is unknown",
    "The model server at BASE sent an error: Key [key] is unknown",
    'The model server at BASE answered "[key]?", not an event stream',
  ]);
});
