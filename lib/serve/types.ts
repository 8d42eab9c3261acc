/**
 * The shapes of rein as an agent. Shapes only.
 *
 * @module
 */

import type { Intent, ResultEnvelope, TaskEnvelope, TaskError } from "../delegate/types.ts";

/** What an agent tells of itself to whoever asks. */
export interface AgentProfile {
  readonly name: string;
  readonly description: string;
  readonly intents: readonly Intent[];
}

/** Where a task is. */
export type TaskPhase = "queued" | "running" | "finished";

/** A task as the agent keeps it. */
export interface ServedTask {
  readonly task: TaskEnvelope;
  readonly phase: TaskPhase;
  /** Null until it has finished; a task that was cancelled has failed with the code `cancelled`. */
  readonly result: ResultEnvelope | null;
}

/** What came of handing a task in. */
export type Submission =
  /** It is new, or it was known: then nothing new begins. */
  | { readonly kind: "taken"; readonly known: boolean; readonly served: ServedTask }
  /** The queue is full. */
  | { readonly kind: "busy"; readonly retryAfterMs: number }
  /** It is wrong: nothing was kept of it. `conflict`: its id belongs to another task. */
  | { readonly kind: "refused" | "conflict"; readonly error: TaskError };

/** Something that happened to a task. */
export type TaskProgress =
  | { readonly type: "phase"; readonly phase: TaskPhase }
  /** What it does now, in one line: `run_shell ls /var/log`. */
  | { readonly type: "step"; readonly text: string };

/** The tasks of an agent: what its HTTP and A2A faces are made of. */
export interface TaskService {
  readonly profile: AgentProfile;
  /** Takes an envelope that was checked to be one; never throws. */
  submit(task: TaskEnvelope): Submission;
  find(taskId: string): ServedTask | null;
  /**
   * Waits for the result of a task.
   *
   * @throws The signal's reason, once it is aborted; the task goes on.
   */
  result(taskId: string, signal: AbortSignal): Promise<ResultEnvelope>;
  /** What happens to a task from now on; ends with it. */
  follow(taskId: string, signal: AbortSignal): AsyncIterable<TaskProgress>;
  /** Gives a task up; false where there is none, or it has finished. */
  cancel(taskId: string): boolean;
}
