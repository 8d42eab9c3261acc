/**
 * The shapes of delegation: tasks, results, agents, and how one is spoken to. Shapes only.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";

/** The version of task envelopes that rein sends and takes. */
export const TASK_PROTOCOL = "agent-task/1.0";

/** The version of result envelopes that rein takes and sends. */
export const RESULT_PROTOCOL = "agent-result/1.0";

/** Something that goes along with a task, or is too large for a result. */
export interface Attachment {
  /** A file name, without folders. */
  readonly name: string;
  readonly media_type: string;
  /** Its text, where it is sent along. */
  readonly text?: string;
  /** Where it can be fetched, where it is not; may be relative to the agent's address. */
  readonly url?: string;
  /** Its size in bytes, where known. */
  readonly bytes?: number;
}

/** A task for an agent. What an agent does not know it ignores. */
export interface TaskEnvelope {
  /** The idempotency key: the same id is the same task, which runs once. */
  readonly task_id: string;
  readonly protocol: typeof TASK_PROTOCOL;
  /** The agent that it is for, by its name. */
  readonly agent: string;
  readonly intent: string;
  readonly params: JsonObject;
  /** The address to which the result is to be posted; null: the caller asks for it. */
  readonly callback: string | null;
  /** Seconds from its receipt. */
  readonly timeout_sec: number;
  /** The moment after which nobody waits for the result any more: ISO 8601, UTC. */
  readonly deadline?: string;
  /** How many delegations led here: 1 for the task of a caller that was asked by a person. */
  readonly depth?: number;
  /** The depth that no task may exceed. */
  readonly max_depth?: number;
  /** The same for all that one question led to, across agents. */
  readonly trace_id?: string;
  readonly parent_task_id?: string;
  /** A policy, as in a policy file, that can only tighten the agent's own. */
  readonly policy?: JsonObject;
  readonly attachments?: readonly Attachment[];
}

/** How a task ended. `partial_success`: the data lacks something, `error` says what. */
export type ResultStatus = "success" | "partial_success" | "failed";

/** Why a task failed, wholly or in part. */
export interface TaskError {
  /** Stable, in snake_case: `timeout`, `depth_limit`, `invalid_params`. */
  readonly code: string;
  readonly message: string;
  /** Whether the same task may succeed later. */
  readonly retriable: boolean;
}

/** What a task brought. `summary` and `top_items` come first. */
export type TaskData = JsonObject & { readonly summary: string };

/** What a task took. */
export interface TaskCost {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** From its receipt to its end, in milliseconds. */
  readonly latency_ms: number;
}

/** The result of a task. */
export interface ResultEnvelope {
  readonly task_id: string;
  readonly protocol: typeof RESULT_PROTOCOL;
  readonly status: ResultStatus;
  /** Null only where it failed. */
  readonly data: TaskData | null;
  /** Null only where it succeeded. */
  readonly error: TaskError | null;
  readonly cost: TaskCost;
  /** Details that are too large for the data. */
  readonly attachments?: readonly Attachment[];
  readonly trace_id?: string;
}

/** What an agent can be asked for. */
export interface Intent {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its parameters; an object. */
  readonly parameters: JsonObject;
  /** Parameters that fit. */
  readonly example: JsonObject | null;
  /** `write`: it may change something. */
  readonly access: "read" | "write";
}

/** How an agent is reached. */
export type AgentAddress =
  | { readonly transport: "http" | "a2a"; readonly url: URL }
  | { readonly transport: "process"; readonly command: readonly string[] };

/** Where an agent posts its results, instead of being asked for them. */
export interface AgentCallback {
  /** Where rein listens; port 0 is any free one. */
  readonly hostname: string;
  readonly port: number;
  /** How the agent gets there; `{port}` stands for the port. An unguessable path is added. */
  readonly url: string;
}

/** An agent of the directory. */
export interface Agent {
  readonly name: string;
  readonly description: string;
  readonly address: AgentAddress;
  /** Never empty, in the order of the file. */
  readonly intents: readonly Intent[];
  /** Milliseconds that one task may take. */
  readonly timeoutMs: number;
  /** The name of the environment variable that holds its bearer token; null: it needs none. */
  readonly tokenVariable: string | null;
  /** Tasks that it is given at the same time. */
  readonly concurrency: number;
  /**
   * Whether the same task may be sent twice and runs once. Where it may not, a task of which nothing
   * is known after a crash is never sent again.
   */
  readonly idempotent: boolean;
  /** A policy, as in a policy file, that is sent along with each task; null: none. */
  readonly policy: JsonObject | null;
  /** Only of one that is reached by HTTP; left out: it is asked for its results. */
  readonly callback?: AgentCallback;
  /** The file in which it stands. */
  readonly file: string;
}

/** The agents that there are. */
export interface Directory {
  /** In the order of the files, each name once. */
  readonly agents: readonly Agent[];
  /** Whether agents may give tasks to agents. */
  readonly recursive: boolean;
  /** How many delegations deep tasks may be. */
  readonly maxDepth: number;
  /** How many tasks one task may lead to. */
  readonly maxSubtasks: number;
}

/** What went wrong with a transport, as programs should tell it apart. */
export type TransportErrorCode =
  /** It can't be reached, or its program can't be started. */
  | "unreachable"
  | "unauthorized"
  /** It refuses the task: the envelope, the intent or the parameters. */
  | "refused"
  /** It is overloaded. */
  | "busy"
  /** It answered with what is no result of this task. */
  | "bad_result"
  /** It answered with more than is taken. */
  | "too_large"
  /** It does not know the task, or its program has ended without a result. */
  | "lost"
  /** Whether it did the task is not known, and it must not be sent twice. */
  | "unknown_outcome";

/** A task brought no result envelope. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly code: TransportErrorCode;
  /** Whether the same task may be sent again, and may then succeed. */
  readonly retriable: boolean;
  /** How long the agent asks to wait before that, in milliseconds; null where it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    code: TransportErrorCode,
    message: string,
    options: {
      readonly retriable: boolean;
      readonly retryAfterMs?: number;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retriable = options.retriable;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}

/** What an agent says of itself. */
export interface AgentReport {
  /** Versions of task envelopes that it takes; empty where it does not say. */
  readonly protocols: readonly string[];
  /** Its intents; null where it does not say. */
  readonly intents: readonly Intent[] | null;
}

/** What is told of a task on its way. */
export interface TransportEvents {
  /** The agent has the task: where it is asked for, if it said. It can be kept over a crash. */
  accepted(statusUrl: string | null): void;
}

/**
 * The way to one agent. Every method rejects with {@linkcode TransportError}, or with the signal's
 * reason once that is aborted. Results are checked: their form, their size, their `task_id`.
 */
export interface Transport {
  /** Sends a task and waits for its result; retries of one task carry the same id. */
  send(task: TaskEnvelope, events: TransportEvents, signal: AbortSignal): Promise<ResultEnvelope>;
  /**
   * Asks for a task that was sent by a process that has ended, and waits for its result.
   *
   * @param statusUrl As `accepted` told it.
   * @returns Null where the agent surely never had it: it can be sent.
   */
  recover(
    task: TaskEnvelope,
    statusUrl: string | null,
    signal: AbortSignal,
  ): Promise<ResultEnvelope | null>;
  /** Asks the agent to give a task up; one that it does not know is no error. */
  cancel(taskId: string, statusUrl: string | null, signal: AbortSignal): Promise<void>;
  /** Asks the agent what it is, without a task. */
  report(signal: AbortSignal): Promise<AgentReport>;
}
