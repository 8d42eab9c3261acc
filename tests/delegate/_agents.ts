/**
 * Agents on loopback for tests, well-behaved and not, and what the tests say to them.
 *
 * @module
 */

import { HttpTransport, type HttpTransportOptions } from "../../lib/delegate/http_transport.ts";
import {
  type Agent,
  type ResultEnvelope,
  type TaskEnvelope,
  TransportError,
} from "../../lib/delegate/types.ts";
import type { Clock, Ports } from "../../lib/ports.ts";
import { realServers } from "../../lib/real/servers.ts";
import { fakePorts } from "../fakes.ts";

/** A task of the agent of the tests. */
export const TASK: TaskEnvelope = {
  task_id: "t-1",
  protocol: "agent-task/1.0",
  agent: "orders",
  intent: "refund",
  params: { order: "A-1" },
  callback: null,
  timeout_sec: 120,
};

/** Its result. */
export const RESULT: ResultEnvelope = {
  task_id: "t-1",
  protocol: "agent-result/1.0",
  status: "success",
  data: { summary: "Refunded" },
  error: null,
  cost: { input_tokens: 1, output_tokens: 2, latency_ms: 3 },
};

/** The agent of the tests, which changes something, and runs a task once. */
export function agentAt(url: string, more: Partial<Agent> = {}): Agent {
  return {
    name: "orders",
    description: "Orders",
    address: { transport: "http", url: new URL(url) },
    intents: [{
      name: "refund",
      description: "Refunds",
      parameters: { type: "object" },
      example: null,
      access: "write",
    }],
    timeoutMs: 120_000,
    tokenVariable: null,
    concurrency: 4,
    idempotent: true,
    policy: null,
    file: "agents.yaml",
    ...more,
  };
}

/** A clock on which every wait is over at once, and is kept. */
export class HastyClock implements Clock {
  /** The waits, in milliseconds. */
  readonly waits: number[] = [];
  readonly #now: number;

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waits.push(ms);
    return new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** A request as an agent got it. */
export interface Received {
  /** `POST /tasks`. */
  readonly line: string;
  readonly prefer: string | null;
  readonly authorization: string | null;
  readonly body: string;
}

/** What an agent answers, one for each request; the last one also for those that follow. */
export type Answers = readonly ((request: Request) => Response | Promise<Response>)[];

/** A running agent with the transport to it. */
export interface Meeting {
  readonly transport: HttpTransport;
  readonly url: string;
  readonly received: readonly Received[];
  readonly clock: HastyClock;
}

/** Answers with a result envelope. */
export function result(envelope: ResultEnvelope = RESULT): Response {
  return Response.json(envelope);
}

/** Answers that the task is being done. */
export function pending(more: object = {}, headers: HeadersInit = {}): Response {
  const body = { task_id: "t-1", phase: "running", poll_after_ms: 500, ...more };
  return Response.json(body, { status: 202, headers });
}

/** Starts an agent, and ends it behind the work. */
export async function meet<T>(
  answers: Answers,
  work: (meeting: Meeting) => Promise<T>,
  { agent = {}, ports = {}, options = {} }: {
    readonly agent?: Partial<Agent>;
    readonly ports?: Partial<Ports>;
    readonly options?: Partial<HttpTransportOptions>;
  } = {},
): Promise<T> {
  const received: Received[] = [];
  const over = new AbortController();
  const server = await realServers.listen({ hostname: "127.0.0.1", port: 0 }, async (request) => {
    const { method, url, headers } = request;
    received.push({
      line: `${method} ${new URL(url).pathname}`,
      prefer: headers.get("prefer"),
      authorization: headers.get("authorization"),
      body: await request.text(),
    });
    const answer = answers[Math.min(received.length, answers.length) - 1];
    return await answer?.(request) ?? new Response(null, { status: 500 });
  }, over.signal);
  const url = `http://127.0.0.1:${server.address.port}/tasks`;
  const clock = new HastyClock(Date.parse("2026-11-30T12:00:00Z"));
  const all = fakePorts({ clock, fetch, servers: realServers, ...ports });
  const variable = options.variable ?? (() => undefined);
  const transport = new HttpTransport(agentAt(url, agent), new URL(url), {
    ports: all,
    options: { ...options, variable },
  });
  try {
    return await work({ transport, url, received, clock });
  } finally {
    over.abort();
    await server.drain();
  }
}

/** What a transport failed with, in one value; the ports of loopback are `PORT`. */
export async function failureOf(
  work: Promise<unknown>,
): Promise<readonly [code: string, message: string, retriable: boolean]> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const message = error.message.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT");
    return [error.code, message, error.retriable];
  }
  throw new TypeError("It did not fail");
}
