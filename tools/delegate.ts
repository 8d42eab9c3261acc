/**
 * `delegate`: tasks for business agents.
 *
 * @module
 */

import type { DelegateArgs, Delegation } from "../lib/delegate/delegation.ts";
import type { Tool } from "../lib/types.ts";

export type { DelegateArgs } from "../lib/delegate/delegation.ts";

/** Tasks in one call at the most. */
const MAX_TASKS = 50;

/** Time for telling agents that their tasks are given up, in milliseconds. */
const GRACE_MS = 3000;

const NAME = { type: "string", pattern: "^[\\p{L}\\p{N}_-]{1,40}$" } as const;

const TASK = {
  type: "object",
  properties: {
    id: { ...NAME, description: "Its name in this call." },
    agent: { type: "string", maxLength: 200, description: "Agent." },
    intent: { type: "string", maxLength: 200, description: "Intent of the agent." },
    params: { type: "object", description: "Parameters of the intent." },
    after: { type: "array", items: NAME, maxItems: MAX_TASKS, description: "Ids to wait for." },
  },
  required: ["agent", "intent"],
  additionalProperties: false,
} as const;

function description(agents: string): string {
  return "Give tasks to business agents; several in one call run at the same time. Where a task " +
    "needs what another one brings, write {{id.data.field}} (also {{id.data.list[0].field}}) into " +
    "its params: it then runs after that one. Not for what other tools can do here.\n" +
    `Agents with their intents:\n${agents}`;
}

function briefOf({ tasks = [], search }: DelegateArgs): string {
  if (search !== undefined) return `search ${search}`;
  return tasks.map(({ agent, intent }) => `${agent}/${intent}`).join(", ");
}

/** Builds the tool. */
export function createDelegate(delegation: Delegation): Tool<DelegateArgs> {
  return {
    name: "delegate",
    description: description(delegation.description),
    parameters: {
      type: "object",
      properties: {
        tasks: {
          type: "array",
          minItems: 1,
          maxItems: MAX_TASKS,
          items: TASK,
          description: "What is asked of whom.",
        },
        search: {
          type: "string",
          maxLength: 200,
          description: "Instead of tasks: words to find agents and intents.",
        },
        timeout_ms: {
          type: "integer",
          minimum: 1000,
          maximum: 3_600_000,
          description: "For all tasks together.",
        },
      },
      required: [],
      additionalProperties: false,
    },
    effect: "delegate",
    timeoutMs: delegation.timeoutMs,
    graceMs: GRACE_MS,
    resumable: true,
    limits: {},
    subjects: (args) => delegation.subjects(args),
    check: (args) => delegation.check(args),
    brief: briefOf,
    idempotent: () => false,
    preview: (args) => Promise.resolve(delegation.preview(args)),
    run: (args, context) => delegation.run(args, context),
  };
}
