/**
 * The timers of one request to a model: until there is a connection, until the first byte, between
 * two signs of life.
 *
 * @module
 */

import type { Clock } from "../ports.ts";

/** How long a server may take, in milliseconds; null: as long as it likes. */
export interface Timeouts {
  readonly connectMs: number | null;
  /** From the request to the first byte of the answer. */
  readonly firstByteMs: number | null;
  readonly idleMs: number | null;
  /** Of a whole turn, retries included. */
  readonly totalMs: number | null;
}

/** Which timer ran out. */
export type TimerName = "connect" | "first_byte" | "idle" | "total";

/** A server that has ended its turn and not its stream gets this much longer, in milliseconds. */
const GRACE_MS = 5_000;

/** What the timers need. */
export interface WatchPorts {
  readonly clock: Clock;
  /**
   * Resolves once a connection to the server could be made, or could at least be judged; null:
   * that can't be found out, and there is no timer for it.
   */
  readonly connect: ((signal: AbortSignal) => Promise<void>) | null;
}

/** Watches one request, and aborts it once a timer runs out. */
export class Watch {
  /** For the request. */
  readonly signal: AbortSignal;
  readonly #own = new AbortController();
  readonly #timeouts: Timeouts;
  readonly #ports: WatchPorts;
  #phase: AbortController | null = null;
  #lastMs = 0;
  #expired: TimerName | null = null;
  #begun = false;
  #graced = false;

  /** Starts with the request; {@linkcode clear} must be called. */
  constructor(timeouts: Timeouts, ports: WatchPorts, parent: AbortSignal) {
    this.#timeouts = timeouts;
    this.#ports = ports;
    this.signal = AbortSignal.any([parent, this.#own.signal]);
    this.#start("first_byte", timeouts.firstByteMs);
    void this.#watchConnection();
  }

  /** The timer that ran out, if one did. */
  get expired(): TimerName | null {
    return this.#expired;
  }

  /** Bytes have come. */
  alive(): void {
    this.#lastMs = this.#ports.clock.now();
    if (this.#begun) return;
    this.#begun = true;
    this.#start("idle", this.#timeouts.idleMs);
  }

  /** The turn has ended, and what may still come is of little use. */
  grace(): void {
    if (this.#graced) return;
    this.#graced = true;
    this.#lastMs = this.#ports.clock.now();
    this.#start("idle", Math.min(GRACE_MS, this.#timeouts.idleMs ?? GRACE_MS));
  }

  /** Gives the request up, if it is still going on. */
  abort(): void {
    this.clear();
    this.#own.abort();
  }

  /** Ends the timers; the request may go on. */
  clear(): void {
    this.#phase?.abort();
    this.#phase = null;
  }

  #start(name: "first_byte" | "idle", ms: number | null): void {
    this.clear();
    const phase = this.#phase = new AbortController();
    this.#lastMs = this.#ports.clock.now();
    if (ms !== null) void this.#wait(name, ms, phase.signal);
  }

  /** One wait for many pieces: whoever wakes looks when the last one came. */
  async #wait(name: TimerName, ms: number, phase: AbortSignal): Promise<void> {
    const { clock } = this.#ports;
    try {
      for (let left = ms; left > 0; left = this.#lastMs + ms - clock.now()) {
        await clock.sleep(left, phase);
      }
      this.#expire(name, phase);
    } catch {
      // The phase is over.
    }
  }

  #expire(name: TimerName, phase: AbortSignal): void {
    if (phase.aborted) return;
    this.#expired = name;
    this.abort();
  }

  /**
   * The runtime does not tell when a connection was made. A request that is not answered after half
   * of the time is why another connection is tried: where that one can't be made in the other half
   * either, there is none.
   */
  async #watchConnection(): Promise<void> {
    const { clock, connect } = this.#ports;
    const { connectMs } = this.#timeouts;
    const phase = this.#phase?.signal;
    if (connectMs === null || connect === null || phase === undefined) return;
    const tried = new AbortController();
    const trying = AbortSignal.any([phase, tried.signal]);
    try {
      await clock.sleep(connectMs / 2, phase);
      const late = clock.sleep(connectMs / 2, trying).then(() => "late");
      // What else went wrong, the request itself will tell.
      const connected = connect(trying).then(() => "connected", () => "failed");
      if (await Promise.race([late, connected]) === "late") this.#expire("connect", phase);
      else late.catch(() => {});
    } catch {
      // The answer began, or the request is over.
    } finally {
      tried.abort();
    }
  }
}
