/**
 * Tasks for agents that speak A2A.
 *
 * A task is sent once, by a stream where the agent has streams, and asked for until it has ended
 * where not, or where the stream breaks. The SDK is large: this module is imported when there is an
 * agent for it.
 *
 * @module
 */

import type { Message, SendMessageRequest, Task } from "@a2a-js/sdk";
import { TaskNotCancelableError } from "@a2a-js/sdk/errors";
import type { Clock, Fetch } from "../ports.ts";
import { knowsDelegation, reportOfCard } from "./a2a_card.ts";
import { isUnknownTask, transportErrorOf } from "./a2a_errors.ts";
import { guardedFetch, MAX_A2A_BYTES } from "./a2a_fetch.ts";
import { connect, type Link, requestOptions } from "./a2a_link.ts";
import { hasEnded, messageOfTask, readA2aTask, resultOfMessage } from "./a2a_mapping.ts";
import { foldEvent } from "./a2a_stream.ts";
import { parseForeign } from "./bounded.ts";
import { checkResult } from "./check.ts";
import { mayRepeat, unknownOutcome } from "./may_repeat.ts";
import {
  type Agent,
  type ResultEnvelope,
  type TaskEnvelope,
  type Transport,
  TransportError,
  type TransportEvents,
} from "./types.ts";

/** How long a task is left alone before it is asked for again: doubled each time, up to a limit. */
const POLL_MS = { first: 250, most: 5_000 };

/** Failures in a row while a task is asked for, such as an agent that starts anew takes. */
const MAX_POLL_FAILURES = 5;

/** What reaches an agent. */
export interface A2aPorts {
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** What of an agent stands elsewhere than in its entry of the directory. */
export interface A2aOptions {
  /** Its bearer token; null: none. */
  readonly token: string | null;
  /** Origins, besides that of its address, that its card may name: `https://a2a.example`. */
  readonly origins?: readonly string[];
  /** Bytes of an answer at the most; {@linkcode MAX_A2A_BYTES} if left out. */
  readonly maxBytes?: number;
}

/** What came of sending a task: an answer without a task of its own, or a task. */
type Delivery = { readonly message: Message } | { readonly task: Task };

class A2aTransport implements Transport {
  readonly #agent: Agent;
  readonly #clock: Clock;
  readonly #connect: (signal: AbortSignal) => Promise<Link>;
  #link: Link | null = null;

  constructor(agent: Agent, address: URL, { fetch, clock }: A2aPorts, options: A2aOptions) {
    const { name } = agent;
    const origins = new Set([address.origin, ...options.origins ?? []]);
    const { token, maxBytes = MAX_A2A_BYTES } = options;
    const now = () => clock.now();
    const guarded = guardedFetch(fetch, { agent: name, origins, token, maxBytes, now });
    this.#agent = agent;
    this.#clock = clock;
    this.#connect = (signal) => connect({ agent: name, address, origins, guarded }, signal);
  }

  send(
    task: TaskEnvelope,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<ResultEnvelope> {
    const sentMs = this.#clock.now();
    return this.#try(task, signal, async () => {
      const delivery = await this.#deliver(await this.#open(signal), task, events, signal);
      if ("task" in delivery) return await this.#finish(delivery.task, task, sentMs, signal);
      const latencyMs = this.#clock.now() - sentMs;
      return this.#checked(resultOfMessage(delivery.message, task, latencyMs), task);
    });
  }

  recover(
    task: TaskEnvelope,
    statusUrl: string | null,
    signal: AbortSignal,
  ): Promise<ResultEnvelope | null> {
    const askedMs = this.#clock.now();
    return this.#try(task, signal, async () => {
      const link = await this.#open(signal);
      const found = await this.#find(link, statusUrl ?? task.task_id, signal);
      if (found) return await this.#finish(found, task, askedMs, signal);
      if (statusUrl === null && knowsDelegation(link.card)) return null;
      throw this.#forgotten(task, statusUrl);
    });
  }

  cancel(taskId: string, statusUrl: string | null, signal: AbortSignal): Promise<void> {
    return this.#try(null, signal, async () => {
      const { client } = await this.#open(signal);
      const request = { tenant: "", id: statusUrl ?? taskId, metadata: undefined };
      try {
        await client.cancelTask(request, requestOptions(signal));
      } catch (error) {
        if (isUnknownTask(error) || error instanceof TaskNotCancelableError) return;
        throw error;
      }
    });
  }

  report(signal: AbortSignal): ReturnType<Transport["report"]> {
    return this.#try(null, signal, async () => {
      this.#link = null;
      return reportOfCard((await this.#open(signal)).card);
    });
  }

  /**
   * Every failure is a `TransportError`, or the signal's reason.
   *
   * @param task Null for what may be done again anyway.
   */
  async #try<T>(
    task: TaskEnvelope | null,
    signal: AbortSignal,
    attempt: () => Promise<T>,
  ): Promise<T> {
    try {
      signal.throwIfAborted();
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const repeat = task === null || mayRepeat(this.#agent, task);
      const failure = transportErrorOf(error, this.#agent.name, repeat);
      // It may come back elsewhere, with another card.
      if (failure.code === "unreachable") this.#link = null;
      throw failure;
    }
  }

  /** Each caller has a signal of its own, so only a card that has come is shared. */
  async #open(signal: AbortSignal): Promise<Link> {
    this.#link ??= await this.#connect(signal);
    return this.#link;
  }

  async #deliver(
    { client, card }: Link,
    task: TaskEnvelope,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<Delivery> {
    const intent = this.#agent.intents.find(({ name }) => name === task.intent) ?? null;
    const request: SendMessageRequest = {
      tenant: "",
      message: messageOfTask(task, intent),
      configuration: undefined,
      metadata: undefined,
    };
    if (card.capabilities?.streaming) {
      return await this.#stream({ client, card }, request, events, signal);
    }
    const answer = await client.sendMessage(request, requestOptions(signal));
    if ("messageId" in answer) return { message: answer };
    events.accepted(answer.id);
    return { task: answer };
  }

  async #stream(
    { client }: Link,
    request: SendMessageRequest,
    events: TransportEvents,
    signal: AbortSignal,
  ): Promise<Delivery> {
    let task: Task | null = null;
    try {
      for await (const event of client.sendMessageStream(request, requestOptions(signal))) {
        if (event.payload?.$case === "message") return { message: event.payload.value };
        const known = task !== null;
        task = foldEvent(task, event);
        if (task && !known) events.accepted(task.id);
        // An agent that asks back may keep its stream open for the answer.
        if (task && hasEnded(task)) break;
      }
    } catch (error) {
      // A stream that breaks off is no failure of a task that the agent has.
      if (!task || signal.aborted || !isLostConnection(error)) throw error;
    }
    if (task) return { task };
    const message = `${this.#agent.name} ended its stream before it began`;
    throw new TransportError("unknown_outcome", message, { retriable: false });
  }

  /** Asks for a task until it has ended. */
  async #finish(
    first: Task,
    sent: TaskEnvelope,
    sentMs: number,
    signal: AbortSignal,
  ): Promise<ResultEnvelope> {
    let task = first;
    for (let waitMs = POLL_MS.first;; waitMs = Math.min(waitMs * 2, POLL_MS.most)) {
      const read = readA2aTask(task, sent, this.#clock.now() - sentMs);
      if (read.kind === "ended") return this.#checked(read.result, sent);
      if (read.kind === "unclear") {
        throw this.#badResult("a task in a state that A2A does not have");
      }
      task = await this.#ask(first.id, waitMs, sent, signal);
    }
  }

  /** Asks once, after a while; again where the agent can't be reached for a moment. */
  async #ask(
    id: string,
    waitMs: number,
    sent: TaskEnvelope,
    signal: AbortSignal,
  ): Promise<Task> {
    let pauseMs = waitMs;
    for (let failures = 1;; failures += 1) {
      await this.#clock.sleep(pauseMs, signal);
      try {
        const task = await this.#find(await this.#open(signal), id, signal);
        if (task) return task;
        throw this.#forgotten(sent, id);
      } catch (error) {
        if (signal.aborted || failures === MAX_POLL_FAILURES) throw error;
        if (!isLostConnection(error) && !isBusy(error)) throw error;
        pauseMs = Math.min(pauseMs * 2, POLL_MS.most);
      }
    }
  }

  /** Null where the agent does not know it. */
  async #find({ client }: Link, id: string, signal: AbortSignal): Promise<Task | null> {
    try {
      const request = { tenant: "", id, historyLength: 0 };
      return await client.getTask(request, requestOptions(signal));
    } catch (error) {
      if (isUnknownTask(error)) return null;
      throw error;
    }
  }

  #forgotten(task: TaskEnvelope, statusUrl: string | null): TransportError {
    const repeat = mayRepeat(this.#agent, task);
    if (statusUrl === null && !repeat) {
      return unknownOutcome(this.#agent, task, { why: "it has ids of its own for tasks" });
    }
    const message = `${this.#agent.name} does not know the task`;
    return new TransportError("lost", message, { retriable: repeat });
  }

  #badResult(what: string): TransportError {
    const message = `${this.#agent.name} answered with ${what}`;
    return new TransportError("bad_result", message, { retriable: false });
  }

  #checked(result: unknown, sent: TaskEnvelope): ResultEnvelope {
    // What is too deep to be printed is no result.
    const checked = checkResult(parseForeign(JSON.stringify(result)), sent.task_id);
    if (checked.ok) return checked.value;
    throw this.#badResult(`no result of this task. ${checked.error.message}`);
  }
}

function isLostConnection(error: unknown): boolean {
  const { code } = transportErrorOf(error, "", false);
  return code === "unreachable" || code === "unknown_outcome";
}

function isBusy(error: unknown): boolean {
  return transportErrorOf(error, "", false).code === "busy";
}

/**
 * The way to an agent that speaks A2A, 1.0 or 0.3.
 *
 * `accepted` tells the id that the agent gives to the task.
 *
 * @throws {TypeError} If its address is a program.
 */
export function createA2aTransport(
  agent: Agent,
  ports: A2aPorts,
  options: A2aOptions,
): Transport {
  if (agent.address.transport === "process") {
    throw new TypeError(`${agent.name} is a program, and has no address for A2A`);
  }
  return new A2aTransport(agent, agent.address.url, ports, options);
}
