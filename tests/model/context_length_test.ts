import { assertEquals, assertRejects } from "@std/assert";
import { contextLengthRefusal } from "../../lib/model/context_length.ts";
import { createServerModel } from "../../lib/model/openai.ts";
import { ModelError } from "../../lib/types.ts";
import { NO_TIMEOUTS, serverPorts } from "./_ports.ts";
import { startModelServer } from "../model_server.ts";

/** A server's refusal, as it is on the wire. */
interface Refusal {
  readonly server: string;
  readonly status: number;
  readonly body: unknown;
  /** What rein is to make of it. */
  readonly window: number | null;
}

function error(message: string, fields: Readonly<Record<string, unknown>> = {}): unknown {
  return { error: { message, type: "invalid_request_error", param: null, code: null, ...fields } };
}

const TOO_LONG_FOR_8192 =
  "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 " +
  "tokens. Please reduce the length of the messages.";

const REFUSALS: readonly Refusal[] = [
  {
    server: "OpenAI",
    status: 400,
    body: error(TOO_LONG_FOR_8192, { param: "messages", code: "context_length_exceeded" }),
    window: 8_192,
  },
  {
    server: "OpenAI, without a number",
    status: 400,
    body: error("Your input exceeds the context window of this model. Please adjust your input.", {
      code: "context_length_exceeded",
    }),
    window: null,
  },
  {
    server: "Azure, a limit of input",
    status: 400,
    body: error(
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in " +
        "289650 tokens. Please reduce the length of the messages.",
      { code: "context_length_exceeded" },
    ),
    window: 272_000,
  },
  {
    server: "vLLM, the error itself",
    status: 400,
    body: {
      object: "error",
      message: "This model's maximum context length is 16384 tokens. However, your request has " +
        "18225 input tokens. Please reduce the length of the input messages. None",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    window: 16_384,
  },
  {
    server: "vLLM, its newer version",
    status: 400,
    body: error(
      "The decoder prompt (length 163840) is longer than the maximum model length of 131072. " +
        "Make sure that `max_model_len` is no smaller than the number of text tokens.",
      { type: "BadRequestError", code: 400 },
    ),
    window: 131_072,
  },
  {
    server: "vLLM, its first engine",
    status: 400,
    body: error(
      "The prompt (total length 25938) is too long to fit into the model (context length 4096). " +
        "Make sure that `max_model_len` is no smaller than the number of text tokens.",
    ),
    window: 4_096,
  },
  {
    server: "llama.cpp",
    status: 400,
    body: error("request (14429 tokens) exceeds the available context size (8192 tokens), try it", {
      code: 400,
      type: "exceed_context_size_error",
      n_prompt_tokens: 14_429,
      n_ctx: 8_192,
    }),
    window: 8_192,
  },
  {
    server: "llama.cpp, the number only in a field",
    status: 500,
    body: error(
      "the request exceeds the available context size. try increasing the context size",
      {
        code: 500,
        type: "exceed_context_size_error",
        n_prompt_tokens: 1_407,
        n_ctx: 4_096,
      },
    ),
    window: 4_096,
  },
  {
    server: "llama.cpp, with status 200",
    status: 200,
    body: error("the request exceeds the available context size, try increasing it", {
      code: 400,
      type: "exceed_context_size_error",
      n_ctx: 8_192,
    }),
    window: 8_192,
  },
  {
    server: "llama-cpp-python",
    status: 400,
    body: error("Requested tokens (2285) exceed context window of 2048"),
    window: 2_048,
  },
  {
    server: "LM Studio",
    status: 400,
    body: {
      error: "Trying to keep the first 15857 tokens when context the overflows. However, the " +
        "model is loaded with context length of only 4096 tokens, which is not enough.",
    },
    window: 4_096,
  },
  {
    server: "LM Studio with MLX",
    status: 400,
    body: error(
      "The number of tokens to keep from the initial prompt is greater than the context length " +
        "(n_keep: 9120>= n_ctx: 8192). Try to load the model with a larger context length.",
    ),
    window: 8_192,
  },
  {
    server: "Ollama",
    status: 400,
    body: error("the input length exceeds the context length"),
    window: null,
  },
  {
    server: "Ollama's hosted models",
    status: 400,
    body: error("prompt too long; exceeded max context length by 4 tokens"),
    window: null,
  },
  {
    server: "DeepSeek",
    status: 400,
    body: error(
      "This model's maximum context length is 131072 tokens. However, you requested 141072 " +
        "tokens (137072 in the messages, 4000 in the completion). Please reduce the length.",
      { code: "invalid_request_error" },
    ),
    window: 131_072,
  },
  {
    server: "Qwen on DashScope",
    status: 400,
    body: {
      error: {
        code: "invalid_parameter_error",
        message:
          "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 30720]",
        param: null,
        type: "invalid_request_error",
      },
      request_id: "81a373d6",
    },
    window: 30_720,
  },
  {
    server: "Kimi",
    status: 400,
    body: error(
      "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)",
    ),
    window: 262_144,
  },
  {
    server: "GLM",
    status: 400,
    body: { error: { code: "1261", message: "Prompt exceeds max length" } },
    window: null,
  },
  {
    server: "GLM, in Chinese",
    status: 400,
    body: { error: { code: "1261", message: "Prompt 超长" } },
    window: null,
  },
  {
    server: "GLM on Volcano Ark",
    status: 400,
    body: error("Input length 203743 exceeds the maximum length 202752", {
      code: "InvalidParameter",
    }),
    window: 202_752,
  },
  {
    server: "SGLang",
    status: 400,
    body: {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    window: 40_960,
  },
  {
    server: "Text Generation Inference",
    status: 422,
    body: error("Input validation error: `inputs` must have less than 4095 tokens. Given: 5000"),
    window: 4_095,
  },
  {
    server: "OpenRouter",
    status: 400,
    body: error(
      "This endpoint's maximum context length is 131072 tokens. However, you requested about " +
        "138956 tokens (138956 of text input). Please reduce the length of either one.",
      { code: 400 },
    ),
    window: 131_072,
  },
  {
    server: "OpenRouter, the words of the provider inside",
    status: 400,
    body: error("Provider returned error", {
      code: 400,
      metadata: {
        raw: '{"type":"error","error":{"message":"prompt is too long: 205668 tokens > 200000 ' +
          'maximum"}}',
        provider_name: "Anthropic",
      },
    }),
    window: 200_000,
  },
  {
    server: "LiteLLM",
    status: 400,
    body: error(
      "litellm.ContextWindowExceededError: litellm.BadRequestError: AnthropicError - " +
        '{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: ' +
        '210543 tokens > 200000 maximum"}}',
      { code: "400" },
    ),
    window: 200_000,
  },
  {
    server: "Claude",
    status: 400,
    body: {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long" },
    },
    window: null,
  },
  {
    server: "Claude, with what the answer may have",
    status: 400,
    body: error("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
    window: 200_000,
  },
  {
    server: "Gemini, in a list",
    status: 400,
    body: [{
      error: {
        code: 400,
        message:
          "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
        status: "INVALID_ARGUMENT",
      },
    }],
    window: 1_048_576,
  },
  {
    server: "Grok",
    status: 400,
    body: {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    },
    window: 131_072,
  },
  {
    server: "Mistral",
    status: 400,
    body: {
      object: "error",
      message:
        "Prompt contains 165537 tokens and 0 draft tokens, too large for model with 131072 " +
        "maximum context length",
      type: "invalid_request_prompt",
      code: "3051",
    },
    window: 131_072,
  },
];

/** How asking fails where a server says this. */
async function failureOf(reply: Response): Promise<ModelError> {
  const server = startModelServer(() => reply.clone());
  const settings = {
    baseUrl: server.baseUrl,
    apiKey: null,
    model: "m",
    temperature: 0.2,
    timeouts: NO_TIMEOUTS,
  };
  const request = { messages: [{ role: "user", content: "Hi" }], tools: [] } as const;
  const model = createServerModel(settings, serverPorts());
  try {
    return await assertRejects(
      () => Array.fromAsync(model.ask(request, new AbortController().signal)),
      ModelError,
    );
  } finally {
    await server.close();
  }
}

for (const { server, status, body, window } of REFUSALS) {
  Deno.test(`createServerModel() learns the window from a refusal: ${server}`, async () => {
    const failure = await failureOf(Response.json(body, { status }));
    assertEquals(
      { code: failure.code, window: failure.window, hint: failure.hint },
      {
        code: "context_length",
        window,
        hint: "Set the size of the model's window with --context-window TOKENS, or raise it on " +
          "the server.",
      },
    );
  });
}

Deno.test("createServerModel() learns the window from an error inside a stream", async () => {
  const data = `data: ${JSON.stringify(error(TOO_LONG_FOR_8192))}\n\n`;
  const headers = { "content-type": "text/event-stream" };
  const { code, window } = await failureOf(new Response(data, { headers }));
  assertEquals([code, window], ["context_length", 8_192]);
});

Deno.test("createServerModel() takes no other refusal for one of length", async () => {
  const others: readonly (readonly [number, unknown])[] = [
    [429, error("Request too large for m on tokens per min (TPM): Limit 30000, Requested 40000.")],
    [429, error(TOO_LONG_FOR_8192)],
    [401, error("Incorrect API key provided")],
    [400, error("Invalid schema for function 'run_shell': too long")],
    [422, { detail: [{ msg: "Field required", input: { content: TOO_LONG_FOR_8192 } }] }],
    [400, { ...error("Bad field") as object, messages: [{ content: TOO_LONG_FOR_8192 }] }],
  ];
  const failures = await Promise.all(
    others.map(([status, body]) => failureOf(Response.json(body, { status }))),
  );
  assertEquals(failures.map(({ code, window }) => [code, window]), [
    ["rate_limited", null],
    ["rate_limited", null],
    ["unauthorized", null],
    ["rejected", null],
    ["rejected", null],
    ["rejected", null],
  ]);
});

Deno.test("createServerModel() repeats what a server says, however it is wrapped", async () => {
  const bodies = [
    { object: "error", message: "No such model" },
    { detail: "No such model" },
    { detail: [{ msg: "No such model" }, { msg: "Field required", input: "secret" }] },
    [{ error: { message: "No such model" } }],
  ];
  const failures = await Promise.all(
    bodies.map((body) => failureOf(Response.json(body, { status: 400 }))),
  );
  assertEquals(failures.map(({ message }) => message.replace(/^.* 400: /, "")), [
    "No such model",
    "No such model",
    "No such model; Field required",
    "No such model",
  ]);
});

Deno.test("contextLengthRefusal() takes a window that is none for unknown", () => {
  assertEquals(
    contextLengthRefusal("maximum context length is 0 tokens"),
    { window: null },
  );
});

Deno.test("contextLengthRefusal() reads the ends of a long text", () => {
  const filler = "x".repeat(1_000_000);
  assertEquals(contextLengthRefusal(filler + TOO_LONG_FOR_8192), { window: 8_192 });
  assertEquals(contextLengthRefusal(filler), null);
});
