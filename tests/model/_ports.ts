/**
 * What tests of a model behind a server hand to it.
 *
 * @module
 */

import type { ServerPorts } from "../../lib/model/openai.ts";
import type { Timeouts } from "../../lib/model/watch.ts";
import type { Clock } from "../../lib/ports.ts";

/** As long as it likes. */
export const NO_TIMEOUTS: Timeouts = {
  connectMs: null,
  firstByteMs: null,
  idleMs: null,
  totalMs: null,
};

/** A clock on which waiting takes no time but is counted. */
export class HastyClock implements Clock {
  /** How long each wait was, in milliseconds. */
  readonly waits: number[] = [];
  #now = 0;

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.waits.push(ms);
    this.#now += ms;
    return Promise.resolve();
  }
}

/** Ports with the real network, on which nothing is waited for. */
export function serverPorts(overrides: Partial<ServerPorts> = {}): ServerPorts {
  return { fetch, clock: new HastyClock(), random: () => 0, connect: null, ...overrides };
}
