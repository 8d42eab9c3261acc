/**
 * Lets calls that run at the same time end in the order in which they ended before: what the model
 * is told depends on it.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { Clock } from "../ports.ts";

/** A recorded call, and those of its step that ended before it. */
interface Passage {
  readonly id: string;
  readonly before: readonly string[];
}

/** Milliseconds until a call does not wait any more for one that may never come. */
const PATIENCE_MS = 200;

/** The calls of each step in the order in which they ended. */
function passagesOf(events: readonly Event[]): readonly Passage[] {
  const ended: { id: string; step: number }[] = [];
  return events.flatMap((event) => {
    if (event.type !== "call_finished") return [];
    const { call_id: id, step } = event;
    const before = ended.filter((other) => other.step === step).map((other) => other.id);
    ended.push({ id, step });
    return [{ id, before }];
  });
}

/** Where calls wait until it is their turn to end. */
export class Turnstile {
  readonly #passages: readonly Passage[];
  readonly #clock: Clock;
  readonly #waiting = new Map<string, () => void>();
  readonly #ended = new Set<string>();
  /** The call that was let through and has not ended yet. */
  #passing: string | null = null;

  /**
   * @param events Of the recorded run.
   * @param clock Of the world: today's rein may run calls one by one that ran together then.
   */
  constructor(events: readonly Event[], clock: Clock) {
    this.#passages = passagesOf(events);
    this.#clock = clock;
  }

  /** Resolves when a call may end. */
  async pass(id: string): Promise<void> {
    const through = new AbortController();
    const turn = new Promise<void>((resolve) => this.#waiting.set(id, resolve));
    this.#open();
    const impatient = this.#clock.sleep(PATIENCE_MS, through.signal).catch(() => {});
    await Promise.race([turn, impatient]);
    through.abort();
    this.#waiting.delete(id);
  }

  /** Takes an event of today's run. */
  told(event: Event): void {
    if (event.type !== "call_finished") return;
    this.#ended.add(event.call_id);
    if (this.#passing === event.call_id) this.#passing = null;
    this.#open();
  }

  #open(): void {
    if (this.#passing !== null) return;
    const next = this.#passages.find(({ id }) => this.#waiting.has(id));
    if (next === undefined || !next.before.every((other) => this.#ended.has(other))) return;
    this.#passing = next.id;
    this.#waiting.get(next.id)?.();
  }
}
