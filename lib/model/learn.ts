/**
 * Learning from a refusal what a server does not take, so that the same turn can be asked again
 * without it.
 *
 * @module
 */

import type { Capabilities, CapabilityChange } from "./capabilities.ts";

/** What was learned, and from which words. */
export interface Adaptation {
  readonly change: CapabilityChange;
  /** What is done from now on, for people: `no temperature is sent`. */
  readonly what: string;
}

/** One way of refusing. */
interface Refusal {
  /** Whose words they are. */
  readonly servers: string;
  readonly words: RegExp;
  readonly change: CapabilityChange;
  readonly what: string;
}

/** How servers say that they do not take a field, before or behind its name. */
const NOT_TAKEN =
  "(?:unsupported|not supported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|" +
  "not allowed|is allowed|forbidden|invalid|deprecated|only the default)";

/** A field that a server does not take: both stand close together, in either order. */
function notTaken(field: string): RegExp {
  return new RegExp(`${NOT_TAKEN}[^]{0,80}${field}|${field}[^]{0,80}${NOT_TAKEN}`, "i");
}

/** Source: the servers' source texts and the issues that quote them, as of November 2026. */
const REFUSALS: readonly Refusal[] = [
  {
    servers:
      "ollama, llama.cpp, vLLM, OpenRouter, Groq, DeepInfra, Together, Mistral and others that " +
      "have models without tools",
    words: new RegExp(
      [
        "does(?: not|n't) support (?:tools?\\b|tool (?:use|call)|function)",
        "(?:tools?|tool (?:use|call(?:s|ing)?|choice)|functions?|function call(?:s|ing)?)[`'\"]? (?:is|are) not (?:supported|available|enabled)",
        "no endpoints found that support tool use",
        "tools? param requires --jinja",
        "unsupported param(?:eter)?:? '?\"?(?:tools|tool_choice|functions)\\b",
        "unrecognized request argument supplied: (?:tools|functions)\\b",
        "requires --enable-auto-tool-choice",
        "\\btools\\b[^]{0,60}extra inputs are not permitted",
        "extra_forbidden[^]{0,60}\\btools\\b",
      ].join("|"),
      "i",
    ),
    change: { toolProtocol: "text" },
    what: "tools are described in the prompt and called in plain text",
  },
  {
    servers: "OpenAI, Azure, Kimi, Claude",
    words: notTaken("\\btemperature\\b"),
    change: { temperature: false },
    what: "no temperature is sent",
  },
  {
    servers: "older Azure, xAI, vLLM and gateways",
    words: notTaken("\\bstream_options\\b"),
    change: { streamUsage: false },
    what: "usage is not asked for",
  },
  {
    servers: "OpenAI's older models, gateways, and servers that know json_object alone",
    words: notTaken("\\b(?:response_format|json_schema)\\b"),
    change: { jsonSchema: false },
    what: "answers are held to their schema by rein alone",
  },
  {
    servers: "DeepSeek, older OpenAI models and Azure versions",
    words: notTaken("\\b(?:response_format|json_schema)\\b"),
    change: { jsonSchema: false },
    what: "the answer is held to its schema by its words alone",
  },
  {
    servers: "OpenAI, Azure",
    words: /'?max_tokens'?[^]{0,80}use '?max_completion_tokens/i,
    change: { outputLimit: "max_completion_tokens" },
    what: "max_completion_tokens is sent in place of max_tokens",
  },
  {
    servers: "OpenAI for o1-mini, templates of Gemma and older Mistral models",
    words:
      /role[^]{0,40}does not support '?(?:system|developer)|system (?:role|message)s? (?:is |are )?not supported|only user[^]{0,30}roles are supported/i,
    change: { systemRole: "user" },
    what: "the system prompt is sent with the first message",
  },
  {
    servers: "Groq, Cerebras, Mistral",
    words: notTaken("\\breasoning(?:_content)?\\b"),
    change: { reasoningBack: "no" },
    what: "thoughts are not sent back",
  },
  {
    servers: "DeepSeek, Kimi and their gateways",
    words:
      /reasoning_content[^]{0,60}(?:is missing|must be passed back|is required)|missing [`'"]?reasoning_content/i,
    change: { reasoningBack: "required", reasoningField: "reasoning_content" },
    what: "thoughts are sent back with their calls",
  },
  {
    servers: "Mistral, templates of Mistral and others",
    words: /unexpected role '?"?user'?"? after role '?"?tool|roles must alternate/i,
    change: { userAfterTool: false },
    what: "what follows a result or a message of the user is sent within it",
  },
];

/** Statuses with which servers refuse what they do not take; 500 and 501 are llama.cpp's. */
const STATUSES: readonly number[] = [400, 404, 405, 415, 422, 500, 501];

/** Whether a change would make a difference. */
function changes(change: CapabilityChange, now: Capabilities): boolean {
  return Object.entries(change).some(([name, value]) => now[name as keyof Capabilities] !== value);
}

/**
 * What a refusal tells of a server.
 *
 * @param said Its words, with the name of the parameter if it gave one.
 * @param status Of HTTP; null where the refusal came in a stream.
 * @param now What was assumed in the request that was refused.
 * @returns Null if it tells nothing that was not known: the request must not be made again.
 */
export function learnFrom(
  said: string,
  status: number | null,
  now: Capabilities,
): Adaptation | null {
  if (status !== null && !STATUSES.includes(status)) return null;
  const found = REFUSALS.find(({ words, change }) => words.test(said) && changes(change, now));
  return found === undefined ? null : { change: found.change, what: found.what };
}
