/**
 * Whether a task may come in at all.
 *
 * @module
 */

import { compileSchema } from "../answer/compile_schema.ts";
import type { TaskEnvelope, TaskError } from "../delegate/types.ts";
import type { Json, JsonObject } from "../types.ts";
import type { AgentFile, ServedIntent } from "./agent_file.ts";
import { taskError } from "./outcome.ts";

/** The depth that no task may exceed where its envelope does not say. Source: the design. */
const MAX_DEPTH = 2;

/** What a task has to pass. */
export interface Admission {
  /** Why a task is refused; null if it may come in. */
  faultOf(task: TaskEnvelope, nowMs: number): TaskError | null;
  intentOf(task: TaskEnvelope): ServedIntent | null;
}

/** What admission depends on beside the agent file. */
export interface AdmissionPorts {
  /** Why a policy that came with a task can't be used; null if it can. */
  policyFault(intent: string, policy: JsonObject): string | null;
}

/**
 * Whether results may be posted to an address.
 *
 * @param hosts With a port where it is not the usual one; `:*` is any port.
 */
export function isAllowedHost(callback: string, hosts: readonly string[]): boolean {
  const url = URL.parse(callback);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  // A name and a password in an address would go to whoever is there.
  if (url.username !== "" || url.password !== "") return false;
  const names = [url.host, `${url.hostname}:*`];
  return hosts.some((host) => names.includes(host.toLowerCase()));
}

function depthFault({ depth = 1, max_depth = MAX_DEPTH }: TaskEnvelope): TaskError | null {
  if (depth <= max_depth) return null;
  const message = `The task is ${depth} delegations deep, and ${max_depth} are the most`;
  return taskError("depth_limit", message);
}

function callbackFault({ callback }: TaskEnvelope, { callbacks }: AgentFile): TaskError | null {
  if (callback === null || isAllowedHost(callback, callbacks)) return null;
  const message = "Results are not posted to the host of this callback; ask for the result instead";
  return taskError("callback_refused", message);
}

function deadlineFault({ deadline }: TaskEnvelope, nowMs: number): TaskError | null {
  if (deadline === undefined) return null;
  const atMs = Date.parse(deadline);
  if (Number.isNaN(atMs)) return taskError("invalid_envelope", "The deadline is no moment");
  return atMs > nowMs ? null : taskError("timeout", "The deadline of the task is over already");
}

/** Builds the admission of an agent. */
export function createAdmission(agent: AgentFile, { policyFault }: AdmissionPorts): Admission {
  const names = agent.intents.map(({ name }) => name).join(", ");
  const known = new Map(
    agent.intents.map((intent) =>
      [intent.name, { intent, faults: compileSchema(intent.parameters) }] as const
    ),
  );
  const paramsFault = (task: TaskEnvelope, faults: (value: Json) => readonly string[]) => {
    const wrong = faults(task.params).slice(0, 5).join("; ");
    return wrong === "" ? null : taskError("invalid_params", `The parameters do not fit: ${wrong}`);
  };
  return {
    intentOf: ({ intent }) => known.get(intent)?.intent ?? null,
    faultOf: (task, nowMs) => {
      // What a caller's directory calls this agent is the caller's business.
      const entry = known.get(task.intent);
      if (entry === undefined) {
        return taskError(
          "unknown_intent",
          `There is no intent "${task.intent}": they are ${names}`,
        );
      }
      const wrong = paramsFault(task, entry.faults) ?? depthFault(task) ??
        callbackFault(task, agent) ?? deadlineFault(task, nowMs);
      if (wrong !== null || task.policy === undefined) return wrong;
      const policy = policyFault(task.intent, task.policy);
      return policy === null ? null : taskError("invalid_policy", policy);
    },
  };
}
