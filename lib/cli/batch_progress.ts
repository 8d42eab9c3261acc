/**
 * How far a batch is, on stderr: one line that is rewritten on a terminal, some plain ones
 * elsewhere.
 *
 * @module
 */

import { english, type Say } from "../messages/messages.ts";
import type { Clock, Terminal } from "../ports.ts";
import { widthOf } from "./marked_text.ts";
import { printable } from "./printable.ts";
import { cutToColumns } from "./text_table.ts";

/** How a task ended, as people count it. */
export type TaskEnd = "answered" | "unfinished" | "failed";

/** Cells of the bar between its brackets. */
const BAR_CELLS = 20;

/** Columns of a terminal that does not say how many it has. Source: terminals since the VT100. */
const USUAL_COLUMNS = 80;

/** Plain lines of one batch at the most, the last one not counted. */
const PLAIN_LINES = 10;

/** How often the line is drawn anew while nothing happens, in milliseconds. */
const REDRAW_MS = 1000;

/** What a batch does. */
export interface Counts {
  /** Tasks that are to be done. */
  readonly total: number;
  readonly answered: number;
  readonly unfinished: number;
  readonly failed: number;
  readonly running: number;
  readonly elapsedMs: number;
}

function duration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${two(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${two(minutes % 60)}m`;
}

function doneOf({ answered, unfinished, failed }: Counts): number {
  return answered + unfinished + failed;
}

/** What came of the tasks: `10 answered, 1 failed`. */
export function countsText(counts: Pick<Counts, TaskEnd>, say: Say = english): string {
  const parts = [
    say("batch.answered", { count: counts.answered }),
    ...(counts.unfinished > 0 ? [say("batch.unfinished", { count: counts.unfinished })] : []),
    ...(counts.failed > 0 ? [say("batch.failed", { count: counts.failed })] : []),
  ];
  return parts.join(say("list.separator"));
}

/**
 * The line of a terminal: `12/40 [######--------------] 10 answered, 1 failed, 4 running, 1m20s`.
 *
 * @param columns How wide the terminal is; the line is narrower, without the bar if need be.
 */
export function barLine(counts: Counts, columns: number, say: Say = english): string {
  const done = doneOf(counts);
  const filled = Math.floor(BAR_CELLS * done / Math.max(1, counts.total));
  const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_CELLS - filled)}] `;
  const place = `${done}/${counts.total} `;
  const rest = say("batch.bar", {
    counts: countsText(counts, say),
    running: say("batch.running", { count: counts.running }),
    time: duration(counts.elapsedMs),
  });
  const whole = place + bar + rest;
  return widthOf(whole) < columns ? whole : cutToColumns(place + rest, Math.max(1, columns - 1));
}

/** What showing progress needs. */
export interface ProgressPorts {
  readonly terminal: Terminal;
  readonly clock: Clock;
  /** English if left out. */
  readonly say?: Say;
}

/** Follows a batch on stderr. */
export class BatchProgress {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #quiet: boolean;
  readonly #words: Say;
  readonly #startedMs: number;
  readonly #counts = { answered: 0, unfinished: 0, failed: 0, running: 0 };
  readonly #total: number;
  /** Columns of the line that is shown. */
  #shown = 0;
  /** Plain lines so far. */
  #plain = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    total: number,
    { terminal, clock, say = english }: ProgressPorts,
    quiet: boolean,
  ) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#quiet = quiet;
    this.#words = say;
    this.#total = total;
    this.#startedMs = clock.now();
  }

  /** What came of the tasks so far. */
  get counts(): Counts {
    const elapsedMs = this.#clock.now() - this.#startedMs;
    return { ...this.#counts, total: this.#total, elapsedMs };
  }

  get #live(): boolean {
    return this.#terminal.stderrIsTerminal && !this.#quiet;
  }

  /** Keeps the time up that is shown, until the signal is aborted. */
  async follow(signal: AbortSignal): Promise<void> {
    while (this.#live && !signal.aborted) {
      await this.#clock.sleep(REDRAW_MS, signal).catch(() => {});
      if (!signal.aborted) await this.#alone(() => this.#draw());
    }
  }

  /** A task begins. */
  async begin(): Promise<void> {
    this.#counts.running++;
    await this.#alone(() => this.#draw());
  }

  /** A task has ended. */
  async end(how: TaskEnd): Promise<void> {
    this.#counts.running--;
    this.#counts[how]++;
    await this.#alone(() => this.#draw());
    if (this.#live || this.#quiet) return;
    const counts = this.counts;
    const due = Math.floor(PLAIN_LINES * doneOf(counts) / this.#total);
    if (due <= this.#plain || doneOf(counts) === this.#total) return;
    this.#plain = due;
    const told = countsText(counts, this.#words);
    const values = { done: doneOf(counts), count: this.#total, counts: told };
    await this.say(this.#words("batch.done", values));
  }

  /** A line that stays; it stands above the one that is rewritten. */
  say(text: string): Promise<void> {
    return this.aside(() => this.#terminal.err(`rein: ${printable(text)}\n`));
  }

  /** A line that stays, unless it is to be quiet. */
  async note(text: string): Promise<void> {
    if (!this.#quiet) await this.say(text);
  }

  /** Writes to the terminal while the line that is rewritten is not there. */
  aside(write: () => Promise<void>): Promise<void> {
    return this.#alone(async () => {
      await this.#clear();
      await write();
      await this.#draw();
    });
  }

  /** Takes the line away that is rewritten. */
  clear(): Promise<void> {
    return this.#alone(() => this.#clear());
  }

  /** One thing at a time: tasks that run together write into no line of each other. */
  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #clear(): Promise<void> {
    if (this.#shown === 0) return;
    const blank = " ".repeat(this.#shown);
    this.#shown = 0;
    await this.#terminal.err(`\r${blank}\r`);
  }

  async #draw(): Promise<void> {
    if (!this.#live || this.#counts.running === 0) return;
    const line = barLine(this.counts, this.#terminal.size()?.columns ?? USUAL_COLUMNS, this.#words);
    const rest = " ".repeat(Math.max(0, this.#shown - widthOf(line)));
    this.#shown = widthOf(line);
    // No terminal code but the return of the carriage, which the dumbest one knows.
    await this.#terminal.err(`\r${line}${rest}`);
  }
}
