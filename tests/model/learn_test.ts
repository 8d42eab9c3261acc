import { assertEquals } from "@std/assert";
import {
  type Capabilities,
  type CapabilityChange,
  DEFAULT_CAPABILITIES,
} from "../../lib/model/capabilities.ts";
import { learnFrom } from "../../lib/model/learn.ts";

/** What servers really say, with the status that they say it with. */
const REFUSALS: readonly (readonly [
  server: string,
  status: number | null,
  said: string,
  change: CapabilityChange,
])[] = [
  ["ollama", 400, "registry.ollama.ai/library/gemma3:12b does not support tools", {
    toolProtocol: "text",
  }],
  ["llama.cpp", 500, "tools param requires --jinja flag", { toolProtocol: "text" }],
  ["older llama.cpp", 500, "Unsupported param: tools", { toolProtocol: "text" }],
  [
    "vLLM",
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    { toolProtocol: "text" },
  ],
  ["OpenRouter", 404, "No endpoints found that support tool use. To learn more about provider…", {
    toolProtocol: "text",
  }],
  ["Groq", 400, "`tool calling` is not supported with this model", { toolProtocol: "text" }],
  ["an old one", 400, "Unrecognized request argument supplied: tools", { toolProtocol: "text" }],
  [
    "OpenAI",
    400,
    "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
    { temperature: false },
  ],
  ["OpenAI", 400, "Unsupported parameter: 'temperature' is not supported with this model.", {
    temperature: false,
  }],
  ["Kimi", 400, "invalid temperature: only 1 is allowed for this model", { temperature: false }],
  ["Claude", 400, "`temperature` is deprecated for this model.", { temperature: false }],
  ["xAI", 400, "Argument not supported: stream_options", { streamUsage: false }],
  ["Azure", 400, "Unrecognized request argument supplied: stream_options. Please contact us", {
    streamUsage: false,
  }],
  ["a gateway", 400, "Unknown parameter: 'stream_options'. (request id: 2024)", {
    streamUsage: false,
  }],
  [
    "vLLM",
    400,
    "[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {}}]",
    { streamUsage: false },
  ],
  [
    "OpenAI",
    400,
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    { outputLimit: "max_completion_tokens" },
  ],
  [
    "OpenAI",
    400,
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    { systemRole: "user" },
  ],
  ["vLLM with Gemma", 400, "System role not supported", { systemRole: "user" }],
  [
    "DeepSeek",
    400,
    "Missing `reasoning_content` field in the assistant message at message index 2.",
    {
      reasoningBack: "required",
    },
  ],
  [
    "DeepSeek",
    400,
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    {
      reasoningBack: "required",
    },
  ],
  [
    "Kimi",
    400,
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 7",
    { reasoningBack: "required" },
  ],
  ["Mistral", 400, "Unexpected role 'user' after role 'tool'", { userAfterTool: false }],
  [
    "vLLM with Mistral's template",
    400,
    "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
    { userAfterTool: false },
  ],
];

Deno.test("learnFrom() learns from what servers say, once", () => {
  for (const [server, status, said, expected] of REFUSALS) {
    const learned = learnFrom(said, status, DEFAULT_CAPABILITIES);
    const change = { ...learned?.change };
    if (change.reasoningField === "reasoning_content") delete change.reasoningField;
    assertEquals([server, change], [server, expected]);
    const then = { ...DEFAULT_CAPABILITIES, ...learned?.change };
    assertEquals([server, learnFrom(said, status, then)], [server, null]);
  }
});

Deno.test("learnFrom() leaves out thoughts that a server does not take", () => {
  const now: Capabilities = { ...DEFAULT_CAPABILITIES, reasoningBack: "calls" };
  const said: readonly (readonly [number, string])[] = [
    [
      400,
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
    ],
    [
      422,
      '{"type":"extra_forbidden","msg":"Extra inputs are not permitted","loc":["body","messages",3,"assistant","reasoning_content"]}',
    ],
  ];
  for (const [status, words] of said) {
    assertEquals(learnFrom(words, status, now)?.change, { reasoningBack: "no" });
  }
});

Deno.test("learnFrom() learns nothing from what is about something else", () => {
  const rows: readonly (readonly [number | null, string])[] = [
    [400, "Invalid value for 'messages[2].content': expected a string"],
    [400, "This model's maximum context length is 8192 tokens"],
    [401, "temperature is not supported for this key"],
    [429, "does not support tools"],
    [400, ""],
    [500, "Internal error"],
    [400, "The temperature of the room is 20 degrees"],
  ];
  for (const [status, said] of rows) {
    assertEquals([said, learnFrom(said, status, DEFAULT_CAPABILITIES)], [said, null]);
  }
});

Deno.test("learnFrom() leaves out an answer's schema that a server does not take", () => {
  const now: Capabilities = { ...DEFAULT_CAPABILITIES, jsonSchema: true };
  const said = [
    "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    "This response_format type is unavailable now: json_schema is not supported",
  ];
  for (const words of said) {
    assertEquals(learnFrom(words, 400, now)?.change, { jsonSchema: false });
    assertEquals(learnFrom(words, 400, DEFAULT_CAPABILITIES), null);
  }
});
