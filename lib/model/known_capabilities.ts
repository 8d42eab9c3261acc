/**
 * What is known of servers and models, where it is not as usual.
 *
 * Source: the vendors' documentation and the issues that quote their refusals, as of November 2026.
 * Where something is not sure, it is left as usual: a refusal is learned from.
 *
 * @module
 */

import type { CapabilityChange } from "./capabilities.ts";

/** One thing that is known. */
export interface KnownCapability {
  /** Domains of servers; left out: all. */
  readonly hosts?: readonly string[];
  /** Names of models without their vendor, in lower case, with `*`; left out: all. */
  readonly models?: readonly string[];
  readonly change: CapabilityChange;
}

/** Servers that refuse thoughts sent back as `reasoning_content`. */
const REFUSING_REASONING = ["groq.com", "cerebras.ai", "mistral.ai"];

/** Later ones go before earlier ones. */
export const KNOWN_CAPABILITIES: readonly KnownCapability[] = [
  // OpenAI, also behind Azure, OpenRouter and LiteLLM
  {
    models: ["gpt-4o*", "gpt-4.1*", "gpt-5*", "o1*", "o3*", "o4*"],
    change: { strictSchemas: true, jsonSchema: true, outputLimit: "max_completion_tokens" },
  },
  { models: ["gpt-5*", "o1*", "o3*", "o4*"], change: { temperature: false } },
  { models: ["gpt-5*-chat*"], change: { temperature: true } },
  { models: ["o1-mini*", "o1-preview*"], change: { systemRole: "user", toolProtocol: "text" } },
  { models: ["gpt-oss*"], change: { reasoningBack: "calls" } },
  // DeepSeek: thoughts that led to calls must come back, others are ignored.
  {
    models: [
      "deepseek-chat*",
      "deepseek-reasoner*",
      "deepseek-v3.2*",
      "deepseek-v4*",
      "deepseek-flash*",
    ],
    change: { reasoningBack: "calls" },
  },
  { hosts: ["deepseek.com"], change: { reasoningBack: "calls" } },
  { models: ["deepseek-r1*"], change: { opensThinking: true } },
  // Kimi: the platform has its own temperature, and thoughts must come back with their calls.
  {
    models: ["kimi-k2-thinking*", "kimi-k2.*", "kimi-k3*", "kimi-for-coding*"],
    change: { temperature: false, reasoningBack: "calls" },
  },
  {
    hosts: ["moonshot.cn", "moonshot.ai", "kimi.com"],
    models: ["kimi*", "k3*"],
    change: { temperature: false, reasoningBack: "calls", outputLimit: "max_completion_tokens" },
  },
  // GLM thinks between calls, and asks for its thoughts.
  { models: ["glm-4.5*", "glm-4.6*", "glm-4.7*", "glm-5*"], change: { reasoningBack: "calls" } },
  // Qwen's templates for thinking open the tag themselves.
  {
    models: ["qwq*", "qwen3-*-thinking*"],
    change: { opensThinking: true },
  },
  // Mistral: a message of the user can't follow a result.
  {
    models: ["mistral*", "ministral*", "codestral*", "devstral*", "magistral*", "pixtral*"],
    change: { userAfterTool: false },
  },
  // Servers
  { hosts: ["openrouter.ai"], change: { reasoningField: "reasoning" } },
  { hosts: ["groq.com", "cerebras.ai"], change: { reasoningField: "reasoning" } },
  { hosts: REFUSING_REASONING, change: { reasoningBack: "no" } },
];
