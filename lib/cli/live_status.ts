/**
 * Keeping the status area of a screen at what is going on in a run.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { Say } from "../messages/messages.ts";
import type { TaskView } from "../delegate/group.ts";
import type { Clock } from "../ports.ts";
import { afterEvent, type Live, liveLines, NOTHING } from "./live_calls.ts";
import { OutputTail } from "./output_tail.ts";
import type { Screen } from "./screen.ts";
import type { StepWriter } from "./steps.ts";
import type { Styles } from "./styles.ts";
import { cutToColumns } from "./text_table.ts";

/** How often it is brought up to date, in milliseconds; what has not changed is not written. */
const TICK_MS = 250;

/** How often lines of output are shown at the most, in milliseconds, so that they can be read. */
const LINE_MS = 200;

/** Lines of output below a call at the most. */
const OUTPUT_LINES = 6;

/** Rows of a terminal that are left to all else. */
const OTHER_ROWS = 4;

/** How long it is said what a key did, in milliseconds. */
const NOTE_MS = 3000;

/** Shows what calls bring back, and hides it again. */
const CTRL_O = "\x0f";

/** What showing needs. */
export interface LivePorts {
  readonly screen: Screen;
  readonly clock: Clock;
  readonly styles: Styles;
  /** Who prints what calls bring back. */
  readonly steps: Pick<StepWriter, "showsOutput" | "toggleOutput" | "showNewest">;
  /** English if left out. */
  readonly say?: Say;
}

/** Follows the events of runs and shows what is going on. */
export class LiveStatus {
  readonly #ports: LivePorts;
  #live: Live = NOTHING;
  readonly #tail = new OutputTail();
  #redact = (text: string) => text;
  /** Whether the lines below are not those of the tail. */
  #isOutputNew = false;
  #output: readonly string[] = [];
  #shownMs = 0;
  /** Whether the model's text may stand in the middle of a line. */
  #inText = false;
  #note = { text: "", untilMs: 0 };

  constructor(ports: LivePorts) {
    this.#ports = ports;
  }

  /** Takes an event, before others print what it says. */
  async event(event: Event): Promise<void> {
    const { type } = event;
    // Who prints comes after this: at its end, text is not off the line yet.
    this.#inText = type === "text_delta" || type === "reasoning_delta" ||
      (this.#inText && type === "turn_finished");
    if (type === "call_started" || type === "call_finished") {
      this.#tail.clear();
      this.#isOutputNew = true;
    }
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
    this.#tail.push(piece);
    this.#redact = redact;
    this.#isOutputNew = true;
    if (clock.now() - this.#shownMs < LINE_MS) return;
    this.#shownMs = clock.now();
    void this.#show();
  }

  /** Takes where the tasks of a call are. */
  tasks(tasks: readonly TaskView[]): void {
    this.#live = { ...this.#live, tasks };
    void this.#show();
  }

  /** Keeps the area up to date until the signal is aborted; Ctrl-O has its meaning meanwhile. */
  async keep(signal: AbortSignal): Promise<void> {
    const { clock, screen } = this.#ports;
    const watched = screen.watch(CTRL_O, () => void this.#toggle(), signal);
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
      this.#note = { text: "", untilMs: 0 };
      await this.#show();
    }
    await watched;
  }

  async #toggle(): Promise<void> {
    const { clock, steps } = this.#ports;
    this.#note = { text: steps.toggleOutput(), untilMs: clock.now() + NOTE_MS };
    const isRunning = this.#live.calls.length > 0;
    if (steps.showsOutput && !isRunning) await steps.showNewest(this.#inText);
    await this.#show();
  }

  /** The last lines of what was printed, as long as calls run. */
  #lines(): readonly string[] {
    if (!this.#isOutputNew) return this.#output;
    this.#isOutputNew = false;
    return this.#output = this.#tail.lines(OUTPUT_LINES, this.#redact);
  }

  /** As many of them as there is room for, where what calls bring back is shown. */
  #below(lines: readonly string[]): readonly string[] {
    const { screen, steps } = this.#ports;
    const rows = (screen.size()?.rows ?? 24) - OTHER_ROWS;
    return steps.showsOutput && rows > 0 ? lines.slice(-rows) : [];
  }

  #show(): Promise<void> {
    const { screen, clock, ...look } = this.#ports;
    const columns = Math.max(20, (screen.size()?.columns ?? 80) - 1);
    const nowMs = clock.now();
    const printed = this.#lines();
    const live = { ...this.#live, lastLine: printed.at(-1) ?? "" };
    const lines = liveLines(live, { ...look, columns, nowMs, output: this.#below(printed) });
    const isNoted = nowMs < this.#note.untilMs && !this.#live.asking;
    const note = isNoted ? [look.styles.dim(cutToColumns(this.#note.text, columns))] : [];
    return screen.show([...lines, ...note]);
  }
}
