/**
 * How servers say that a request does not fit into the model's window, and how large they say that
 * it is.
 *
 * @module
 */

/** A refusal because of the window. */
export interface ContextLengthRefusal {
  /** How many tokens a request may have, as the server says; null where it does not. */
  readonly window: number | null;
}

/** How refusals begin or go, and where they name the window: in the group `window`. */
interface Form {
  /** Who says so. */
  readonly servers: string;
  readonly words: RegExp;
}

/** Source: the servers' source texts and the issues that quote them, as of November 2026. */
const FORMS: readonly Form[] = [
  {
    servers: "OpenAI, Azure, vLLM, DeepSeek, OpenRouter, LiteLLM, Groq",
    words: /maximum context length (?:is|of) (?<window>\d[\d,]*)/i,
  },
  {
    servers: "OpenAI and Azure for models with a limit of input",
    words: /input tokens exceed the configured limit of (?<window>\d[\d,]*)/i,
  },
  {
    servers: "vLLM",
    words:
      /prompt \([^)]{1,60}\) is (?:longer than the maximum model length of |too long to fit into the model \(context length )(?<window>\d+)/i,
  },
  {
    servers: "llama.cpp, without its number in older versions",
    words: /exceeds the available context size(?: \((?<window>\d+) tokens\))?/i,
  },
  {
    servers: "llama-cpp-python",
    words: /requested tokens \(\d+\) exceed context window of (?<window>\d+)/i,
  },
  {
    servers: "LM Studio",
    words: /(?:loaded with|reached) context length of (?:only )?(?<window>\d+)/i,
  },
  {
    servers: "LM Studio with MLX",
    words: /tokens to keep from the initial prompt is greater than the context length/i,
  },
  {
    servers: "Ollama, without a number",
    words: /(?:input length|prompt) (?:too long; )?exceed(?:s|ed) (?:the|max) context length/i,
  },
  {
    servers: "SGLang",
    words: /longer than the model's context length \((?<window>\d+) tokens\)/i,
  },
  {
    servers: "SGLang, Volcano Ark",
    words:
      /input length \(?\d+(?: tokens\))? exceeds the maximum (?:allowed )?length \(?(?<window>\d+)/i,
  },
  {
    servers: "Text Generation Inference",
    words: /`inputs`(?: tokens \+ `max_new_tokens`)? must (?:be <=|have less than) (?<window>\d+)/i,
  },
  {
    servers: "Qwen on DashScope",
    words: /range of input length should be \[\d+, ?(?<window>\d+)\]/i,
  },
  { servers: "Kimi", words: /exceeded model token limit(?:: ?(?<window>\d+))?/i },
  { servers: "GLM", words: /prompt exceeds max length|prompt ?超长/i },
  {
    servers: "Claude",
    words: /prompt is too long(?:: ?\d+ tokens > (?<window>\d+) maximum)?/i,
  },
  {
    servers: "Claude, with what the answer may have",
    words: /exceed context limit: \d+ \+ \d+ > (?<window>\d+)/i,
  },
  {
    servers: "Gemini",
    words:
      /input token count(?: \(\d+\))? exceeds the maximum number of tokens allowed(?: \(?(?<window>\d+))?/i,
  },
  { servers: "Grok", words: /maximum prompt length is (?<window>\d[\d,]*)/i },
  {
    servers: "Mistral",
    words: /too large for model with (?<window>\d+) maximum context length/i,
  },
  { servers: "Bedrock", words: /input is too long for requested model/i },
  { servers: "MiniMax", words: /context window exceeds limit/i },
  { servers: "OpenAI, without a number", words: /exceeds the context window/i },
  {
    servers: "codes of OpenAI, llama.cpp, GLM and LiteLLM",
    words:
      /context_length_exceeded|exceed_context_size_error|ContextWindowExceededError|"code": ?"1261"/,
  },
];

/** llama.cpp's fields; LM Studio says the same in words. */
const WINDOW_FIELD = /\bn_ctx\\?"?: ?(\d+)/;

/** A smaller window is none: the number means something else. */
const LEAST_WINDOW = 256;

/** Longer ones repeat the request; what they say of it stands at the beginning or the end. */
const WORDS_CHARS = 8_000;

function windowIn(digits: string | undefined): number | null {
  const window = Number((digits ?? "").replaceAll(",", ""));
  return Number.isSafeInteger(window) && window >= LEAST_WINDOW ? window : null;
}

/**
 * Finds out whether a server refused a request because it does not fit into the model's window.
 *
 * @param said What the server said: its message, or the error of its body as JSON.
 * @returns Null if it says something else.
 */
export function contextLengthRefusal(said: string): ContextLengthRefusal | null {
  const words = said.length <= 2 * WORDS_CHARS
    ? said
    : `${said.slice(0, WORDS_CHARS)}\n${said.slice(-WORDS_CHARS)}`;
  const found = FORMS.map((form) => form.words.exec(words)).filter((match) => match !== null);
  if (found.length === 0) return null;
  const named = found.map((match) => windowIn(match.groups?.window)).find((one) => one !== null);
  return { window: named ?? windowIn(WINDOW_FIELD.exec(words)?.[1]) };
}
