/**
 * The shapes of a run as it is told: its events, its calls, its result. Shapes only.
 *
 * @module
 */

import type {
  Approval,
  CallStatus,
  Decision,
  Evaluation,
  FinishReason,
  Json,
  Observation,
  ToolCall,
} from "./types.ts";

/** Why a run ended. */
export type StopReason =
  | "answered"
  | "step_limit"
  | "token_limit"
  | "time_limit"
  | "cost_limit"
  | "context_exhausted"
  | "repeating"
  | "blocked"
  | "interrupted"
  | "model_error"
  | "schema_unmet";

/** One call of a run, as its result reports it. */
export interface CallRecord {
  readonly id: string;
  readonly step: number;
  readonly tool: string;
  /** The parsed arguments, or the model's text where it did not parse. */
  readonly arguments: Json;
  /** The policy's decision; null where the call never got that far. */
  readonly decision: Decision | null;
  readonly status: CallStatus;
  /** From the proposal to the observation, in milliseconds. */
  readonly ms: number;
  readonly truncated: boolean;
}

/** What went wrong, for programs and people. */
export interface RunError {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** Something that was established, and what showed it. */
export interface Fact {
  readonly text: string;
  /** The id of the call that showed it; null where the person or an answer said it. */
  readonly call: string | null;
  /** The step in which it was shown; 0 for what the person said. */
  readonly step: number;
}

/** What is kept of rounds that left the model's context. */
export interface Digest {
  readonly facts: readonly Fact[];
  /** What was decided, and why; a sentence each. */
  readonly decisions: readonly string[];
  /** What is still to be found out or done; a sentence each. */
  readonly open: readonly string[];
}

/** What rein itself says of a run that ended without an answer. */
export interface RunEnding {
  /** Why it stopped; one sentence without a final period. */
  readonly why: string;
  /** What was done, a call each: `[2] run_shell ls /var/log → 12 lines`. */
  readonly done: readonly string[];
  /** What was established so far. */
  readonly obtained: readonly string[];
  /** What is left to do, as far as it is known. */
  readonly left: readonly string[];
  /** The command that goes on from here; null where nothing was kept. */
  readonly resume: string | null;
}

/** Tokens of a request and its answer. */
export interface TokenUsage {
  readonly input_tokens: number;
  /** Those of the input that the server had kept; left out where it told of none. */
  readonly cached_input_tokens?: number;
  readonly output_tokens: number;
  /** Whether rein counted, since the server did not. */
  readonly estimated: boolean;
}

/** `success`: answered. `unfinished`: a bound ended it. `failed`: no result. */
export type RunStatus = "success" | "unfinished" | "failed";

/** The end of a run: what `--output json` prints. */
export interface RunResult {
  readonly schema: "rein-result/1";
  readonly run_id: string;
  readonly status: RunStatus;
  /** Null where rein failed before or beside the run. */
  readonly stop_reason: StopReason | null;
  /** The answer, or what there is of it; null if there is nothing. */
  readonly answer: string | null;
  /** The answer as data, where it had to fit a schema and does; else null. */
  readonly data: Json;
  readonly model: { readonly name: string; readonly recorded: boolean } | null;
  /** Requests to the model, the last one for a summary not counted. */
  readonly steps: number;
  readonly usage: TokenUsage;
  /** In the currency of the configured prices; null without prices. */
  readonly cost: number | null;
  /** From the beginning to the end, in milliseconds; the time between two processes not counted. */
  readonly elapsed_ms: number;
  /** The session that it belongs to; null where nothing is kept. */
  readonly session: string | null;
  readonly calls: readonly CallRecord[];
  /** What was established, as far as it was written down. */
  readonly facts: readonly Fact[];
  readonly error: RunError | null;
  /** Null for a run that was answered, or that never began. */
  readonly ending: RunEnding | null;
}

/** What every event carries. */
interface EventBase {
  readonly schema: "rein-event/1";
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly run_id: string;
  /** The step it belongs to, from 1; 0 before the first. */
  readonly step: number;
}

/** What an event says, apart from when and where. */
export type EventBody =
  | {
    readonly type: "run_started";
    readonly task: string;
    readonly model: { readonly name: string; readonly source: string; readonly recorded: boolean };
    readonly max_steps: number;
    readonly session: string | null;
    /** `no`: a new task. `crashed`: the process of the run ended, the run did not. */
    readonly resumed: "no" | "crashed" | "stopped";
    /** The task of another agent that it serves; left out: a person asks. */
    readonly task_id?: string;
    /** The same for all that one question led to, across agents; left out: it begins here. */
    readonly trace_id?: string;
  }
  | {
    readonly type: "step_started";
    readonly max_steps: number;
    /** `[Step 3/15] done: …`, as the model is told. */
    readonly progress: string;
  }
  | { readonly type: "text_delta"; readonly text: string }
  /** What the model thinks, as it comes; no part of the answer. */
  | { readonly type: "reasoning_delta"; readonly text: string }
  /** The server refused what rein sent; the same turn is asked again, in another way. */
  | {
    readonly type: "model_adapted";
    /** What is done from now on: `no temperature is sent`. */
    readonly what: string;
    /** The server's words. */
    readonly why: string;
  }
  | {
    /** A request to the model failed in a way that may pass, and is made again after the wait. */
    readonly type: "model_retried";
    /** From 1. */
    readonly attempt: number;
    readonly of: number;
    readonly wait_ms: number;
    readonly error: { readonly code: string; readonly message: string };
  }
  /** The text of the turn so far is void: another one follows, from its beginning. */
  | { readonly type: "text_restarted" }
  | {
    readonly type: "turn_finished";
    readonly content: string;
    /** What the model thought, as far as it told; null if it told nothing. */
    readonly reasoning: string | null;
    readonly calls: readonly ToolCall[];
    readonly finish_reason: FinishReason;
    readonly usage: TokenUsage;
    /** Whether it was the last request of a run that had stopped, which offers no tools. */
    readonly closing: boolean;
  }
  | {
    readonly type: "context_compacted";
    /**
     * `high_water`: the next request would fill the window. `refused`: the server said so. `asked`:
     * the person wanted it.
     */
    readonly cause: "high_water" | "refused" | "asked";
    /** Tokens that the model takes at once, as far as it is known. */
    readonly window: number;
    readonly tokens_before: number;
    readonly tokens_after: number;
    /** The entry up to which what was said beside calls is shortened; 0: none. */
    readonly condensed_through: number;
    /** The entry up to which all is summarised; 0: none. */
    readonly summarised_through: number;
    /** Tokens that one round takes at the most from now on, by estimate, uncorrected. */
    readonly round_tokens: number;
    /** Who wrote the digest; null where there is none. */
    readonly by: "model" | "rein" | null;
    /** What is kept of the rounds that left with this compaction. */
    readonly digest: Digest | null;
    /** All that is known now, the new included. */
    readonly facts: readonly Fact[];
    /** Facts that are not among them any more, over all compactions: there was no room. */
    readonly facts_left: number;
    /** Digests that are still shown, this one included. */
    readonly digests_shown: number;
    readonly usage: TokenUsage | null;
  }
  | {
    readonly type: "call_proposed";
    readonly call_id: string;
    readonly tool: string;
    readonly arguments: string;
  }
  | {
    readonly type: "call_judged";
    readonly call_id: string;
    readonly tool: string;
    readonly evaluation: Evaluation;
  }
  | { readonly type: "approval_requested"; readonly call_id: string; readonly tool: string }
  | {
    readonly type: "approval_answered";
    readonly call_id: string;
    readonly tool: string;
    readonly approval: Approval;
  }
  | {
    readonly type: "call_started";
    readonly call_id: string;
    readonly tool: string;
    /** The arguments in a few words. */
    readonly brief: string;
  }
  | {
    readonly type: "call_finished";
    readonly call_id: string;
    readonly tool: string;
    readonly brief: string;
    /** The parsed arguments, or the model's text where it did not parse. */
    readonly arguments: Json;
    /** The policy's decision; null where the call never got that far. */
    readonly decision: Decision | null;
    readonly observation: Observation;
    readonly ms: number;
  }
  | {
    readonly type: "answer_checked";
    readonly fits: boolean;
    /** The JSON, compact, where it fits; else null. */
    readonly answer: string | null;
    /** What it means, where it fits; else null. */
    readonly data: Json;
    /** Why it does not fit; empty if it does. */
    readonly errors: readonly string[];
    /** How often the answer was asked for again so far. */
    readonly corrections: number;
    /** What the model is told, so that it answers again; null: it is not asked again. */
    readonly correction: string | null;
  }
  | {
    readonly type: "changes_undone";
    /** The run whose changes of files were undone. */
    readonly undone_run: string;
    /** Absolute. */
    readonly paths: readonly string[];
  }
  | { readonly type: "run_finished"; readonly result: RunResult };

/** One thing that happened in a run. */
export type Event = EventBase & EventBody;
