/**
 * What happens in a run as lines on stderr: notes, steps, the ending.
 *
 * @module
 */

import type { Terminal } from "../ports.ts";
import type { Event, RunResult } from "../events.ts";
import { failureLine } from "./failure.ts";
import { printable } from "./printable.ts";

type RetryEvent = Extract<Event, { type: "model_retried" }>;

/** Writes what happens; does nothing when it is to be quiet, but for the ending. */
export class StepWriter {
  readonly #terminal: Terminal;
  readonly #quiet: boolean;
  #maxSteps = 0;
  /** Whether the model's text, as far as it came, ends within a line. */
  #inLine = false;

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
      case "step_started":
        this.#inLine = false;
        return;
      case "run_started":
        this.#maxSteps = event.max_steps;
        if (event.model.recorded) {
          await this.note(`the model is a recording (${event.model.source}), not a live one`);
        }
        return;
      case "model_adapted":
        return await this.note(`the server refused (${event.why}); ${event.what}`);
      case "text_delta":
        this.#inLine = !event.text.endsWith("\n");
        return;
      case "model_retried":
        return await this.#retry(event);
      case "call_finished": {
        const line = `${event.tool} ${event.brief} → ${event.observation.summary}`;
        if (!this.#quiet) await this.#line(`[Step ${event.step}/${this.#maxSteps}] ${line}`);
        return;
      }
      case "context_compacted": {
        const { tokens_before, tokens_after, facts } = event;
        const known = facts.length === 1 ? "1 fact is kept" : `${facts.length} facts are kept`;
        return await this.note(
          `made room: ${tokens_before} tokens became ${tokens_after}, ${known}`,
        );
      }
      case "answer_checked":
        if (event.fits) return;
        return await this.note(`the answer does not fit the schema: ${event.errors.join("; ")}`);
      case "run_finished":
        return await this.#ending(event.result);
    }
  }

  async #retry({ attempt, of, wait_ms, error }: RetryEvent): Promise<void> {
    const { stdoutIsTerminal, stderrIsTerminal } = this.#terminal;
    const wait = wait_ms < 1000 ? `${wait_ms} ms` : `${Math.round(wait_ms / 1000)} s`;
    // The text that was shown so far may stand in the line, which then ends here.
    if (this.#inLine && !this.#quiet && stdoutIsTerminal && stderrIsTerminal) {
      await this.#terminal.err("\n");
    }
    await this.note(`${error.message}; retry ${attempt} of ${of} in ${wait}`);
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
