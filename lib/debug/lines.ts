/**
 * The lines of a debug file: what was sent, received and decided in runs. Shapes only.
 *
 * @module
 */

import type { Place } from "../context/assemble.ts";
import type { Event } from "../events.ts";
import type {
  AssistantMessage,
  FinishReason,
  Json,
  JsonObject,
  Message,
  ModelChunk,
  ModelErrorCode,
  ToolDefinition,
  Usage,
} from "../types.ts";

/** The version of debug files. */
export const DEBUG_SCHEMA = "rein-debug/1";

/** A source of the policy in force; the text of a built-in one is the program's own. */
export interface DebugPolicy {
  readonly name: string;
  readonly layer: string;
  /** Null for a built-in one. */
  readonly text: string | null;
}

/** Limits of a run, as they were set. */
export interface DebugLimits {
  readonly max_steps: number;
  readonly max_tokens: number | null;
  readonly max_time_ms: number | null;
  readonly max_cost: number | null;
  readonly prices: Json;
}

/** A piece of a turn that is no text: what happened on the way to it. */
export type TurnNote = Exclude<ModelChunk, { type: "text" | "reasoning" | "turn_finished" }>;

/** Why there was no turn: a `ModelError`, as far as a run looks at it. */
export interface TurnFailure {
  readonly code: ModelErrorCode;
  readonly message: string;
  readonly hint: string;
  /** Tokens that a request may have, where the server said so. */
  readonly window: number | null;
}

/** What a line says, apart from when. */
export type DebugBody =
  | {
    /** A process begins to write. */
    readonly type: "debug_started";
    readonly version: string;
    readonly pid: number;
  }
  | {
    /** Runs begin: what they are made of; again where it changes. */
    readonly type: "run_assembled";
    readonly model: {
      readonly name: string;
      readonly source: string;
      readonly recorded: boolean;
      readonly binds_answers: boolean;
      readonly sends_reasoning: boolean;
    };
    readonly place: Place;
    /** Tokens that the model takes at once. */
    readonly window: number;
    readonly temperature: number;
    readonly limits: DebugLimits;
    readonly answer_schema: JsonObject | null;
    readonly home: string | null;
    readonly policy: readonly DebugPolicy[];
    readonly session: string | null;
  }
  /** What a session held when it was gone on with. */
  | { readonly type: "earlier"; readonly event: Event }
  | { readonly type: "definitions"; readonly tools: readonly ToolDefinition[] }
  | {
    /** The model is asked. */
    readonly type: "asked";
    /** From 1 in this process. */
    readonly ask: number;
    /** As many messages from the beginning as the request before had them. */
    readonly same: number;
    readonly messages: readonly Message[];
    /** Names of the tools that are offered, as `definitions` has them. */
    readonly tools: readonly string[];
    readonly answer_schema: JsonObject | null;
  }
  | {
    /** A request on the wire; null where there is no model behind it, but a list of models. */
    readonly type: "request";
    readonly ask: number | null;
    readonly request: number;
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Json;
  }
  | {
    readonly type: "response";
    readonly request: number;
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  }
  | {
    /** A piece of a response, as it came. */
    readonly type: "delta";
    readonly request: number;
    /** Milliseconds since the process began to write. */
    readonly came_ms: number;
    readonly text: string;
  }
  | {
    readonly type: "response_ended";
    readonly request: number;
    readonly bytes: number;
    /** Why deltas are left out, or why it broke off; null: all is here. */
    readonly note: string | null;
  }
  | {
    /** The model's turn, as the run got it. */
    readonly type: "turn";
    readonly ask: number;
    readonly notes: readonly TurnNote[];
    readonly message: AssistantMessage;
    readonly finish_reason: FinishReason;
    readonly usage: Usage;
  }
  | {
    /** There was no turn. */
    readonly type: "turn_failed";
    readonly ask: number;
    readonly notes: readonly TurnNote[];
    /** What had come of its text. */
    readonly text: string;
    /** Null: it was interrupted. */
    readonly error: TurnFailure | null;
  }
  /** What the run told; pieces of text are left out, since `delta` has them. */
  | { readonly type: "event"; readonly event: Event };

/** A line of a debug file. */
export type DebugLine = {
  readonly schema: typeof DEBUG_SCHEMA;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Milliseconds since the process began to write. */
  readonly ms: number;
} & DebugBody;
