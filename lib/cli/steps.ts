/**
 * What happens in a run as lines on stderr: notes, steps, the ending.
 *
 * @module
 */

import type { Terminal } from "../ports.ts";
import type { Event, RunResult, StopReason } from "../events.ts";
import { failureLine } from "./failure.ts";
import { printable } from "./printable.ts";

/** Why a run stopped, in words. */
const STOPS: Readonly<Record<StopReason, string>> = {
  answered: "answered",
  step_limit: "the step limit was reached",
  token_limit: "the model's output limit was reached",
  time_limit: "the time limit was reached",
  repeating: "it was repeating itself",
  blocked: "calls were denied",
  interrupted: "it was interrupted",
  model_error: "the model failed",
};

/** Writes what happens; does nothing when it is to be quiet, but for the ending. */
export class StepWriter {
  readonly #terminal: Terminal;
  readonly #quiet: boolean;
  #maxSteps = 0;
  readonly #done: string[] = [];

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
        this.#done.push(`[${event.step}] ${line}`);
        if (!this.#quiet) await this.#line(`[Step ${event.step}/${this.#maxSteps}] ${line}`);
        return;
      }
      case "run_finished":
        return await this.#ending(event.result);
    }
  }

  async #line(text: string, indent = ""): Promise<void> {
    await this.#terminal.err(`${indent}${printable(text).replace(/\s+/g, " ")}\n`);
  }

  async #ending(result: RunResult): Promise<void> {
    if (result.stop_reason === null || result.stop_reason === "answered") return;
    if (result.error !== null) {
      await this.#terminal.err(failureLine(result.error));
      if (result.calls.length === 0) return;
    }
    const calls = result.calls.length === 1 ? "1 call" : `${result.calls.length} calls`;
    await this.#terminal.err(
      `rein: unfinished: ${STOPS[result.stop_reason]}, in step ${result.steps} ` +
        `of ${this.#maxSteps}, after ${calls}\n`,
    );
    if (this.#quiet) return;
    for (const done of this.#done) await this.#line(done, "  ");
  }
}
