import { assertEquals, assertRejects } from "@std/assert";
import { DEFAULT_CAPABILITIES } from "../../lib/model/capabilities.ts";
import { createServerModel, type ServerSettings } from "../../lib/model/openai.ts";
import { toTextMessages } from "../../lib/model/text_protocol.ts";
import {
  type AssistantMessage,
  type Message,
  type Model,
  type ModelChunk,
  ModelError,
  type ModelRequest,
} from "../../lib/types.ts";
import { fakeTool, NEVER } from "../fakes.ts";
import { type ModelServer, type Reply, startModelServer } from "../model_server.ts";
import { NO_TIMEOUTS, serverPorts } from "./_ports.ts";

const { name, description, parameters } = fakeTool();
const TOOL = { name, description, parameters };
const SYSTEM: Message = { role: "system", content: "S" };
const TASK: Message = { role: "user", content: "U" };
const QUESTION: ModelRequest = { messages: [SYSTEM, TASK], tools: [TOOL] };
const CALL = `<tool_call>\n{"name": "${name}", "arguments": {"text": "你好"}}\n</tool_call>`;
const SETTINGS = { apiKey: null, model: "m", temperature: 0.2, timeouts: NO_TIMEOUTS };
const USAGE = { inputTokens: 10, outputTokens: 5 };

/** A stream of these deltas, as bytes. */
function bytesOf(deltas: readonly unknown[], finish: string): Uint8Array {
  const events = [...deltas.map((delta) => ({ delta })), { delta: {}, finish_reason: finish }]
    .map((choice) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
  return new TextEncoder().encode(`${events.join("")}data: [DONE]\n\n`);
}

/** What a model gives of a response that comes in these pieces. */
async function chunksOf(pieces: readonly Uint8Array[], request = QUESTION): Promise<ModelChunk[]> {
  const send = () => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return Promise.resolve(
      new Response(body, { headers: { "content-type": "text/event-stream" } }),
    );
  };
  const settings = { ...SETTINGS, baseUrl: "http://model.test/v1" };
  const model = createServerModel(settings, serverPorts({ fetch: send }));
  return await Array.fromAsync(model.ask(request, NEVER));
}

/** Chunks with neighbours of one type joined. */
function joined(chunks: readonly ModelChunk[]): unknown[] {
  const all: ModelChunk[] = [];
  for (const chunk of chunks) {
    const last = all.at(-1);
    if (last?.type === "text" && chunk.type === "text") {
      all[all.length - 1] = { type: "text", text: last.text + chunk.text };
    } else if (last?.type === "reasoning" && chunk.type === "reasoning") {
      all[all.length - 1] = { type: "reasoning", text: last.text + chunk.text };
    } else all.push(chunk);
  }
  return all;
}

const THOUGHT_AND_CALLED: readonly unknown[] = [
  { type: "reasoning", text: "嗯…" },
  { type: "text", text: "我看看。\n" },
  {
    type: "turn_finished",
    message: {
      role: "assistant",
      content: "我看看。",
      calls: [{ id: "rein_1", name, arguments: '{"text":"你好"}' }],
      reasoning: "嗯…",
    },
    finishReason: "calls",
    usage: { inputTokens: 0, outputTokens: 0 },
  },
];

Deno.test("a turn of thoughts, words and a written call is the same, cut at every byte", async () => {
  const deltas = ["<thi", "nk>嗯…</think>\n\n我看看。\n", CALL].map((content) => ({ content }));
  const bytes = bytesOf(deltas, "stop");
  assertEquals(joined(await chunksOf([bytes])), THOUGHT_AND_CALLED as unknown[]);
  for (let cut = 1; cut < bytes.length; cut++) {
    const chunks = await chunksOf([bytes.slice(0, cut), bytes.slice(cut)]);
    assertEquals(joined(chunks), THOUGHT_AND_CALLED as unknown[]);
  }
});

Deno.test("thoughts come in any of the fields that servers have for them", async () => {
  for (const field of ["reasoning_content", "reasoning"]) {
    const deltas = [{ [field]: "嗯" }, { [field]: "…" }, { content: "我看看。\n" + CALL }];
    const chunks = await chunksOf([bytesOf(deltas, "stop")]);
    assertEquals(joined(chunks), THOUGHT_AND_CALLED as unknown[]);
  }
});

Deno.test("thoughts whose beginning no tag told make void what was told of them", async () => {
  const model = scripted([["Hm.", "\n</think>\n\nYes."], ["Hm", ".\n</think>\n\nYes."]]);
  assertEquals(joined(await Array.fromAsync(model.ask(QUESTION, NEVER))).slice(0, 3), [
    { type: "text", text: "Hm.\n" },
    { type: "restart" },
    { type: "text", text: "Yes." },
  ]);
  // The next turn of the same model is known to begin so.
  assertEquals(joined(await Array.fromAsync(model.ask(QUESTION, NEVER))).slice(0, 2), [
    { type: "reasoning", text: "Hm.\n" },
    { type: "text", text: "Yes." },
  ]);
});

/** A model that says these texts, a turn each. */
function scripted(turns: readonly (readonly string[])[]): Model {
  let turn = 0;
  const send = () => {
    const deltas = (turns[turn++] ?? []).map((content) => ({ content }));
    const headers = { "content-type": "text/event-stream" };
    return Promise.resolve(new Response(bytesOf(deltas, "stop").slice(), { headers }));
  };
  const settings = { ...SETTINGS, baseUrl: "http://model.test/v1" };
  return createServerModel(settings, serverPorts({ fetch: send }));
}

Deno.test("a written call that was cut off ends the turn as one that was cut off", async () => {
  const half = CALL.slice(0, CALL.indexOf("好"));
  const last = (await chunksOf([bytesOf([{ content: half }], "stop")])).at(-1);
  assertEquals(last?.type === "turn_finished" && [last.finishReason, last.message.calls], [
    "length",
    [{ id: "rein_1", name, arguments: '{"text": "你' }],
  ]);
});

Deno.test("a written call is text where no tools were offered", async () => {
  const request = { ...QUESTION, tools: [] };
  const last = (await chunksOf([bytesOf([{ content: CALL }], "stop")], request)).at(-1);
  assertEquals(last?.type === "turn_finished" && [last.finishReason, last.message], [
    "stop",
    { role: "assistant", content: CALL, calls: [] },
  ]);
});

/** Lets a server answer by this script, and a model be asked. */
async function serving<T>(
  script: (index: number, server: { readonly hasTools: boolean }) => Reply,
  work: (model: Model, server: ModelServer) => Promise<T>,
  settings: Partial<ServerSettings> = {},
): Promise<T> {
  const server = startModelServer(({ body }, index) =>
    script(index, { hasTools: body.tools !== undefined })
  );
  try {
    const asked = { ...SETTINGS, baseUrl: server.baseUrl, ...settings };
    return await work(createServerModel(asked, serverPorts()), server);
  } finally {
    await server.close();
  }
}

function refusal(message: string, status = 400): Response {
  return Response.json({ error: { message } }, { status });
}

const CALLED: AssistantMessage = {
  role: "assistant",
  content: "",
  calls: [{ id: "1", name, arguments: "{}" }],
  reasoning: "Hm.",
};
const ROUND: ModelRequest = {
  messages: [SYSTEM, TASK, CALLED, { role: "tool", callId: "1", content: "R" }],
  tools: [TOOL],
};

Deno.test("tools that a server refuses are asked for in text, for the rest of the run", async () => {
  const words = "registry.ollama.ai/library/m does not support tools";
  const script = (_index: number, { hasTools }: { hasTools: boolean }) =>
    hasTools ? refusal(words) : { text: ["I look.\n", CALL] };
  await serving(script, async (model, server) => {
    assertEquals(model.toolProtocol, "native");
    assertEquals(joined(await Array.fromAsync(model.ask(QUESTION, NEVER))), [
      {
        type: "adapted",
        what: "tools are described in the prompt and called in plain text",
        why: words,
      },
      { type: "text", text: "I look.\n" },
      {
        type: "turn_finished",
        message: {
          role: "assistant",
          content: "I look.",
          calls: [{ id: "rein_1", name, arguments: '{"text":"你好"}' }],
        },
        finishReason: "calls",
        usage: USAGE,
      },
    ]);
    await Array.fromAsync(model.ask(ROUND, NEVER));
    assertEquals(model.toolProtocol, "text");
    assertEquals(server.requests.map(({ body }) => body.tools?.length ?? 0), [1, 0, 0]);
    assertEquals(
      server.requests[2]?.body.messages.map(({ role, content }) => ({ role, content })),
      toTextMessages(ROUND.messages, [TOOL]).map(({ role, content }) => ({ role, content })),
    );
  });
});

Deno.test("what a server refuses is left out from then on, one thing after another", async () => {
  const refusals = [
    "Unsupported value: 'temperature' does not support 0.2 with this model.",
    "Unrecognized request argument supplied: stream_options",
  ];
  const script = (index: number) => {
    const words = refusals[index];
    return words === undefined ? { text: "ok" } : refusal(words);
  };
  await serving(script, async (model, server) => {
    const chunks = await Array.fromAsync(model.ask(QUESTION, NEVER));
    assertEquals(chunks.flatMap((chunk) => chunk.type === "adapted" ? [chunk] : []), [
      { type: "adapted", what: "no temperature is sent", why: refusals[0] ?? "" },
      { type: "adapted", what: "usage is not asked for", why: refusals[1] ?? "" },
    ]);
    await Array.fromAsync(model.ask(QUESTION, NEVER));
    assertEquals(
      server.requests.map(({ body }) => ["temperature" in body, "stream_options" in body]),
      [[true, true], [false, true], [false, false], [false, false]],
    );
  });
});

Deno.test("a refusal that stays is the model's failure, and is asked about once more only", async () => {
  await serving(() => refusal("temperature is not supported"), async (model, server) => {
    const asking = Array.fromAsync(model.ask(QUESTION, NEVER));
    assertEquals((await assertRejects(() => asking, ModelError)).code, "rejected");
    assertEquals(server.requests.length, 2);
  });
});

Deno.test("tools are asked for natively alone where the person says so", async () => {
  const script = () => refusal("m does not support tools");
  await serving(script, async (model, server) => {
    await assertRejects(() => Array.fromAsync(model.ask(QUESTION, NEVER)), ModelError);
    assertEquals([server.requests.length, model.toolProtocol], [1, "native"]);
  }, { toolProtocol: "native" });
});

/** The message of the call, as it was sent. */
function sent(server: ModelServer, request: number): unknown {
  return server.requests[request]?.body.messages[2];
}

const SENT = {
  role: "assistant",
  content: null,
  tool_calls: [{ id: "1", type: "function", function: { name, arguments: "{}" } }],
};

Deno.test("thoughts go back with their call where the model wants them, and nowhere else", async () => {
  const back = { ...DEFAULT_CAPABILITIES, reasoningBack: "calls" as const };
  for (
    const [capabilities, fields] of [
      [DEFAULT_CAPABILITIES, {}],
      [back, { reasoning_content: "Hm." }],
      [{ ...back, reasoningField: "reasoning" as const }, { reasoning: "Hm." }],
    ] as const
  ) {
    await serving(() => ({ text: "ok" }), async (model, server) => {
      await Array.fromAsync(model.ask(ROUND, NEVER));
      assertEquals(sent(server, 0), { ...SENT, ...fields });
      assertEquals(model.sendsReasoning, capabilities.reasoningBack === "calls");
    }, { capabilities });
  }
});

Deno.test("thoughts that a server misses are sent again, and those of no call with a blank", async () => {
  const words = "Missing `reasoning_content` field in the assistant message at message index 2.";
  const script = (index: number) => index === 0 ? refusal(words) : { text: "ok" };
  await serving(script, async (model, server) => {
    await Array.fromAsync(model.ask(ROUND, NEVER));
    const { reasoning: _none, ...blank } = CALLED;
    const messages = ROUND.messages.map((one) => one === CALLED ? blank : one);
    await Array.fromAsync(model.ask({ ...ROUND, messages }, NEVER));
    assertEquals([0, 1, 2].map((request) => sent(server, request)), [
      SENT,
      { ...SENT, reasoning_content: "Hm." },
      { ...SENT, reasoning_content: " " },
    ]);
  });
});

Deno.test("thoughts go back in the field in which they came", async () => {
  const capabilities = { ...DEFAULT_CAPABILITIES, reasoningBack: "calls" as const };
  const thinking = () => {
    const headers = { "content-type": "text/event-stream" };
    const body = bytesOf([{ reasoning: "Hm." }, { content: "ok" }], "stop");
    return new Response(body.slice(), { headers });
  };
  await serving(thinking, async (model, server) => {
    await Array.fromAsync(model.ask(ROUND, NEVER));
    await Array.fromAsync(model.ask(ROUND, NEVER));
    assertEquals([sent(server, 0), sent(server, 1)], [
      { ...SENT, reasoning_content: "Hm." },
      { ...SENT, reasoning: "Hm." },
    ]);
  }, { capabilities });
});

Deno.test("the system prompt has the role that the model wants", async () => {
  for (const systemRole of ["system", "developer", "user"] as const) {
    const capabilities = { ...DEFAULT_CAPABILITIES, systemRole };
    await serving(() => ({ text: "ok" }), async (model, server) => {
      await Array.fromAsync(model.ask(QUESTION, NEVER));
      assertEquals(server.requests[0]?.body.messages[0]?.role, systemRole);
    }, { capabilities });
  }
});

Deno.test("a turn with calls of the server's own has none in its text", async () => {
  const turn = { text: `${CALL}\n`, calls: [{ name, arguments: { text: "a" } }] };
  await serving(() => turn, async (model) => {
    const last = (await Array.fromAsync(model.ask(QUESTION, NEVER))).at(-1);
    assertEquals(last?.type === "turn_finished" && last.message, {
      role: "assistant",
      content: `${CALL}\n`,
      calls: [{ id: "call_0_0", name, arguments: '{"text":"a"}' }],
    });
  });
});

Deno.test("a server is told where a turn may hold one call only", async () => {
  for (const parallelCalls of [true, false]) {
    const capabilities = { ...DEFAULT_CAPABILITIES, parallelCalls };
    await serving(() => ({ text: "ok" }), async (model, server) => {
      await Array.fromAsync(model.ask(QUESTION, NEVER));
      await Array.fromAsync(model.ask({ ...QUESTION, tools: [] }, NEVER));
      const said = server.requests.map(({ body }) => Object(body)["parallel_tool_calls"]);
      assertEquals(said, [parallelCalls ? undefined : false, undefined]);
    }, { capabilities });
  }
});
