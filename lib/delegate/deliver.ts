/**
 * Bringing one task to its agent and its result back: retries, the agent's bounds, giving it up.
 *
 * @module
 */

import { startDeadline } from "../calls/deadline.ts";
import type { Clock } from "../ports.ts";
import type { AgentBounds } from "./agent_bounds.ts";
import {
  type Agent,
  type ResultEnvelope,
  type TaskEnvelope,
  type Transport,
  TransportError,
  type TransportEvents,
} from "./types.ts";

/** Tries of one task after the first one. Source: the design. */
export const MAX_RETRIES = 2;

/** The wait before the first retry, in milliseconds; it doubles. */
const FIRST_WAIT_MS = 500;

/** How long an agent may take to be told that a task is given up, in milliseconds. */
export const CANCEL_MS = 1500;

/** What delivering needs. */
export interface DeliverPorts {
  readonly clock: Clock;
  /** A number from 0 to 1, another one each time. */
  readonly random: () => number;
  readonly bounds: AgentBounds;
  readonly transportOf: (agent: Agent) => Transport;
}

/** Until when something is waited for. */
export interface Limit {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadlineMs: number;
}

/** Rejects with the signal's reason once that is aborted, whatever the work does. */
export async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** How long to wait before a retry; half of it is random, so that not all come back at once. */
function waitMs(error: TransportError, retry: number, random: () => number): number {
  const ownMs = FIRST_WAIT_MS * 2 ** retry * (0.5 + random() / 2);
  return Math.max(ownMs, error.retryAfterMs ?? 0);
}

/** Tries that are left for rein: what goes over HTTP is tried again on its way already. */
function retriesOf({ address }: Agent): number {
  return address.transport === "http" ? 0 : MAX_RETRIES;
}

/** Repeats what fails in a way that may pass, as long as there is time. */
async function withRetries<T>(
  agent: Agent,
  attempt: () => Promise<T>,
  ports: DeliverPorts,
  { signal, deadlineMs }: Limit,
): Promise<T> {
  const { clock, random, bounds } = ports;
  for (let retry = 0;; retry++) {
    try {
      const result = await unlessAborted(attempt, signal);
      bounds.answered(agent.name);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TransportError)) throw error;
      const ms = waitMs(error, retry, random);
      const again = error.retriable && retry < retriesOf(agent) && clock.now() + ms < deadlineMs;
      if (!again) {
        bounds.failed(agent.name, error.code);
        throw error;
      }
      await clock.sleep(ms, signal);
    }
  }
}

/**
 * Sends a task and waits for its result; every try carries the same envelope.
 *
 * @throws {TransportError} If there is none.
 * @throws The signal's reason, once it is aborted, whatever the transport does.
 */
export function sendTask(
  agent: Agent,
  task: TaskEnvelope,
  events: TransportEvents,
  { ports, limit }: { readonly ports: DeliverPorts; readonly limit: Limit },
): Promise<ResultEnvelope> {
  const send = () => ports.transportOf(agent).send(task, events, limit.signal);
  return withRetries(agent, send, ports, limit);
}

/**
 * Asks for a task that an earlier process has sent.
 *
 * @returns Null: the agent never had it.
 * @throws As {@linkcode sendTask}.
 */
export function recoverTask(
  agent: Agent,
  task: TaskEnvelope,
  statusUrl: string | null,
  { ports, limit }: { readonly ports: DeliverPorts; readonly limit: Limit },
): Promise<ResultEnvelope | null> {
  const recover = () => ports.transportOf(agent).recover(task, statusUrl, limit.signal);
  return withRetries(agent, recover, ports, limit);
}

/** Tells an agent that a task is given up, within a bounded time; never throws. */
export async function cancelTask(
  agent: Agent,
  taskId: string,
  statusUrl: string | null,
  { clock, transportOf }: Pick<DeliverPorts, "clock" | "transportOf">,
): Promise<void> {
  const { signal, clear } = startDeadline(clock, CANCEL_MS, new AbortController().signal);
  try {
    await unlessAborted(() => transportOf(agent).cancel(taskId, statusUrl, signal), signal);
  } catch {
    // Nothing waits for it any more: the agent ends it by its own deadline.
  } finally {
    clear();
  }
}
