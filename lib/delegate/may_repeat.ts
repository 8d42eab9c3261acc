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
