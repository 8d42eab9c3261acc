/**
 * Every setting of a run as data: its key in a file, its flag, its variables, its default.
 *
 * @module
 */

import { type Language, LANGUAGES } from "../messages/messages.ts";
import type { ToolProtocolSetting } from "../model/capabilities.ts";
import {
  ADDRESS,
  choice,
  type Kind,
  NAME,
  orNone,
  real,
  SWITCH,
  TIME_SPAN,
  whole,
} from "./kinds.ts";

/** What one setting is, apart from prices and capabilities, which are tables of their own. */
export interface Values {
  /** As the server knows it, or `recorded:FILE`; null: the first one that a server lists. */
  readonly model: string | null;
  /** Null: OpenAI's where a key is set, else a server that is found on this machine. */
  readonly baseUrl: string | null;
  /** 0 to 2. */
  readonly temperature: number;
  /** The model of the server's `/embeddings`; null: none. */
  readonly embeddingModel: string | null;
  /** Requests to the model. */
  readonly maxSteps: number;
  /** Tokens of a run, in and out; null: no limit. */
  readonly maxTokens: number | null;
  /** Milliseconds of a run; null: no limit. */
  readonly maxTimeMs: number | null;
  /** What a run may cost, in the currency of the prices; null: no limit. */
  readonly maxCost: number | null;
  /** Tokens that the model can see at once; null: what is known of it, or a default. */
  readonly contextWindow: number | null;
  /** Whether what the model thinks is shown. */
  readonly reasoning: boolean;
  /** `auto`: native, until the server refuses it. */
  readonly toolProtocol: ToolProtocolSetting;
  /** Whether the run is kept, so that it can be resumed. */
  readonly session: boolean;
  /** Of what people are told; `auto`: that of the locale, or English. */
  readonly language: "auto" | Language;
  /** Milliseconds until there is a connection to the model's server; null: no limit. */
  readonly connectTimeoutMs: number | null;
  /** Milliseconds from a request to the first byte of its answer; null: no limit. */
  readonly firstByteTimeoutMs: number | null;
  /** Milliseconds between two signs of life in an answer; null: no limit. */
  readonly idleTimeoutMs: number | null;
  /** Milliseconds of a whole turn of the model, retries included; null: no limit. */
  readonly totalTimeoutMs: number | null;
}

/** One setting. */
export interface Setting<T> {
  /** In a file: `limits.max_steps` is `max_steps` below `limits`. */
  readonly key: string;
  /** As people type it; null: there is none. */
  readonly flag: string | null;
  /** What the flag takes, with its short form if it has one; null: it is added elsewhere. */
  readonly option: string | null;
  /** Environment variables, the first one that is set counts. */
  readonly variables: readonly string[];
  readonly kind: Kind<T>;
  readonly fallback: T;
  /** One line for `--help` and the schema. */
  readonly description: string;
}

/** The settings by their names in the program. */
export type SettingTable = { readonly [F in keyof Values]: Setting<Values[F]> };

/** A limit of the time that the model's server takes. */
function timeout(
  name: string,
  fallbackSeconds: number,
  description: string,
): Setting<number | null> {
  return {
    key: `timeouts.${name}`,
    flag: null,
    option: null,
    variables: [],
    kind: orNone(TIME_SPAN),
    fallback: fallbackSeconds * 1000,
    description,
  };
}

/** Every setting, in the order in which they are shown. */
export const SETTINGS: SettingTable = {
  model: {
    key: "model",
    flag: "--model",
    option: "-m, --model <name>",
    variables: ["REIN_MODEL"],
    kind: NAME,
    fallback: null,
    description: "model to ask, or recorded:FILE",
  },
  baseUrl: {
    key: "base_url",
    flag: "--base-url",
    option: "--base-url <url>",
    variables: ["REIN_BASE_URL", "OPENAI_BASE_URL"],
    kind: ADDRESS,
    fallback: null,
    description: "address of an OpenAI-compatible server, usually ending in /v1",
  },
  // Source of the fallback: the design.
  temperature: {
    key: "temperature",
    flag: "--temperature",
    option: "--temperature <number>",
    variables: ["REIN_TEMPERATURE"],
    kind: real({ from: 0, to: 2 }),
    fallback: 0.2,
    description: "0 to 2; 0.2 by default",
  },
  embeddingModel: {
    key: "embedding_model",
    flag: null,
    option: null,
    variables: ["REIN_EMBEDDING_MODEL"],
    kind: NAME,
    fallback: null,
    description: "model of the server's /embeddings; none by default",
  },
  // Source of the fallback: the design.
  maxSteps: {
    key: "limits.max_steps",
    flag: "--max-steps",
    option: "--max-steps <number>",
    variables: ["REIN_MAX_STEPS"],
    kind: whole({ from: 1, to: 1000 }),
    fallback: 15,
    description: "requests to the model at the most; 15 by default",
  },
  maxTokens: {
    key: "limits.max_tokens",
    flag: "--max-tokens",
    option: "--max-tokens <number>",
    variables: ["REIN_MAX_TOKENS"],
    kind: orNone(whole({ from: 1, to: null })),
    fallback: null,
    description: "tokens at the most, in and out together",
  },
  maxTimeMs: {
    key: "limits.max_time",
    flag: "--max-time",
    option: "--max-time <time>",
    variables: ["REIN_MAX_TIME"],
    kind: orNone(TIME_SPAN),
    fallback: null,
    description: "time at the most, such as 90s, 10m or 1h30m",
  },
  maxCost: {
    key: "limits.max_cost",
    flag: "--max-cost",
    option: "--max-cost <amount>",
    variables: ["REIN_MAX_COST"],
    kind: orNone(real({ from: 0, to: null })),
    fallback: null,
    description: "cost at the most; takes prices in the configuration",
  },
  // Less than the lower bound would not hold the system prompt and the tools.
  contextWindow: {
    key: "context_window",
    flag: "--context-window",
    option: "--context-window <tokens>",
    variables: ["REIN_CONTEXT_WINDOW"],
    kind: orNone(whole({ from: 1000, to: null })),
    fallback: null,
    description: "tokens that the model can see at once",
  },
  reasoning: {
    key: "reasoning",
    flag: "--reasoning",
    option: "--reasoning",
    variables: ["REIN_REASONING"],
    kind: SWITCH,
    fallback: false,
    description: "show on stderr what the model thinks, as far as it tells",
  },
  toolProtocol: {
    key: "tool_protocol",
    flag: "--tool-protocol",
    option: "--tool-protocol <protocol>",
    variables: ["REIN_TOOL_PROTOCOL"],
    kind: choice("auto", "native", "text"),
    fallback: "auto",
    description: "how calls are made: auto, native or text",
  },
  session: {
    key: "session",
    flag: "--no-session",
    option: null,
    variables: ["REIN_SESSION"],
    kind: SWITCH,
    fallback: true,
    description: "whether runs are kept, so that they can be resumed",
  },
  language: {
    key: "language",
    flag: "--lang",
    option: null,
    variables: ["REIN_LANG"],
    kind: choice("auto", ...LANGUAGES),
    fallback: "auto",
    description: "language of messages: en, zh, or auto, which is that of the locale",
  },
  connectTimeoutMs: timeout("connect", 10, "time for a connection to the model's server"),
  // Source: the SDK's own limit. A model that is loaded and reads a long request on a slow machine
  // takes minutes.
  firstByteTimeoutMs: timeout("first_byte", 600, "time from a request to its answer's first byte"),
  // Some servers hold a call back until it is whole, which takes a slow one minutes.
  idleTimeoutMs: timeout("idle", 300, "time between two signs of life in an answer"),
  totalTimeoutMs: timeout("total", 1800, "time of a whole turn of the model, retries included"),
};

/** The names of all settings, in the order of the table. */
export const FIELDS = Object.keys(SETTINGS) as readonly (keyof Values)[];
