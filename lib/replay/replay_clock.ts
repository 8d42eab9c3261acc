/**
 * The time of a recorded run: it moves as its events tell, and nobody waits for it.
 *
 * @module
 */

import type { Clock } from "../ports.ts";

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/** A clock that is set. */
export class ReplayClock implements Clock {
  #nowMs: number;
  #sleepers: Sleeper[] = [];

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const sleeper = { atMs: this.#nowMs + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal.addEventListener("abort", () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      }, { once: true });
    });
  }

  /** Moves on to a moment, never back, and wakes whoever is due. */
  set(nowMs: number): void {
    this.#nowMs = Math.max(nowMs, this.#nowMs);
    const due = this.#sleepers.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#sleepers = this.#sleepers.filter(({ atMs }) => atMs > this.#nowMs);
    for (const { wake } of due) wake();
  }
}
