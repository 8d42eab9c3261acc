import { assertEquals } from "@std/assert";
import { KNOWN_WINDOWS } from "../../lib/context/known_windows.ts";
import { contextWindowOf } from "../../lib/context/windows.ts";

function windowsOf(names: readonly string[]): number[] {
  return names.map(contextWindowOf);
}

Deno.test("contextWindowOf() knows the models of the vendors, the longest name first", () => {
  const expected: Readonly<Record<string, number>> = {
    "gpt-3.5-turbo": 16_385,
    "gpt-4": 8_192,
    "gpt-4-0613": 8_192,
    "gpt-4-turbo-2024-04-09": 128_000,
    "gpt-4o-mini": 128_000,
    "chatgpt-4o-latest": 128_000,
    "gpt-4.1-nano": 1_047_576,
    "gpt-5-mini": 272_000,
    "gpt-5.4": 272_000,
    "gpt-5-chat-latest": 128_000,
    "gpt-oss:20b": 131_072,
    "o1-mini": 128_000,
    "o3-mini": 200_000,
    "o4-mini-2025-04-16": 200_000,
    "deepseek-chat": 128_000,
    "deepseek-r1:8b": 128_000,
    "deepseek-coder:6.7b": 16_384,
    "qwen2.5:7b": 32_768,
    "qwen2.5-coder-32b-instruct": 32_768,
    "qwen3:8b": 32_768,
    "qwen3-30b-a3b-instruct-2507": 262_144,
    "qwen3-coder-plus": 262_144,
    "qwen-plus-latest": 131_072,
    "qwen-max": 32_768,
    "qwen-turbo": 131_072,
    "kimi-k2-0711-preview": 131_072,
    "kimi-k2-0905-preview": 262_144,
    "kimi-k2.5": 262_144,
    "moonshot-v1-8k": 8_192,
    "moonshot-v1-128k": 131_072,
    "glm-4-plus": 128_000,
    "glm-4.5-air": 128_000,
    "glm-4.6": 200_000,
    "llama3:8b": 8_192,
    "llama3.1:70b": 131_072,
    "llama3.3": 131_072,
    "mistral:7b-instruct": 32_768,
    "mistral-large-latest": 128_000,
    "mixtral-8x22b-instruct": 65_536,
    "gemma2:9b": 8_192,
    "gemma3:27b": 128_000,
    "gemma3:1b": 32_768,
    "claude-sonnet-4-5": 200_000,
    "claude-3-5-haiku-20241022": 200_000,
    "gemini-2.5-pro": 1_048_576,
    "phi4:14b": 16_384,
  };
  const names = Object.keys(expected);
  assertEquals(Object.fromEntries(names.map((name) => [name, contextWindowOf(name)])), expected);
});

Deno.test("contextWindowOf() finds a name behind vendors and in other spellings", () => {
  assertEquals(
    windowsOf([
      "openai/gpt-4o",
      "openrouter/anthropic/claude-sonnet-4",
      "us.anthropic.claude-3-7-sonnet-20250219-v1:0",
      "meta-llama/Meta-Llama-3.1-8B-Instruct",
      "Llama_3_1-8B",
      "hf.co/unsloth/Qwen3-Coder-30B-A3B-Instruct-GGUF:UD-Q4_K_XL",
      "Qwen/Qwen2.5-72B-Instruct-AWQ",
      "google/gemma-3-1b-it",
    ]),
    [128_000, 200_000, 200_000, 131_072, 8_192, 262_144, 32_768, 32_768],
  );
});

Deno.test("contextWindowOf() believes a window in the name", () => {
  assertEquals(
    windowsOf([
      "gpt-3.5-turbo-16k",
      "gpt-4-32k",
      "Phi-3-mini-128k-instruct",
      "doubao-pro-32k",
      "my-model:8b-64k",
      "mistral:7b-q4_K_M",
    ]),
    [16_385, 32_000, 128_000, 32_000, 64_000, 32_768],
  );
});

Deno.test("contextWindowOf() takes 128,000 for what it does not know", () => {
  assertEquals(
    windowsOf(["", "local-model", "marco-o1", "o30", "gpt-40", "recorded:demo.jsonl", "/"]),
    [128_000, 128_000, 128_000, 128_000, 128_000, 128_000, 128_000],
  );
});

Deno.test("every known window is found by its own name", () => {
  const names = Object.keys(KNOWN_WINDOWS);
  assertEquals(windowsOf(names), Object.values(KNOWN_WINDOWS));
});
