/**
 * Gives tasks to an agent over HTTP, and asks for them: the binding stands in `docs/agents.md`.
 *
 * @module
 */

import type { Clock, Fetch } from "../ports.ts";
import { tokenOf, type VariableLookup } from "./agent_token.ts";
import { MAX_ANSWER_BYTES } from "./bounded.ts";
import { CallbackListener, type CallbackPorts } from "./callback_listener.ts";
import { readReport } from "./agent_report.ts";
import {
  errorOfStatus,
  isNotTaken,
  type Pending,
  type Question,
  readAnswer,
  type TaskAnswer,
  valueOf,
} from "./http_answer.ts";
import { exchange, type ExchangeRequest, type HttpAnswer } from "./http_exchange.ts";
import { lostTouch, mayRepeat, unknownOutcome } from "./may_repeat.ts";
import { withTransportRetries } from "./transport_retry.ts";
import {
  type Agent,
  type AgentReport,
  type ResultEnvelope,
  type TaskEnvelope,
  type Transport,
  TransportError,
  type TransportEvents,
} from "./types.ts";
import { taskText } from "./write_envelope.ts";

/** What it needs. */
export interface HttpTransportPorts extends CallbackPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: () => number;
}

/** How it is set up. */
export interface HttpTransportOptions {
  /** Holds the agent's token. */
  readonly variable: VariableLookup;
  /** Bytes of one answer at the most; {@linkcode MAX_ANSWER_BYTES} if left out. */
  readonly maxBytes?: number;
}

/** Seconds that a request is held open at the most: many proxies cut one after 60. */
const MAX_WAIT_SEC = 25;

/** The wait between questions where the result is to be posted, in milliseconds. */
const PATIENT_POLL_MS = 10_000;

/** What says that an address does not know a task, or knows nothing of asking for tasks. */
const UNKNOWN: readonly number[] = [404, 405, 410, 501];

/** The address of one task below that of the agent. */
function taskUrl(address: URL, taskId: string): URL {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${encodeURIComponent(taskId)}`;
  return url;
}

/** Speaks to one agent. */
export class HttpTransport implements Transport {
  readonly #agent: Agent;
  readonly #address: URL;
  readonly #ports: HttpTransportPorts;
  readonly #options: HttpTransportOptions;
  readonly #listener: CallbackListener | null;

  constructor(
    agent: Agent,
    address: URL,
    { ports, options }: {
      readonly ports: HttpTransportPorts;
      readonly options: HttpTransportOptions;
    },
  ) {
    this.#agent = agent;
    this.#address = address;
    this.#ports = ports;
    this.#options = options;
    const { callback } = agent;
    this.#listener = callback ? new CallbackListener(callback, ports, options.maxBytes) : null;
  }

  /** Posted results that were ignored, since they were wrong or came twice. */
  get ignoredCallbacks(): number {
    return this.#listener?.ignored ?? 0;
  }

  async send(
    task: TaskEnvelope,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<ResultEnvelope> {
    this.#token();
    if (this.#listener === null) return await this.#submitAndFollow(task, events, signal);
    const awaited = await this.#listener.expect(task.task_id, signal);
    const over = new AbortController();
    const either = AbortSignal.any([signal, over.signal]);
    const asked = this.#submitAndFollow({ ...task, callback: awaited.url }, events, either);
    try {
      return await Promise.race([awaited.result, asked]);
    } finally {
      awaited.end();
      asked.catch(() => {});
      over.abort(new DOMException("The result was posted", "AbortError"));
    }
  }

  async recover(
    task: TaskEnvelope,
    statusUrl: string | null,
    signal: AbortSignal,
  ): Promise<ResultEnvelope | null> {
    const { task_id: id } = task;
    const url = this.#statusUrl(id, statusUrl);
    const found = await this.#retrying(() => this.#find(task, url, signal), signal)
      .catch((error) => {
        throw lostTouch(this.#agent, task, error);
      });
    if (found !== null) return await this.#follow(task, found, signal);
    if (mayRepeat(this.#agent, task)) return null;
    throw unknownOutcome(this.#agent, task, { why: "the agent does not know it" });
  }

  async cancel(taskId: string, statusUrl: string | null, signal: AbortSignal): Promise<void> {
    const url = this.#statusUrl(taskId, statusUrl);
    await this.#retrying(async () => {
      const answer = await this.#ask({ method: "DELETE", url }, signal);
      const done = answer.status < 300 || answer.status === 409 || UNKNOWN.includes(answer.status);
      if (!done) throw errorOfStatus(answer, this.#question(taskId, url));
    }, signal);
  }

  async report(signal: AbortSignal): Promise<AgentReport> {
    const url = this.#address;
    const answer = await this.#ask({ method: "GET", url }, signal);
    if (UNKNOWN.includes(answer.status)) return { protocols: [], intents: null };
    const question = this.#question("", url);
    if (answer.status !== 200) throw errorOfStatus(answer, question);
    return readReport(valueOf(answer, question), this.#agent.name);
  }

  #token(): string | null {
    return tokenOf(this.#agent, this.#options.variable);
  }

  /** Whether the result of a task comes by itself. */
  #isPosted({ callback }: TaskEnvelope): boolean {
    return this.#listener !== null && callback !== null;
  }

  /** Where a task is asked for: as it was told, as long as that is the agent's own address. */
  #statusUrl(taskId: string, told: string | null): URL {
    const url = told === null ? null : URL.parse(told, this.#address);
    return url?.origin === this.#address.origin ? url : taskUrl(this.#address, taskId);
  }

  #question(taskId: string, url: URL): Question {
    return {
      agentName: this.#agent.name,
      taskId,
      url,
      statusUrl: taskUrl(this.#address, taskId),
      tokenVariable: this.#agent.tokenVariable,
      token: this.#token(),
      nowMs: this.#ports.clock.now(),
    };
  }

  #retrying<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return withTransportRetries(attempt, this.#ports, signal);
  }

  #exchange(request: ExchangeRequest, signal: AbortSignal) {
    const { name } = this.#agent;
    const { maxBytes = MAX_ANSWER_BYTES } = this.#options;
    const to = { name, token: this.#token(), maxBytes };
    return exchange(request, to, { fetch: this.#ports.fetch, signal });
  }

  /** An answer, whatever its status. */
  async #ask(request: ExchangeRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const exchanged = await this.#exchange(request, signal);
    if (exchanged.kind === "broken") throw exchanged.error;
    return exchanged.answer;
  }

  /** Asks for a task; null where the agent does not know it. */
  async #find(task: TaskEnvelope, url: URL, signal: AbortSignal): Promise<TaskAnswer | null> {
    const waitSec = this.#isPosted(task) ? 0 : MAX_WAIT_SEC;
    const answer = await this.#ask({ method: "GET", url, waitSec }, signal);
    if (UNKNOWN.includes(answer.status)) return null;
    return readAnswer(answer, { ...this.#question(task.task_id, url), statusUrl: url });
  }

  async #submitAndFollow(
    task: TaskEnvelope,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<ResultEnvelope> {
    const first = await this.#submit(task, signal);
    if (first.kind === "pending") events.accepted(first.statusUrl.href);
    return await this.#follow(task, first, signal);
  }

  /** Sends a task, and again where that may help and can do no harm. */
  async #submit(task: TaskEnvelope, signal: AbortSignal): Promise<TaskAnswer> {
    const { task_id: id } = task;
    // Whether the agent may have the task, although it did not say so.
    let isOpen = false;
    try {
      return await this.#retrying(async () => {
        if (isOpen) {
          const found = await this.#find(task, taskUrl(this.#address, id), signal);
          if (found !== null) return found;
          if (!mayRepeat(this.#agent, task)) {
            throw unknownOutcome(this.#agent, task, { why: "the connection broke" });
          }
        }
        const { isOpen: open, answer } = await this.#post(task, signal);
        isOpen = open;
        return answer();
      }, signal);
    } catch (error) {
      if (!isOpen || !(error instanceof TransportError) || signal.aborted) throw error;
      if (!error.retriable || mayRepeat(this.#agent, task)) {
        throw lostTouch(this.#agent, task, error);
      }
      throw unknownOutcome(this.#agent, task, { why: error.message, cause: error });
    }
  }

  /** Sends a task once: what the answer means, and whether it is open that the agent has the task. */
  async #post(task: TaskEnvelope, signal: AbortSignal): Promise<
    { readonly isOpen: boolean; readonly answer: () => TaskAnswer }
  > {
    const url = this.#address;
    const longest = Math.min(MAX_WAIT_SEC, Math.floor(task.timeout_sec));
    const waitSec = this.#isPosted(task) ? 0 : longest;
    const request = { method: "POST", url, body: taskText(task), waitSec } as const;
    const exchanged = await this.#exchange(request, signal);
    if (exchanged.kind === "broken") {
      return {
        isOpen: exchanged.maybeReceived,
        answer: () => {
          throw exchanged.error;
        },
      };
    }
    const { answer } = exchanged;
    const isOpen = answer.status >= 400 && !isNotTaken(answer.status);
    return { isOpen, answer: () => readAnswer(answer, this.#question(task.task_id, url)) };
  }

  /** Asks until there is a result. */
  async #follow(
    task: TaskEnvelope,
    first: TaskAnswer,
    signal: AbortSignal,
  ): Promise<ResultEnvelope> {
    let answer = first;
    try {
      while (answer.kind === "pending") answer = await this.#next(task, answer, signal);
      return answer.result;
    } catch (error) {
      throw lostTouch(this.#agent, task, error);
    }
  }

  async #next(task: TaskEnvelope, pending: Pending, signal: AbortSignal): Promise<TaskAnswer> {
    const { task_id: id } = task;
    const { statusUrl, pollAfterMs } = pending;
    const isPosted = this.#isPosted(task);
    await this.#ports.clock.sleep(isPosted ? PATIENT_POLL_MS : pollAfterMs, signal);
    try {
      const found = await this.#retrying(() => this.#find(task, statusUrl, signal), signal);
      if (found !== null) return found;
    } catch (error) {
      // An agent that posts its results need not be one that can be asked.
      if (!isPosted || !(error instanceof TransportError)) throw error;
    }
    if (isPosted) return pending;
    const message = `Agent "${this.#agent.name}" does not know task ${id} any more`;
    throw new TransportError("lost", message, { retriable: mayRepeat(this.#agent, task) });
  }
}
