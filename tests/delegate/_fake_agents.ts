/**
 * Agents, transports and results in memory, for tests.
 *
 * @module
 */

import type {
  Agent,
  Intent,
  ResultEnvelope,
  TaskEnvelope,
  Transport,
  TransportEvents,
} from "../../lib/delegate/types.ts";
import type { JsonObject } from "../../lib/types.ts";

/** An intent that takes `{order, days?}`. */
export function intentOf(name: string, overrides: Partial<Intent> = {}): Intent {
  return {
    name,
    description: `Does ${name}`,
    parameters: {
      type: "object",
      properties: { order: { type: "string" }, days: { type: "integer" } },
      required: ["order"],
      additionalProperties: false,
    },
    example: { order: "A-1" },
    access: "read",
    ...overrides,
  };
}

/** An agent at a program that is never run. */
export function agentOf(
  name: string,
  intents: readonly Intent[],
  rest: Partial<Agent> = {},
): Agent {
  return {
    name,
    description: `Knows about ${name}`,
    address: { transport: "process", command: [`./${name}`] },
    intents,
    timeoutMs: 120_000,
    tokenVariable: null,
    concurrency: 4,
    idempotent: true,
    policy: null,
    file: "/etc/rein/agents.yaml",
    ...rest,
  };
}

/** Orders read and change, alerts read. */
export const ORDERS = agentOf("orders", [
  intentOf("status"),
  intentOf("refund", { access: "write" }),
]);
export const ALERTS = agentOf("alerts", [intentOf("recent")]);

/** A result of a task, which succeeded unless it is told otherwise. */
export function resultOf(
  task_id: string,
  data: JsonObject = {},
  overrides: Partial<ResultEnvelope> = {},
): ResultEnvelope {
  return {
    task_id,
    protocol: "agent-result/1.0",
    status: "success",
    data: { summary: "done", ...data },
    error: null,
    cost: { input_tokens: 7, output_tokens: 3, latency_ms: 5 },
    ...overrides,
  };
}

/** What a fake agent does with a task. */
export type Behaviour = (
  task: TaskEnvelope,
  events: TransportEvents,
  signal: AbortSignal,
) => Promise<ResultEnvelope>;

/** A transport in memory that keeps what was asked of it. */
export class FakeTransport implements Transport {
  /** Envelopes that were sent, in order; retries are there again. */
  readonly sent: TaskEnvelope[] = [];
  readonly cancelled: string[] = [];
  /** Ids that were asked for. */
  readonly recovered: string[] = [];
  /** Tasks that are there now, and how many there were at the most. */
  active = 0;
  most = 0;
  readonly #behave: Behaviour;
  readonly #recover: (task: TaskEnvelope) => Promise<ResultEnvelope | null>;

  constructor(
    behave: Behaviour = (task) => Promise.resolve(resultOf(task.task_id)),
    recover: (task: TaskEnvelope) => Promise<ResultEnvelope | null> = () => Promise.resolve(null),
  ) {
    this.#behave = behave;
    this.#recover = recover;
  }

  async send(task: TaskEnvelope, events: TransportEvents, signal: AbortSignal) {
    this.sent.push(task);
    this.most = Math.max(this.most, ++this.active);
    try {
      return await this.#behave(task, events, signal);
    } finally {
      this.active--;
    }
  }

  recover(task: TaskEnvelope): Promise<ResultEnvelope | null> {
    this.recovered.push(task.task_id);
    return this.#recover(task);
  }

  cancel(taskId: string): Promise<void> {
    this.cancelled.push(taskId);
    return Promise.resolve();
  }

  report(): Promise<never> {
    return Promise.reject(new TypeError("Nobody asks"));
  }
}
