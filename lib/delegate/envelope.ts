/**
 * Envelopes of tasks that are sent.
 *
 * @module
 */

import type { JsonObject } from "../types.ts";
import type { PlannedTask } from "./plan.ts";
import { TASK_PROTOCOL, type TaskEnvelope } from "./types.ts";

/** The task that a run serves, such as its envelope; what it delegates are tasks of that one. */
export interface ParentTask {
  readonly task_id: string;
  readonly trace_id?: string;
  /** How many delegations led to it; 1 if left out. */
  readonly depth?: number;
  readonly max_depth?: number;
  /** ISO 8601, UTC. */
  readonly deadline?: string;
}

/** Where tasks stand in the chain of delegations. */
export interface Chain {
  /** How many delegations lead to them. */
  readonly depth: number;
  readonly maxDepth: number;
  readonly traceId: string;
  readonly parentTaskId: string | null;
}

/** When a task is sent, and until when it is waited for; milliseconds since the epoch. */
export interface SendTime {
  readonly nowMs: number;
  readonly deadlineMs: number;
}

/** The same task, sent at another time. */
export function sentAt(task: TaskEnvelope, { nowMs, deadlineMs }: SendTime): TaskEnvelope {
  const deadline = new Date(deadlineMs).toISOString();
  const timeout_sec = Math.max(1, Math.ceil((deadlineMs - nowMs) / 1000));
  return { ...task, timeout_sec, deadline };
}

/** The envelope of a task whose parameters are filled in; when it is sent is not in it yet. */
export function envelopeOf(
  { agent, intent }: PlannedTask,
  params: JsonObject,
  { id, chain }: { readonly id: string; readonly chain: Chain },
): TaskEnvelope {
  const { depth, maxDepth, traceId, parentTaskId } = chain;
  return {
    task_id: id,
    protocol: TASK_PROTOCOL,
    agent: agent.name,
    intent: intent.name,
    params,
    callback: null,
    timeout_sec: 1,
    depth,
    max_depth: maxDepth,
    trace_id: traceId,
    ...(parentTaskId === null ? {} : { parent_task_id: parentTaskId }),
    ...(agent.policy === null ? {} : { policy: agent.policy }),
  };
}
