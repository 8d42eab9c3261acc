/**
 * The shapes that every part of rein shares: messages, tools, decisions.
 * Shapes only, no behaviour.
 *
 * @module
 */

import type { Subject } from "./policy_types.ts";

export type * from "./policy_types.ts";

/** A value that survives `JSON.stringify` unchanged. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A JSON object, such as the parsed arguments of a call. */
export type JsonObject = { readonly [key: string]: Json };

// ── Messages ────────────────────────────────────────────────────────────────

/** One call that a model proposed, exactly as it wrote it. */
export interface ToolCall {
  /** The model's id of the call, or one that rein gave where it sent none. */
  readonly id: string;
  readonly name: string;
  /** Unparsed JSON text; may be empty, wrong or cut off. */
  readonly arguments: string;
}

/** One entry of the conversation between rein and a model. */
export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | AssistantMessage
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** What a model said in one turn. */
export interface AssistantMessage {
  readonly role: "assistant";
  readonly content: string;
  readonly calls: readonly ToolCall[];
  /** What the model thought before it; left out where it told nothing of that. */
  readonly reasoning?: string;
}

/** Tokens as counted by the model's server; zero where it does not count. */
export interface Usage {
  readonly inputTokens: number;
  /** Those of the input that the server had kept from an earlier request; left out: none. */
  readonly cachedInputTokens?: number;
  readonly outputTokens: number;
}

// ── Models ──────────────────────────────────────────────────────────────────

/** Why a model ended its turn. `length`: its output was cut off. */
export type FinishReason = "stop" | "calls" | "length" | "refused";

/** What is sent to a model for one turn. */
export interface ModelRequest {
  readonly messages: readonly Message[];
  /** Empty: the model must answer in text. */
  readonly tools: readonly ToolDefinition[];
  /** The server is to hold the answer to this JSON Schema; left out where it can't, or need not. */
  readonly answerSchema?: JsonObject;
}

/** A piece of a model's turn; `turn_finished` is the last one and comes once. */
export type ModelChunk =
  | { readonly type: "text"; readonly text: string }
  /** What the model thinks; no part of the answer. */
  | { readonly type: "reasoning"; readonly text: string }
  /** The server refused, rein has adapted itself and asks the same turn again. */
  | { readonly type: "adapted"; readonly what: string; readonly why: string }
  /** The turn failed in a way that may pass; it is asked for again after the wait. */
  | {
    readonly type: "retry";
    /** From 1. */
    readonly attempt: number;
    /** The most that there may be. */
    readonly of: number;
    readonly waitMs: number;
    readonly error: { readonly code: ModelErrorCode; readonly message: string };
  }
  /** The text of the turn so far is void: another one follows, from its beginning. */
  | { readonly type: "restart" }
  | {
    readonly type: "turn_finished";
    readonly message: AssistantMessage;
    readonly finishReason: FinishReason;
    readonly usage: Usage;
  };

/** What a session has had of its model before; it grows while the model is asked. */
export interface ModelPast {
  /** Requests that were answered. */
  readonly answers: number;
  /** Ids of calls: a new one is none of them. */
  readonly callIds: ReadonlySet<string>;
}

/** A language model: it turns a request into text and proposed calls. */
export interface Model {
  /** The model's name, such as `qwen3:8b` or `recorded:demo.jsonl`. */
  readonly name: string;
  /** Where it is asked, as people should see it: an address or a file. */
  readonly source: string;
  /** Whether its side of the conversation was written down beforehand. */
  readonly recorded: boolean;
  /** How it is asked for calls now; left out where that can't change. */
  readonly toolProtocol?: "native" | "text";
  /** Whether its server can hold an answer to a JSON Schema; false where left out. */
  readonly bindsAnswers?: boolean;
  /** Whether what it thinks is sent back to it with its calls; left out: no. */
  readonly sendsReasoning?: boolean;
  /**
   * Asks for one turn.
   *
   * @throws {ModelError} If there is no turn to be had.
   * @throws The signal's reason, once it is aborted.
   */
  ask(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelChunk>;
}

/** What went wrong with a model, as programs should tell it apart. */
export type ModelErrorCode =
  | "no_model"
  | "unreachable"
  | "unauthorized"
  | "not_found"
  | "rate_limited"
  /** The account has nothing left; waiting does not help. */
  | "quota_exhausted"
  | "rejected"
  | "server_error"
  /** The request is longer than the model's window. */
  | "context_length"
  | "bad_response"
  /** Something took longer than it may. */
  | "timeout"
  | "recording_ended";

/** A model could not be reached, refused, or sent what can't be understood. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** The kind of failure. */
  readonly code: ModelErrorCode;
  /** What the person can do about it; one sentence. */
  readonly hint: string;
  /** The HTTP status, or null where there was none. */
  readonly status: number | null;
  /**
   * How many tokens a request may have, as the server said with `context_length`; null where it
   * did not say.
   */
  readonly window: number | null;
  /** Whether the same request may succeed a moment later. */
  readonly retriable: boolean;
  /** How long the server asks to wait before that, in milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(code: ModelErrorCode, message: string, options: ModelErrorOptions) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.status = options.status ?? null;
    this.window = options.window ?? null;
    this.retriable = options.retriable ?? false;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** What is known of a {@linkcode ModelError} beside its code and message; see its fields. */
export interface ModelErrorOptions {
  readonly hint: string;
  readonly status?: number;
  readonly window?: number | null;
  readonly retriable?: boolean;
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

// ── Tools ───────────────────────────────────────────────────────────────────

/** What a tool does to the world; policies have a default for each. */
export type Effect = "read" | "write" | "execute" | "network" | "delegate";

/** A JSON Schema of an object, as sent to models and compiled for validation. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: JsonObject };
  readonly required: readonly string[];
  /** False, but for tools that are not rein's own. */
  readonly additionalProperties: boolean | JsonObject;
  /** Schemas that others refer to. */
  readonly $defs?: { readonly [name: string]: JsonObject };
  readonly definitions?: { readonly [name: string]: JsonObject };
}

/** The part of a tool that a model sees. */
export interface ToolDefinition {
  readonly name: string;
  /** What it does, when to use it, when not. */
  readonly description: string;
  readonly parameters: ObjectSchema;
}

/**
 * How much of a text a model gets to see. Characters are UTF-16 units. Lines from the middle that
 * name trouble and stand out may take up to a quarter of it.
 */
export interface TextLimit {
  /** Kept from the beginning, in units. */
  readonly head: number;
  /** Kept from the end, in units. */
  readonly tail: number;
  /** `chars` if left out. */
  readonly unit?: "chars" | "lines";
}

/** A tool as the call pipeline runs it. `Args` is what its schema admits. */
export interface Tool<Args = JsonObject> extends ToolDefinition {
  readonly effect: Effect;
  readonly timeoutMs: number;
  /**
   * Milliseconds that it may take beyond its time limit, since it keeps that itself and then ends
   * what it began; none if left out.
   */
  readonly graceMs?: number;
  /**
   * Whether a call that was running when its process ended is taken up by running it again, with
   * `again` in its context; if left out, what became of it is not known.
   */
  readonly resumable?: boolean;
  /** Whether `timeout_ms` among its arguments is no time limit of rein's; left out: it is one. */
  readonly ownTimeout?: boolean;
  /** Limits for the named text fields of its data. */
  readonly limits: { readonly [field: string]: TextLimit };
  /** What is wrong with arguments that fit the schema; null: nothing. Changes nothing. */
  check?(args: Args): Promise<ObservationError | null>;
  /** What the policy judges before `run`; empty if it touches nothing. */
  subjects(args: Args): readonly Subject[];
  /** The arguments in a few words, for people: `ls -la /var/log`. */
  brief(args: Args): string;
  /** Whether running it twice does no harm; where left out, only tools that read. */
  idempotent?(args: Args): boolean;
  /**
   * What it would do, for the person who decides: a diff, a request. Changes nothing. It may
   * throw where that can't be told.
   */
  preview?(args: Args): Promise<string>;
  /** Does the work. What fails in an expected way is returned, not thrown. */
  run(args: Args, context: ToolContext): Promise<ToolOutcome>;
}

/** Which call a tool works on. */
export interface CallIdentity {
  /** The run in which it began. */
  readonly run: string;
  readonly id: string;
  /** Whether an earlier process had begun it, and ended. */
  readonly again: boolean;
}

/** What a running tool may know about its run. */
export interface ToolContext {
  readonly call: CallIdentity;
  /** Aborted at the tool's timeout and when the run is interrupted. */
  readonly signal: AbortSignal;
  /** Whether the policy allows reading a path that the call did not name itself. */
  mayRead(path: string): Promise<boolean>;
  /** Whether the policy allows reaching a host that the call did not name itself. */
  mayReach(host: string): Promise<boolean>;
  /** Starts a text of the outcome's data that is too long or too raw to be handed back whole. */
  collect(request: CollectRequest): TextCollector;
}

/** What text is to be collected, and how. */
export interface CollectRequest {
  /** The field of the data that it is for. */
  readonly field: string;
  readonly limit: TextLimit;
  /** Whether it is a program's output: terminal codes go, repeated lines are said once. */
  readonly raw: boolean;
  /** The charset that whoever sent it declared, such as `gbk`; left out, it is found out. */
  readonly charset?: string;
  /** The number of its first line, 1 if left out; null: its lines are not shown by number. */
  readonly firstLine?: number | null;
  /** How the model gets what is left out, where that needs no copy: `Ask for a range of lines.` */
  readonly readOn?: string;
}

/** A text of any length, collected in bounded memory: decoded, cleaned, redacted, cut. */
export interface TextCollector {
  /** Adds bytes, which may end anywhere, or text. */
  push(piece: Uint8Array | string): void;
  /** Ends it; must be called once. */
  finish(): CollectedText;
}

/** What was collected. */
export interface CollectedText {
  /** For the data, within the limit, with a note where something is left out. */
  readonly text: string;
  /** Lines of the whole text; a last one without a line end counts. */
  readonly totalLines: number;
  /** For the outcome; empty if nothing was left out. */
  readonly truncated: readonly Truncation[];
  /** What else was done to it, in words: `2 secrets redacted`. */
  readonly notes: readonly string[];
}

/** What a tool brought back. */
export type ToolOutcome =
  | {
    readonly ok: true;
    readonly data: JsonObject;
    /** The result in a few words, for people: `12 lines`. */
    readonly summary: string;
    /** Cuts that the tool itself made while reading. */
    readonly truncated?: readonly Truncation[];
  }
  | { readonly ok: false; readonly error: ObservationError };

/** What was left out of one text. */
export interface Truncation {
  /** The field of the data that was cut. */
  readonly field: string;
  readonly total_chars: number;
  readonly omitted_chars: number;
  readonly omitted_lines: number;
  /** How the model gets the rest; one sentence. */
  readonly read_on: string;
}

/** A failure that a model can act on. */
export interface ObservationError {
  /** Stable, in snake_case: `invalid_arguments`. */
  readonly code: string;
  readonly message: string;
  /** What to do instead; one line. */
  readonly hint: string;
  /** Whether the same call may succeed later. */
  readonly retriable: boolean;
}

/** How a call ended. */
export type CallStatus =
  | "success"
  | "error"
  | "denied"
  | "unavailable"
  | "timeout"
  | "cancelled";

/** What the model gets back for one call. */
export interface Observation {
  readonly status: CallStatus;
  readonly data: JsonObject | null;
  readonly error: ObservationError | null;
  readonly truncated: readonly Truncation[];
  /** What the model should know beside the result. */
  readonly note?: string;
  /** The result in a few words, for people; not sent to the model. */
  readonly summary: string;
}
