/**
 * What a configuration may say of models' capabilities: the fields of `capabilities.NAME`.
 *
 * @module
 */

import type { Capabilities, CapabilityChange } from "../model/capabilities.ts";
import type { Json, JsonObject } from "../types.ts";
import { choice, type Kind, SWITCH } from "./kinds.ts";

/** One field. */
export interface CapabilityField<F extends keyof Capabilities = keyof Capabilities> {
  /** As a file has it. */
  readonly key: string;
  readonly kind: Kind<Capabilities[F]>;
  /** For the schema; it ends with a period. */
  readonly description: string;
}

/** Every field, by its name in the program. */
export const CAPABILITY_FIELDS: { readonly [F in keyof Capabilities]: CapabilityField<F> } = {
  toolProtocol: {
    key: "tool_protocol",
    kind: choice("native", "text"),
    description: "How calls are made; text: in the prompt and the answers.",
  },
  temperature: {
    key: "temperature",
    kind: SWITCH,
    description: "Whether a temperature is sent.",
  },
  outputLimit: {
    key: "output_limit",
    kind: choice("max_tokens", "max_completion_tokens"),
    description: "The field that bounds an answer.",
  },
  systemRole: {
    key: "system_role",
    kind: choice("system", "developer", "user"),
    description: "The role of the system prompt; user: it begins the first message.",
  },
  streamUsage: {
    key: "stream_usage",
    kind: SWITCH,
    description: "Whether usage is asked for in streams.",
  },
  parallelCalls: {
    key: "parallel_calls",
    kind: SWITCH,
    description: "Whether a turn may hold several calls.",
  },
  strictSchemas: {
    key: "strict_schemas",
    kind: SWITCH,
    description: "Whether schemas of tools can be held to strictly.",
  },
  jsonSchema: {
    key: "json_schema",
    kind: SWITCH,
    description: "Whether an answer can be held to a JSON Schema.",
  },
  reasoningBack: {
    key: "reasoning_back",
    kind: choice("no", "calls", "required"),
    description: "Whether thoughts are sent back: with their calls, or with every call.",
  },
  reasoningField: {
    key: "reasoning_field",
    kind: choice("reasoning_content", "reasoning"),
    description: "The field in which thoughts are sent back.",
  },
  opensThinking: {
    key: "opens_thinking",
    kind: SWITCH,
    description: "Whether the text begins with thoughts that no tag opens.",
  },
  userAfterTool: {
    key: "user_after_tool",
    kind: SWITCH,
    description: "Whether a message of the user may follow a result or another one.",
  },
};

/** The fields in their order. */
export const CAPABILITY_NAMES = Object.keys(CAPABILITY_FIELDS) as readonly (keyof Capabilities)[];

/** The schema of one model's capabilities. */
export const CAPABILITY_SCHEMA: JsonObject = {
  type: "object",
  additionalProperties: false,
  properties: Object.fromEntries(CAPABILITY_NAMES.map((name) => {
    const { key, kind, description } = CAPABILITY_FIELDS[name];
    return [key, { description, ...kind.schema }];
  })),
};

/** Capabilities as a file would hold them. */
export function writtenCapabilities(change: CapabilityChange): { readonly [key: string]: Json } {
  const said = CAPABILITY_NAMES.filter((name) => change[name] !== undefined);
  return Object.fromEntries(
    said.map((name) => [CAPABILITY_FIELDS[name].key, change[name] ?? null]),
  );
}
