/**
 * How long tasks took lately, and when it makes sense to come again.
 *
 * @module
 */

/** Tasks that are remembered. */
const REMEMBERED = 20;

/** What a task is taken to need before the first has finished, in milliseconds. */
const UNKNOWN_MS = 5_000;

/** Bounds of what is told, in milliseconds. */
const LEAST_MS = 1_000;
const MOST_MS = 120_000;

/** The times of the newest tasks. */
export class Latencies {
  readonly #times: number[] = [];

  /** A task has run for so many milliseconds. */
  add(ms: number): void {
    this.#times.push(ms);
    if (this.#times.length > REMEMBERED) this.#times.shift();
  }

  /**
   * When there will be room, in milliseconds from now: by then, half of those that wait may be gone.
   *
   * @param ahead Tasks that wait.
   * @param concurrency Tasks at the same time.
   */
  retryAfterMs(ahead: number, concurrency: number): number {
    const sum = this.#times.reduce((total, ms) => total + ms, 0);
    const mean = this.#times.length === 0 ? UNKNOWN_MS : sum / this.#times.length;
    const ms = mean * (ahead / 2 + 1) / concurrency;
    return Math.round(Math.min(MOST_MS, Math.max(LEAST_MS, ms)));
  }
}
