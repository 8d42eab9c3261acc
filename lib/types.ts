/**
 * The shapes that every part of rein shares: messages, tools, decisions.
 * Shapes only, no behaviour.
 *
 * @module
 */

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
}

/** Tokens as counted by the model's server; zero where it does not count. */
export interface Usage {
  readonly inputTokens: number;
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
}

/** A piece of a model's turn; `turn_finished` is the last one and comes once. */
export type ModelChunk =
  | { readonly type: "text"; readonly text: string }
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
  | "rejected"
  | "server_error"
  /** The request is longer than the model's window. */
  | "context_length"
  | "bad_response"
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

  constructor(
    code: ModelErrorCode,
    message: string,
    options: { hint: string; status?: number; window?: number | null; cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.status = options.status ?? null;
    this.window = options.window ?? null;
  }
}

// ── Tools ───────────────────────────────────────────────────────────────────

/** What a tool does to the world; policies have a default for each. */
export type Effect = "read" | "write" | "execute" | "network" | "delegate";

/** A JSON Schema of an object, as sent to models and compiled for validation. */
export interface ObjectSchema {
  readonly type: "object";
  readonly properties: { readonly [name: string]: JsonObject };
  readonly required: readonly string[];
  readonly additionalProperties: false;
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
  /** Limits for the named text fields of its data. */
  readonly limits: { readonly [field: string]: TextLimit };
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

/** What a running tool may know about its run. */
export interface ToolContext {
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

// ── Policy ──────────────────────────────────────────────────────────────────

/** Ordered: `allow` < `ask` < `deny`. Combining decisions takes the strictest. */
export type Decision = "allow" | "ask" | "deny";

/** One thing that a call is about to do, as a policy judges it. */
export type Subject =
  | { readonly kind: "command"; readonly command: string }
  | { readonly kind: "path"; readonly access: "read" | "write"; readonly path: string }
  | {
    readonly kind: "host";
    readonly host: string;
    /** `write`: what is sent may change something there; where left out it may, too. */
    readonly access?: "read" | "write";
  }
  | { readonly kind: "intent"; readonly agent: string; readonly intent: string };

/** A proposed call, as a policy judges it. */
export interface JudgeRequest {
  readonly tool: string;
  readonly effect: Effect;
  readonly subjects: readonly Subject[];
}

/** A place in a judged text: offsets in UTF-16 units, `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One rule that took part in an evaluation. */
export interface RuleMatch {
  /** The rule's id, such as `baseline.rm-root`. */
  readonly rule: string;
  readonly decision: Decision;
  readonly reason: string;
  /** What to do instead, for the model; null if the rule has nothing to say. */
  readonly suggest: string | null;
  /** The piece of the subject that the rule matched. */
  readonly matched: string;
  /** Where the piece stands in the subject's text, if it stands there. */
  readonly span: Span | null;
}

/** One simple command, path or host, with every rule that applied to it. */
export interface EvaluatedPart {
  /** The simple command, path or host, as it was judged. */
  readonly text: string;
  /** Where it stands in the subject's text, if it stands there. */
  readonly span: Span | null;
  readonly decision: Decision;
  /** Never empty; strictest first. */
  readonly matches: readonly RuleMatch[];
}

/** A policy's verdict on a call, with everything that led to it. */
export interface Evaluation {
  /** The strictest decision of all parts. */
  readonly decision: Decision;
  readonly parts: readonly EvaluatedPart[];
}

/** Judges one call; never throws. */
export type Judge = (request: JudgeRequest) => Evaluation;

/** What came of asking for a person's approval. */
export type Approval =
  | {
    readonly granted: true;
    /** `session`: an earlier answer of this session, which was for good. */
    readonly by: "person" | "session";
    /** `session`: also for the very same call later on. */
    readonly scope: "once" | "session";
  }
  | {
    readonly granted: false;
    readonly by: "person";
    /** `run`: the person ended the run with it. */
    readonly scope: "once" | "run";
    /** In the person's words; null where none were given. */
    readonly reason: string | null;
  }
  | { readonly granted: false; readonly by: "nobody"; readonly reason: string };
