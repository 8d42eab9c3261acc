/**
 * Keeping the status area of a screen at what is going on in a run.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { TaskView } from "../delegate/group.ts";
import type { Clock } from "../ports.ts";
import { afterEvent, type Live, liveLines, NOTHING } from "./live_calls.ts";
import type { Screen } from "./screen.ts";
import type { Styles } from "./styles.ts";

/** How often it is brought up to date, in milliseconds; what has not changed is not written. */
const TICK_MS = 250;

/** How often lines of output are shown at the most, in milliseconds, so that they can be read. */
const LINE_MS = 200;

/** Bytes at the end of a piece of output in which its last line is looked for. */
const TAIL_BYTES = 1000;

/** What showing needs. */
export interface LivePorts {
  readonly screen: Screen;
  readonly clock: Clock;
  readonly styles: Styles;
}

/** The last line of a text that has something in it. */
function lastLineOf(text: string): string {
  // What a progress bar overwrites is not on the screen either.
  const lines = text.split(/[\r\n]+/).filter((line) => line.trim() !== "");
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  return (lines.at(-1) ?? "").replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, "");
}

/** Follows the events of runs and shows what is going on. */
export class LiveStatus {
  readonly #ports: LivePorts;
  readonly #decoder = new TextDecoder();
  #live: Live = NOTHING;
  #shownMs = 0;

  constructor(ports: LivePorts) {
    this.#ports = ports;
  }

  /** Takes an event, before others print what it says. */
  async event(event: Event): Promise<void> {
    const before = this.#live;
    this.#live = afterEvent(before, event);
    if (this.#live !== before) await this.#show();
  }

  /**
   * Takes what a running program printed.
   *
   * @param redact Takes secrets out of it.
   */
  output(piece: Uint8Array | string, redact: (text: string) => string): void {
    const { clock } = this.#ports;
    if (clock.now() - this.#shownMs < LINE_MS) return;
    this.#shownMs = clock.now();
    const tail = piece.slice(-TAIL_BYTES);
    const line = lastLineOf(typeof tail === "string" ? tail : this.#decoder.decode(tail));
    if (line === "") return;
    this.#live = { ...this.#live, lastLine: redact(line) };
    void this.#show();
  }

  /** Takes where the tasks of a call are. */
  tasks(tasks: readonly TaskView[]): void {
    this.#live = { ...this.#live, tasks };
    void this.#show();
  }

  /** Keeps the area up to date until the signal is aborted. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, screen } = this.#ports;
    screen.onResize(() => void this.#show().then(() => screen.redraw()), signal);
    try {
      while (true) {
        await clock.sleep(TICK_MS, signal);
        await this.#show();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#live = NOTHING;
      await this.#show();
    }
  }

  #show(): Promise<void> {
    const { screen, clock, styles } = this.#ports;
    const columns = Math.max(20, (screen.size()?.columns ?? 80) - 1);
    return screen.show(liveLines(this.#live, { columns, nowMs: clock.now(), styles }));
  }
}
