/**
 * What holds for one agent, whoever gives it tasks: how many it has at the same time, and when it is
 * left alone.
 *
 * @module
 */

import type { Agent, TransportErrorCode } from "./types.ts";

/** Tasks in a row without any answer after which an agent is left alone. Source: the issue. */
export const MAX_FAILURES = 3;

/** Codes that say nothing of whether an agent is there. */
const AGENT_IS_THERE: readonly TransportErrorCode[] = ["refused", "unknown_outcome"];

/** Where one agent stands. */
interface Standing {
  active: number;
  failures: number;
  readonly waiting: (() => void)[];
}

/** The bounds of all agents of one run. */
export class AgentBounds {
  readonly #standing = new Map<string, Standing>();

  #of(agent: string): Standing {
    const known = this.#standing.get(agent);
    if (known !== undefined) return known;
    const made: Standing = { active: 0, failures: 0, waiting: [] };
    this.#standing.set(agent, made);
    return made;
  }

  /** Whether an agent may still be given tasks. */
  available(agent: string): boolean {
    return this.#of(agent).failures < MAX_FAILURES;
  }

  /** Notes that an agent answered. */
  answered(agent: string): void {
    this.#of(agent).failures = 0;
  }

  /** Notes that a task came to nothing on its way. */
  failed(agent: string, code: TransportErrorCode): void {
    if (AGENT_IS_THERE.includes(code)) this.answered(agent);
    else this.#of(agent).failures++;
  }

  /**
   * Waits for a place among the tasks that an agent has at the same time; first come, first served.
   *
   * @returns Gives the place back; to be called once.
   * @throws The signal's reason, once it is aborted.
   */
  async enter({ name, concurrency }: Agent, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    const standing = this.#of(name);
    if (standing.active < concurrency) standing.active++;
    else await nextPlace(standing, signal);
    return () => {
      const next = standing.waiting.shift();
      // A place goes from hand to hand: nobody who comes later gets between.
      if (next === undefined) standing.active--;
      else next();
    };
  }
}

function nextPlace({ waiting }: Standing, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      waiting.splice(waiting.indexOf(take), 1);
      reject(signal.reason);
    };
    const take = () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    };
    waiting.push(take);
    signal.addEventListener("abort", onAbort, { once: true });
  });
}
