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
  | "repeating"
  | "blocked"
  | "interrupted"
  | "model_error";

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
  readonly model: { readonly name: string; readonly recorded: boolean } | null;
  /** Requests to the model, the last one for a summary not counted. */
  readonly steps: number;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
  readonly calls: readonly CallRecord[];
  readonly error: RunError | null;
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
  }
  | { readonly type: "step_started"; readonly max_steps: number }
  | { readonly type: "text_delta"; readonly text: string }
  | {
    readonly type: "turn_finished";
    readonly content: string;
    readonly calls: readonly ToolCall[];
    readonly finish_reason: FinishReason;
    readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
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
    readonly observation: Observation;
    readonly ms: number;
  }
  | { readonly type: "run_finished"; readonly result: RunResult };

/** One thing that happened in a run. */
export type Event = EventBase & EventBody;
