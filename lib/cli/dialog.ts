/**
 * Questions to a person that take a line each: a text, one of several, yes or no.
 *
 * @module
 */

import { english, message, type Say } from "../messages/messages.ts";
import type { Console } from "../ports.ts";
import { Interruption } from "./exit_code.ts";
import { UsageError } from "./failure.ts";
import { widthOf } from "./marked_text.ts";
import { printable } from "./printable.ts";
import { typedLine } from "./typed_line.ts";

/** What a person is asked to type or to choose. */
export interface Question {
  readonly message: string;
  /** What there is to choose from, by number, the first one by Enter alone; left out: any text. */
  readonly choices?: readonly { readonly value: string; readonly name: string }[];
  /** Whether what is typed is not shown; false if left out. */
  readonly hidden?: boolean;
  /** What is wrong with a text, in a sentence, or null: it is then asked again. */
  readonly faultOf?: (text: string) => string | null;
}

/** Asks one question after the other. */
export class Dialog {
  readonly #person: Console;
  readonly #signal: AbortSignal;
  readonly #say: Say;
  /** What was typed beyond the line before. */
  #ahead = "";

  constructor(person: Console, signal: AbortSignal, say: Say = english) {
    this.#person = person;
    this.#signal = signal;
    this.#say = say;
  }

  /**
   * Asks for a text or a choice.
   *
   * @returns What was typed, trimmed, or the value of what was chosen.
   * @throws {Interruption} If the person presses Ctrl-C.
   * @throws {UsageError} If nobody can answer any more.
   * @throws The signal's reason, once it is aborted.
   */
  async answer({ message: question, choices, hidden = false, faultOf }: Question): Promise<string> {
    const names = choices?.map(({ name }, index) => `  ${index + 1} ${name}\n`) ?? [];
    await this.say(`${question}\n${names.join("")}`);
    while (true) {
      const text =
        (await this.#line(choices === undefined ? "> " : this.#say("dialog.number"), hidden))
          .trim();
      if (choices !== undefined) {
        const chosen = choices[text === "" ? 0 : Number(text) - 1];
        if (chosen !== undefined) return chosen.value;
        await this.say(`${this.#say("dialog.wrong_number", { count: choices.length })}\n`);
      } else {
        const fault = faultOf?.(text) ?? null;
        if (fault === null) return text;
        await this.say(`${fault}\n`);
      }
    }
  }

  /** Asks for a yes; anything else is a no. Throws as `answer`. */
  async confirm(question: string): Promise<boolean> {
    await this.say(question);
    return /^y(es)?$/i.test((await this.#line(" (y/N) ", false)).trim());
  }

  /** Says something. */
  async say(text: string): Promise<void> {
    await this.#person.write(printable(text));
  }

  async #line(prompt: string, hidden: boolean): Promise<string> {
    await this.say(prompt);
    let text = "";
    let keys = this.#ahead;
    while (true) {
      const line = typedLine(text, keys);
      if (line.ending === "interrupt") throw new Interruption("SIGINT");
      if (!hidden) await this.#person.write(echo(text, line.text));
      text = line.text;
      this.#ahead = line.rest;
      if (line.ending === "enter") {
        await this.#person.write("\n");
        return text;
      }
      keys = await this.#person.read(this.#signal);
      if (keys === "") throw new UsageError(message("dialog.gone"), message("dialog.gone_hint"));
    }
  }
}

/** What brings a text on the screen from one state to the next. */
function echo(was: string, is: string): string {
  if (is.startsWith(was)) return is.slice(was.length);
  return "\b \b".repeat(widthOf(was)) + is;
}
