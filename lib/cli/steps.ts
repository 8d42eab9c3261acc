/**
 * What happens in a run as lines on stderr: notes, steps, the ending.
 *
 * @module
 */

import { english, message, type MessageId, type Say, type Text } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
import type { Terminal } from "../ports.ts";
import type { Event, RunResult } from "../events.ts";
import type { Observation } from "../types.ts";
import { failureLine } from "./failure.ts";
import { printable } from "./printable.ts";
import { createStyles, type Styles } from "./styles.ts";

/** Where steps are written. */
type StepTerminal = Pick<Terminal, "err" | "stdoutIsTerminal" | "stderrIsTerminal">;

/** How steps are written. */
export interface StepLook {
  readonly styles: Styles;
  /** Makes what a call was short enough to stand on one line with these; null where it need not. */
  readonly fit: ((what: string, beside: string) => string) | null;
  /** Whether it is shown what calls brought back, to begin with. */
  readonly verbose: boolean;
  /** English if left out. */
  readonly say?: Say;
}

/** As a file gets them. */
export const PLAIN_LOOK: StepLook = { styles: createStyles(false), fit: null, verbose: false };

function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, " ");
}

/** What a call brought back, as lines. */
function outputLines({ data, error }: Observation): string[] {
  const said = error === null ? [] : [`${error.message}. ${error.hint}`];
  const fields = Object.entries(data ?? {}).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value);
    return text.includes("\n") ? [`${name}:`, ...text.split("\n")] : [`${name}: ${text}`];
  });
  return [...said, ...fields];
}

type CallEvent = Extract<Event, { type: "call_finished" }>;

type RetryEvent = Extract<Event, { type: "model_retried" }>;

/** Writes what happens; does nothing when it is to be quiet, but for the ending. */
export class StepWriter {
  readonly #terminal: StepTerminal;
  readonly #quiet: boolean;
  readonly #look: StepLook;
  readonly #say: Say;
  #maxSteps = 0;
  #recordingTold = "";
  /** Whether the model's text, as far as it came, ends within a line. */
  #inLine = false;
  #verbose: boolean;
  /** The newest call, as long as it was not shown what it brought back. */
  #newest: CallEvent | null = null;
  /** Whether the model said something since. */
  #saidSince = false;
  /** Whether the newest call is to be shown once the model has said what it says. */
  #isLate = false;

  constructor(terminal: StepTerminal, quiet: boolean, look: StepLook = PLAIN_LOOK) {
    this.#terminal = terminal;
    this.#quiet = quiet;
    this.#look = look;
    this.#verbose = look.verbose;
    this.#say = look.say ?? english;
  }

  /** Whether it is shown what calls bring back. */
  get showsOutput(): boolean {
    return this.#verbose;
  }

  /**
   * Shows from here on what calls bring back, or hides it again.
   *
   * @returns What is so now, for people.
   */
  toggleOutput(): string {
    this.#verbose = !this.#verbose;
    if (!this.#verbose) this.#isLate = false;
    return this.#say(this.#verbose ? "step.output_shown" : "step.output_hidden");
  }

  /**
   * Shows what the newest call of the run brought back, unless that was shown.
   *
   * @param inText Whether the model's text is being written, which is not interrupted.
   */
  async showNewest(inText: boolean): Promise<void> {
    if (inText) this.#isLate = true;
    else await this.#showLate();
  }

  /** Something that the person should know. */
  async note(text: Text): Promise<void> {
    if (!this.#quiet) await this.warn(text);
  }

  /** Something that the person must know, be it ever so quiet. */
  async warn(text: Text): Promise<void> {
    await this.#terminal.err(`rein: ${printable(this.#told(text))}\n`);
  }

  /** A text as the person reads it. */
  #told(text: Text): string {
    return tell(text, this.#say);
  }

  /** Follows the run. */
  async event(event: Event): Promise<void> {
    if (event.type === "text_delta") this.#saidSince = true;
    else if (this.#isLate && event.type !== "reasoning_delta") await this.#showLate();
    switch (event.type) {
      case "step_started":
        this.#inLine = false;
        return;
      case "run_started":
        this.#maxSteps = event.max_steps;
        this.#newest = null;
        if (event.model.recorded && event.model.source !== this.#recordingTold) {
          this.#recordingTold = event.model.source;
          await this.note(message("step.recording", { source: event.model.source }));
        }
        return;
      case "model_adapted":
        return await this.note(
          message("step.adapted", { why: this.#told(event.why), what: this.#told(event.what) }),
        );
      case "text_delta":
        this.#inLine = !event.text.endsWith("\n");
        return;
      case "model_retried":
        return await this.#retry(event);
      case "call_finished":
        return this.#quiet ? undefined : await this.#call(event);
      case "context_compacted": {
        const { tokens_before, tokens_after, facts } = event;
        const values = { before: tokens_before, after: tokens_after, count: facts.length };
        return await this.note(message("step.made_room", values));
      }
      case "answer_checked":
        if (event.fits) return;
        return await this.note(message("step.unfit", { errors: event.errors.join("; ") }));
      case "run_finished":
        return await this.#ending(event.result);
    }
  }

  async #call(event: CallEvent): Promise<void> {
    await this.#callLine(event);
    this.#newest = event;
    this.#saidSince = false;
    if (this.#verbose) await this.#output(event);
  }

  async #showLate(): Promise<void> {
    const event = this.#newest;
    this.#isLate = false;
    if (event === null) return;
    if (this.#saidSince) await this.#callLine(event);
    await this.#output(event);
  }

  async #output({ observation }: CallEvent): Promise<void> {
    this.#newest = null;
    const lines = outputLines(observation).map((line) => `  │ ${printable(line)}\n`);
    await this.#terminal.err(this.#look.styles.dim(lines.join("")));
  }

  async #callLine(event: CallEvent): Promise<void> {
    const { styles, fit } = this.#look;
    const { observation, tool, brief, step } = event;
    const head = this.#say("step.head", { step, of: this.#maxSteps });
    const result = ` → ${oneLine(this.#told(observation.summary))}`;
    const call = oneLine(`${tool} ${brief}`);
    const what = fit?.(call, head + result) ?? call;
    const shown = observation.status === "success" ? result : styles.bad(result);
    await this.#terminal.err(`${styles.dim(head)}${what}${shown}\n`);
  }

  async #retry({ attempt, of, wait_ms, error }: RetryEvent): Promise<void> {
    const { stdoutIsTerminal, stderrIsTerminal } = this.#terminal;
    const wait = wait_ms < 1000
      ? message("step.wait_ms", { count: wait_ms })
      : message("step.wait_s", { count: Math.round(wait_ms / 1000) });
    // The text that was shown so far may stand in the line, which then ends here.
    if (this.#inLine && !this.#quiet && stdoutIsTerminal && stderrIsTerminal) {
      await this.#terminal.err("\n");
    }
    const why = this.#told(error.message);
    await this.note(message("step.retry", { error: why, attempt, of, wait }));
  }

  async #line(text: string, indent = ""): Promise<void> {
    await this.#terminal.err(`${indent}${oneLine(text)}\n`);
  }

  async #ending({ ending, error, calls, steps }: RunResult): Promise<void> {
    if (ending === null) return;
    if (error !== null) {
      const told = { message: this.#told(error.message), hint: this.#told(error.hint) };
      await this.#terminal.err(failureLine(told, this.#say));
      if (calls.length === 0) return;
    }
    const where = { steps, of: this.#maxSteps, count: calls.length };
    const said = this.#say("ending.unfinished", { why: this.#told(ending.why), ...where });
    await this.#terminal.err(`${printable(said)}\n`);
    if (this.#quiet) return;
    await this.#list("ending.done", ending.done);
    await this.#list("ending.obtained", ending.obtained);
    await this.#list("ending.left", ending.left);
    if (ending.resume === null) return;
    await this.#line(this.#say("ending.resume", { command: ending.resume }), "  ");
  }

  async #list(title: MessageId, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    await this.#line(this.#say(title), "  ");
    for (const line of lines) await this.#line(this.#told(line), "    ");
  }
}
