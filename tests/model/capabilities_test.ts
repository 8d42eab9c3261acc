import { assertEquals } from "@std/assert";
import {
  capabilitiesOf,
  type CapabilityChange,
  DEFAULT_CAPABILITIES,
} from "../../lib/model/capabilities.ts";

/** What is not as usual. */
function unusual(baseUrl: string, model: string, said = {}): CapabilityChange {
  const all = capabilitiesOf(baseUrl, model, said);
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) =>
      DEFAULT_CAPABILITIES[name as keyof CapabilityChange] !== value
    ),
  );
}

const LOCAL = "http://127.0.0.1:8000/v1";
const OPENAI: CapabilityChange = {
  strictSchemas: true,
  jsonSchema: true,
  outputLimit: "max_completion_tokens",
};
const KIMI: CapabilityChange = { temperature: false, reasoningBack: "calls" };

const ROWS: readonly (readonly [server: string, model: string, CapabilityChange])[] = [
  [LOCAL, "nobody-knows-it", {}],
  ["no address", "", {}],
  [LOCAL, "qwen3:8b", {}],
  [LOCAL, "Qwen/Qwen3-4B-Thinking-2507", { opensThinking: true }],
  [LOCAL, "deepseek-r1:7b", { opensThinking: true }],
  ["https://api.openai.com/v1", "gpt-4o-mini", OPENAI],
  ["https://openrouter.ai/api/v1", "openai/gpt-5-mini", {
    ...OPENAI,
    temperature: false,
    reasoningField: "reasoning",
  }],
  ["https://x.openai.azure.com/openai/v1", "gpt-5-chat", OPENAI],
  ["https://api.openai.com/v1", "o3", { ...OPENAI, temperature: false }],
  [LOCAL, "marco-o1", {}],
  ["https://api.deepseek.com/v1", "deepseek-chat", { reasoningBack: "calls" }],
  ["https://api.deepseek.com", "a-later-one", { reasoningBack: "calls" }],
  ["https://notdeepseek.com/v1", "a-later-one", {}],
  ["https://api.moonshot.cn/v1", "kimi-k2.6", { ...KIMI, outputLimit: "max_completion_tokens" }],
  [LOCAL, "moonshotai/Kimi-K2-Thinking", KIMI],
  [LOCAL, "moonshotai/Kimi-K2-Instruct", {}],
  ["https://open.bigmodel.cn/api/paas/v4", "glm-4.7", { reasoningBack: "calls" }],
  ["https://api.mistral.ai/v1", "mistral-large-latest", { userAfterTool: false }],
  ["https://api.groq.com/openai/v1", "openai/gpt-oss-120b", { reasoningField: "reasoning" }],
  ["http://127.0.0.1:11434/v1", "gpt-oss:20b", { reasoningBack: "calls" }],
];

Deno.test("capabilitiesOf() knows what is not as usual", () => {
  for (const [server, model, expected] of ROWS) {
    assertEquals([model, unusual(server, model)], [model, expected]);
  }
});

Deno.test("capabilitiesOf() lets the configuration say otherwise, the longer pattern more", () => {
  const said = {
    "*": { temperature: false, streamUsage: false },
    "kimi-*": { temperature: true },
    "kimi-k2.6": { reasoningBack: "no" },
    "kimi-k2.6*****": { reasoningBack: "calls" },
  };
  assertEquals(unusual(LOCAL, "kimi-k2.6", said), { streamUsage: false });
  assertEquals(unusual(LOCAL, "other", said), { temperature: false, streamUsage: false });
});
