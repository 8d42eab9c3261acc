/**
 * What happens in a run as lines on stderr: notes, steps, the ending.
 *
 * @module
 */

import type { Terminal } from "../ports.ts";
import type { Event, RunResult } from "../events.ts";
import { failureLine } from "./failure.ts";
import { printable } from "./printable.ts";

/** Writes what happens; does nothing when it is to be quiet, but for the ending. */
export class StepWriter {
  readonly #terminal: Terminal;
  readonly #quiet: boolean;
  #maxSteps = 0;

  constructor(terminal: Terminal, quiet: boolean) {
    this.#terminal = terminal;
    this.#quiet = quiet;
  }

  /** Something that the person should know. */
  async note(text: string): Promise<void> {
    if (!this.#quiet) await this.warn(text);
  }

  /** Something that the person must know, be it ever so quiet. */
  async warn(text: string): Promise<void> {
    await this.#terminal.err(`rein: ${printable(text)}\n`);
  }

  /** Follows the run. */
  async event(event: Event): Promise<void> {
    switch (event.type) {
      case "run_started":
        this.#maxSteps = event.max_steps;
        if (event.model.recorded) {
          await this.note(`the model is a recording (${event.model.source}), not a live one`);
        }
        return;
      case "call_finished": {
        const line = `${event.tool} ${event.brief} → ${event.observation.summary}`;
        if (!this.#quiet) await this.#line(`[Step ${event.step}/${this.#maxSteps}] ${line}`);
        return;
      }
      case "answer_checked":
        if (event.fits) return;
        return await this.note(`the answer does not fit the schema: ${event.errors.join("; ")}`);
      case "run_finished":
        return await this.#ending(event.result);
    }
  }

  async #line(text: string, indent = ""): Promise<void> {
    await this.#terminal.err(`${indent}${printable(text).replace(/\s+/g, " ")}\n`);
  }

  async #ending({ ending, error, calls, steps }: RunResult): Promise<void> {
    if (ending === null) return;
    if (error !== null) {
      await this.#terminal.err(failureLine(error));
      if (calls.length === 0) return;
    }
    const made = calls.length === 1 ? "1 call" : `${calls.length} calls`;
    await this.#terminal.err(
      printable(`rein: unfinished: ${ending.why}, in step ${steps} of ${this.#maxSteps}, `) +
        `after ${made}\n`,
    );
    if (this.#quiet) return;
    await this.#list("done", ending.done);
    await this.#list("obtained", ending.obtained);
    await this.#list("left", ending.left);
    if (ending.resume !== null) await this.#line(`go on with: ${ending.resume}`, "  ");
  }

  async #list(title: string, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#line(`${title}:`, "  ");
    for (const line of lines) await this.#line(line, "    ");
  }
}
