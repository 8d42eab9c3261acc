/**
 * An agent's tasks in memory, over a record that outlasts it.
 *
 * @module
 */

import type { Fetch } from "../../lib/ports.ts";
import type { ResultEnvelope, TaskEnvelope } from "../../lib/delegate/types.ts";
import type {
  AgentProfile,
  ServedTask,
  Submission,
  TaskProgress,
  TaskService,
} from "../../lib/serve/types.ts";
import { PAYOUTS, REFUND, resultOf } from "../delegate/_envelopes.ts";

/** What is kept of tasks, whoever serves them. */
export type TaskRecord = Map<string, ServedTask>;

/** How many tasks the service takes that have not ended. */
const QUEUE = 2;

type Listener = (progress: TaskProgress | null) => void;

/** A service of which a test says how its tasks go. */
export class MemoryService implements TaskService {
  readonly profile: AgentProfile = {
    name: "orders",
    description: "Looks at orders, payments and refunds",
    intents: [REFUND, PAYOUTS],
  };
  /** The tasks that were begun here, one entry each time. */
  readonly begun: string[] = [];
  readonly #record: TaskRecord;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #answer: (task: TaskEnvelope) => ResultEnvelope | null;

  /** @param answer What a task comes to at once; null: it runs until the test ends it. */
  constructor(
    record: TaskRecord = new Map(),
    answer: (task: TaskEnvelope) => ResultEnvelope | null = () => null,
  ) {
    this.#record = record;
    this.#answer = answer;
  }

  submit(task: TaskEnvelope): Submission {
    const known = this.#record.get(task.task_id);
    if (known) return this.#again(known, task);
    if (task.intent === REFUND.name && task.params.order === undefined) {
      const message = "order is missing";
      return { kind: "refused", error: { code: "invalid_params", message, retriable: false } };
    }
    const open = [...this.#record.values()].filter(({ result }) => !result);
    if (open.length >= QUEUE) return { kind: "busy", retryAfterMs: 1_500 };
    const result = this.#answer(task);
    const served: ServedTask = { task, phase: result ? "finished" : "running", result };
    this.begun.push(task.task_id);
    this.#record.set(task.task_id, served);
    return { kind: "taken", known: false, served };
  }

  #again(served: ServedTask, task: TaskEnvelope): Submission {
    if (served.task.intent === task.intent) return { kind: "taken", known: true, served };
    const message = "The id belongs to another task";
    return { kind: "conflict", error: { code: "conflict", message, retriable: false } };
  }

  find(taskId: string): ServedTask | null {
    return this.#record.get(taskId) ?? null;
  }

  async result(taskId: string, signal: AbortSignal): Promise<ResultEnvelope> {
    for await (const _ of this.follow(taskId, signal));
    const result = this.find(taskId)?.result;
    if (!result) throw new TypeError(`No result of ${taskId}`);
    return result;
  }

  async *follow(taskId: string, signal: AbortSignal): AsyncIterable<TaskProgress> {
    signal.throwIfAborted();
    if (this.find(taskId)?.result) return;
    const news = new ReadableStream<TaskProgress>({
      start: (controller) => {
        const listener: Listener = (progress) => {
          if (progress) controller.enqueue(progress);
          else controller.close();
        };
        const listeners = this.#listeners.get(taskId) ?? new Set();
        this.#listeners.set(taskId, listeners.add(listener));
        signal.addEventListener("abort", () => {
          if (listeners.delete(listener)) controller.error(signal.reason);
        }, { once: true });
      },
    });
    yield* news;
  }

  /** How many wait for something of a task. */
  waiting(taskId: string): number {
    return this.#listeners.get(taskId)?.size ?? 0;
  }

  cancel(taskId: string): boolean {
    const served = this.find(taskId);
    if (!served || served.result) return false;
    const error = { code: "cancelled", message: "It was given up", retriable: false };
    this.end(resultOf({ task_id: taskId, status: "failed", data: null, error }));
    return true;
  }

  /** Tells what a task does now. */
  step(taskId: string, text: string): void {
    for (const listener of this.#listeners.get(taskId) ?? []) listener({ type: "step", text });
  }

  /** Ends a task. */
  end(result: ResultEnvelope): void {
    const served = this.find(result.task_id);
    if (!served) throw new TypeError(`No task ${result.task_id}`);
    this.#record.set(result.task_id, { ...served, phase: "finished", result });
    const listeners = [...this.#listeners.get(result.task_id) ?? []];
    this.#listeners.delete(result.task_id);
    for (const listener of listeners) listener(null);
  }
}

/** Routes, as who fetches sees them. */
export function fetchFrom(
  routes: readonly {
    readonly method: string;
    readonly path: string;
    handle(request: Request): Promise<Response>;
  }[],
): Fetch {
  return (input, init) => {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const route = routes.find(({ method, path }) => method === request.method && path === pathname);
    return route?.handle(request) ?? Promise.resolve(new Response("nothing", { status: 404 }));
  };
}
