/**
 * A2A's operations over the tasks of an agent.
 *
 * It takes the place of the SDK's own handler, which has a record of its own: a message that comes
 * twice would be two tasks there, and a task from before a restart could be neither followed nor
 * cancelled. Here a task of A2A is a task of the service, under the same id.
 *
 * @module
 */

import {
  type AgentCard,
  type ListTasksResponse,
  type Message,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
  type TaskPushNotificationConfig,
  TaskState,
} from "@a2a-js/sdk";
import {
  A2AError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import { a2aTaskOf, agentMessage, contextOf, taskOfMessage } from "../delegate/a2a_mapping.ts";
import { checkTask } from "../delegate/check.ts";
import type { ResultEnvelope, TaskEnvelope, TaskError } from "../delegate/types.ts";
import type { ServedTask, TaskProgress, TaskService } from "./types.ts";

/** What a request is answered with. */
export interface HandlerOptions {
  readonly card: AgentCard;
  /** What the addresses of attachments are relative to. */
  readonly base: URL;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Aborted when nobody is to be kept waiting any more: tasks are then told as they are. */
  readonly closing: AbortSignal;
}

/** The queue of the agent is full. */
export class BusyError extends A2AError {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super("The agent has all the tasks that it can take; try again later");
    this.retryAfterMs = retryAfterMs;
  }
}

function malformed({ code, message }: TaskError): Error {
  return new RequestMalformedError({ message: `${code}: ${message}`, metadata: { code } });
}

/** Answers the requests of one caller. */
export class ServiceHandler implements A2ARequestHandler {
  readonly #service: TaskService;
  readonly #options: HandlerOptions;
  #busy: BusyError | null = null;

  constructor(service: TaskService, options: HandlerOptions) {
    this.#service = service;
    this.#options = options;
  }

  /** Why a request was turned away, where that is because there are too many. */
  get busy(): BusyError | null {
    return this.#busy;
  }

  getAgentCard(): Promise<AgentCard> {
    return Promise.resolve(this.#options.card);
  }

  getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return Promise.reject(new UnsupportedOperationError("There is no other agent card"));
  }

  async sendMessage({ message, configuration }: SendMessageRequest): Promise<Task> {
    const served = this.#submit(message);
    const { task } = served;
    if (served.result || configuration?.returnImmediately === true) return this.#shown(served);
    try {
      return this.#ended(task, await this.#service.result(task.task_id, this.#waiting()));
    } catch (error) {
      if (!this.#options.closing.aborted) throw error;
      return this.#shown(this.#found(task.task_id));
    }
  }

  async *sendMessageStream(request: SendMessageRequest): AsyncGenerator<StreamResponse, void> {
    yield* this.#events(this.#submit(request.message));
  }

  async *resubscribe({ id }: { readonly id: string }): AsyncGenerator<StreamResponse, void> {
    const served = this.#found(id);
    if (served.result) throw new UnsupportedOperationError(`Task ${id} has ended`);
    yield* this.#events(served);
  }

  getTask({ id }: { readonly id: string }): Promise<Task> {
    return this.#attempt(() => this.#shown(this.#found(id)));
  }

  async cancelTask({ id }: { readonly id: string }): Promise<Task> {
    const { task, result } = this.#found(id);
    if (!result) this.#service.cancel(id);
    const end = result ?? await this.#service.result(id, this.#waiting());
    const shown = this.#ended(task, end);
    if (shown.status?.state === TaskState.TASK_STATE_CANCELED) return shown;
    throw new TaskNotCancelableError(`Task ${id} has ended already`);
  }

  listTasks(): Promise<ListTasksResponse> {
    return Promise.reject(new UnsupportedOperationError("Tasks are told by their ids alone"));
  }

  createTaskPushNotificationConfig(): Promise<TaskPushNotificationConfig> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  getTaskPushNotificationConfig(): Promise<TaskPushNotificationConfig> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  listTaskPushNotificationConfigs(): Promise<never> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  deleteTaskPushNotificationConfig(): Promise<void> {
    return Promise.reject(new PushNotificationNotSupportedError());
  }

  #attempt<T>(attempt: () => T): Promise<T> {
    return new Promise((resolve) => resolve(attempt()));
  }

  #waiting(): AbortSignal {
    return AbortSignal.any([this.#options.signal, this.#options.closing]);
  }

  #found(id: string): ServedTask {
    const served = id === "" ? null : this.#service.find(id);
    if (!served) throw new TaskNotFoundError(`There is no task ${id}`);
    return served;
  }

  #shown({ task, phase, result }: ServedTask): Task {
    return a2aTaskOf({ task, begun: phase !== "queued", result }, this.#options.base);
  }

  #ended(task: TaskEnvelope, result: ResultEnvelope): Task {
    return this.#shown({ task, phase: "finished", result });
  }

  /** Hands a message in as a task, or says what is wrong with it. */
  #submit(message: Message | undefined): ServedTask {
    if (!message?.messageId) throw new RequestMalformedError("message.messageId is required");
    if (message.taskId !== "") {
      const { task } = this.#found(message.taskId);
      throw new UnsupportedOperationError(`Task ${task.task_id} takes no further messages`);
    }
    const { name, intents } = this.#service.profile;
    const read = taskOfMessage(message, name, intents);
    if (!read.ok) throw malformed(read.error);
    const checked = checkTask(read.value);
    if (!checked.ok) throw malformed(checked.error);
    const submission = this.#service.submit(checked.value);
    if (submission.kind === "taken") return submission.served;
    if (submission.kind !== "busy") throw malformed(submission.error);
    this.#busy = new BusyError(submission.retryAfterMs);
    throw this.#busy;
  }

  /** The task, what it does, and how it ended. */
  async *#events(served: ServedTask): AsyncGenerator<StreamResponse, void> {
    const { task, result } = served;
    yield { payload: { $case: "task", value: this.#shown(served) } };
    if (result) return;
    const signal = this.#waiting();
    let steps = 0;
    try {
      for await (const progress of this.#service.follow(task.task_id, signal)) {
        const event = progressEvent(task, progress, steps);
        steps += 1;
        if (event) yield event;
      }
      yield* endEvents(this.#ended(task, await this.#service.result(task.task_id, signal)));
    } catch (error) {
      // Whoever follows it then asks for it.
      if (!this.#options.closing.aborted) throw error;
    }
  }
}

function progressEvent(
  task: TaskEnvelope,
  progress: TaskProgress,
  index: number,
): StreamResponse | null {
  // How it ended is told with the result.
  if (progress.type === "phase" && progress.phase !== "running") return null;
  const message = progress.type === "step"
    ? agentMessage(task, `step-${index}`, progress.text)
    : undefined;
  const status = { state: TaskState.TASK_STATE_WORKING, message, timestamp: undefined };
  const value = { taskId: task.task_id, contextId: contextOf(task), status, metadata: undefined };
  return { payload: { $case: "statusUpdate", value } };
}

function* endEvents(task: Task): Generator<StreamResponse, void> {
  const { status, metadata } = task;
  const of = { taskId: task.id, contextId: task.contextId };
  for (const artifact of task.artifacts) {
    const value = { ...of, artifact, append: false, lastChunk: true, metadata: undefined };
    yield { payload: { $case: "artifactUpdate", value } };
  }
  yield { payload: { $case: "statusUpdate", value: { ...of, status, metadata } } };
}
