/**
 * Whether doing a task twice does harm.
 *
 * @module
 */

import { type Agent, type TaskEnvelope, TransportError } from "./types.ts";

/** Whether a task of which nothing is known may be sent again. */
export function mayRepeat(
  { idempotent, intents }: Pick<Agent, "idempotent" | "intents">,
  { intent }: Pick<TaskEnvelope, "intent">,
): boolean {
  return idempotent || intents.find(({ name }) => name === intent)?.access === "read";
}

/** Whether a task may change something: what became of it then matters, whoever may repeat it. */
export function mayChange(
  { intents }: Pick<Agent, "intents">,
  { intent }: Pick<TaskEnvelope, "intent">,
): boolean {
  return intents.find(({ name }) => name === intent)?.access === "write";
}

/**
 * What to say of a task that the agent may have, and of which nothing more can be found out now. A
 * failure that reads as if nothing was done would have the model ask for it again, as another task.
 */
export function lostTouch(agent: Agent, task: TaskEnvelope, error: unknown): unknown {
  if (!(error instanceof TransportError) || error.code === "lost") return error;
  return error.retriable && mayChange(agent, task)
    ? unknownOutcome(agent, task, { why: error.message, cause: error })
    : error;
}

/** The failure of one that may not. */
export function unknownOutcome(
  { name }: Pick<Agent, "name">,
  { task_id: id }: Pick<TaskEnvelope, "task_id">,
  { why, cause }: { readonly why: string; readonly cause?: unknown },
): TransportError {
  const message =
    `Whether agent "${name}" did task ${id} is not known (${why}), and it must not be sent twice`;
  return new TransportError("unknown_outcome", message, { retriable: false, cause });
}
