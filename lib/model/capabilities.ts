/**
 * What a model at a server can do and what it refuses: known beforehand, said in the configuration,
 * or learned from a refusal.
 *
 * @module
 */

import { fits } from "../patterns.ts";
import { KNOWN_CAPABILITIES } from "./known_capabilities.ts";
import type { ReasoningField } from "./reasoning.ts";

/** How a model is asked for calls. `text`: in its prompt and its answers, for want of the other. */
export type ToolProtocol = "native" | "text";

/** `auto`: native, until the server refuses it. */
export type ToolProtocolSetting = "auto" | ToolProtocol;

/** `calls`: with their calls, as far as there are any. `required`: with every call, if blank. */
export type ReasoningBack = "no" | "calls" | "required";

/** What is sent to a model, and how. */
export interface Capabilities {
  readonly toolProtocol: ToolProtocol;
  /** Whether a temperature is taken; some models have one of their own. */
  readonly temperature: boolean;
  /** The field that bounds an answer. */
  readonly outputLimit: "max_tokens" | "max_completion_tokens";
  /** How the system prompt is sent; `user`: as the beginning of the first message. */
  readonly systemRole: "system" | "developer" | "user";
  /** Whether usage in streams can be asked for. */
  readonly streamUsage: boolean;
  /** Whether a turn may hold several calls; if not, the server is told so. */
  readonly parallelCalls: boolean;
  /** Whether schemas of tools are held to strictly, if asked. */
  readonly strictSchemas: boolean;
  /** Whether an answer can be held to a JSON Schema. */
  readonly jsonSchema: boolean;
  /** Whether the thoughts that led to calls are sent back with them. */
  readonly reasoningBack: ReasoningBack;
  /** The field in which thoughts are sent back. */
  readonly reasoningField: ReasoningField;
  /** Whether the model's text begins with thoughts that no tag opens. */
  readonly opensThinking: boolean;
  /** Whether a message of the user may follow a result or another one; if not, it goes into it. */
  readonly userAfterTool: boolean;
}

/** A change of some of them. */
export type CapabilityChange = Partial<Capabilities>;

/** For models that nobody here knows: the widest common behaviour. */
export const DEFAULT_CAPABILITIES: Capabilities = {
  toolProtocol: "native",
  temperature: true,
  outputLimit: "max_tokens",
  systemRole: "system",
  streamUsage: true,
  parallelCalls: true,
  strictSchemas: false,
  jsonSchema: false,
  reasoningBack: "no",
  reasoningField: "reasoning_content",
  opensThinking: false,
  userAfterTool: true,
};

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.hostname ?? "";
}

/** A name without vendor and in lower case: `moonshotai/Kimi-K2` is `kimi-k2`. */
function bare(model: string): string {
  return model.slice(model.lastIndexOf("/") + 1).toLowerCase();
}

/**
 * What is known of a model at a server.
 *
 * @param model Its name, as the server knows it.
 * @param said What the configuration says, by the model's name or a pattern with `*`; all that fit
 *   count, the longer ones more, the very name most.
 */
export function capabilitiesOf(
  baseUrl: string,
  model: string,
  said: { readonly [pattern: string]: CapabilityChange } = {},
): Capabilities {
  const host = hostOf(baseUrl);
  const name = bare(model);
  const known = KNOWN_CAPABILITIES
    .filter(({ hosts, models }) =>
      (hosts === undefined || hosts.some((one) => host === one || host.endsWith(`.${one}`))) &&
      (models === undefined || models.some((pattern) => fits(pattern, name)))
    )
    .map(({ change }) => change);
  const written = Object.keys(said).filter((pattern) => fits(pattern, model))
    .toSorted((a, b) => Number(a === model) - Number(b === model) || a.length - b.length)
    .map((pattern) => said[pattern] ?? {});
  return Object.assign({}, DEFAULT_CAPABILITIES, ...known, ...written);
}
