/**
 * Asks about one call on the screen: writes what is asked, follows the keys.
 *
 * @module
 */

import type { ApprovalRequest } from "../calls/pipeline.ts";
import { english, type Say } from "../messages/messages.ts";
import type { CallEffects } from "../policy/effects.ts";
import type { Console } from "../ports.ts";
import {
  type Answer,
  answerText,
  ASKED,
  keyLines,
  onKey,
  type QuestionState,
  renderQuestion,
} from "./approval_keys.ts";
import { approvalText } from "./approval_text.ts";
import { widthOf } from "./marked_text.ts";

/** The last rows of a person's screen, drawn again with every key. */
class LastRows {
  readonly #person: Console;
  #drawn: readonly string[] = [];

  constructor(person: Console) {
    this.#person = person;
  }

  /** Draws them; where the cursor can't be moved, only what is new is written. */
  async draw(lines: readonly string[]): Promise<void> {
    const before = this.#drawn;
    this.#drawn = lines;
    if (this.#person.styled) {
      return await this.#person.write(this.#backOver(before) + lines.join("\n"));
    }
    await this.#person.write(this.#addition(before, lines));
  }

  /** Goes back to where they began, by the width that the screen has now. */
  #backOver(lines: readonly string[]): string {
    if (lines.length === 0) return "\r";
    const { columns } = this.#person.size();
    const rows = lines.map((line) => Math.max(1, Math.ceil(widthOf(line) / columns)));
    const up = rows.reduce((sum, count) => sum + count, 0) - 1;
    return `${up > 0 ? `\u001b[${up}A` : ""}\r\u001b[J`;
  }

  #addition(before: readonly string[], lines: readonly string[]): string {
    const [was, is] = [before.at(-1), lines.at(-1)];
    if (was === undefined || is === undefined || lines.length > 1 || before.length > 1) {
      return (before.length === 0 ? "" : "\n") + lines.join("\n");
    }
    if (is.startsWith(was)) return is.slice(was.length);
    if (was.startsWith(is)) return "\b \b".repeat(widthOf(was.slice(is.length)));
    return `\n${is}`;
  }

  /** Forgets them: what is written next stands below. */
  async leave(): Promise<void> {
    this.#drawn = [];
    await this.#person.write("\n");
  }
}

/** All of the text in pages, each below the one before: nothing is lost, whatever the terminal. */
class Pages {
  #next = 0;

  /** The next page, with a line that says whether there is more. */
  page(lines: readonly string[], rows: number, say: Say): string[] {
    if (this.#next >= lines.length) this.#next = 0;
    const from = this.#next;
    this.#next = Math.min(lines.length, from + Math.max(5, rows - 4));
    const more = lines.length - this.#next;
    const end = more === 0 ? say("approval.all_shown") : say("approval.more", { count: more });
    return [...lines.slice(from, this.#next), end];
  }
}

/** Whom to ask. */
export interface Asking {
  readonly person: Console;
  readonly signal: AbortSignal;
  /** English if left out. */
  readonly say?: Say;
}

/**
 * Asks a person, and waits for an answer that is one: no key has it by default, and what was typed
 * before the question stood there is dropped.
 *
 * @returns Null once nobody can answer any more.
 * @throws The signal's reason, once it is aborted.
 */
export async function askApproval(
  request: ApprovalRequest,
  effects: CallEffects,
  { person, signal, say = english }: Asking,
): Promise<Answer | null> {
  const { styled } = person;
  const columns = () => person.size().columns;
  const writeLines = (lines: readonly string[]) =>
    person.write(lines.map((line) => `${line}\n`).join(""));
  const text = approvalText(request, effects, { columns: columns(), styled, all: false, say });
  await writeLines([...text.lines, ...keyLines(columns(), text.cut, say)]);
  const rows = new LastRows(person);
  const pages = new Pages();
  let state: QuestionState = ASKED;
  // Ctrl-C counts whenever it is pressed; nothing else that was typed ahead does.
  let typed = (await person.drain(signal)).includes("\u0003") ? "\u0003" : null;
  while (true) {
    if (typed === null) {
      await rows.draw(renderQuestion(state, columns(), say));
      typed = await person.read(signal);
    }
    if (typed === "") return null;
    const reaction = onKey(state, typed, say);
    typed = null;
    if (reaction.kind === "go_on") state = reaction.state;
    else if (reaction.kind === "answered") {
      await rows.draw([answerText(reaction.answer, say)]);
      await rows.leave();
      return reaction.answer;
    } else {
      await rows.leave();
      const all = approvalText(request, effects, { columns: columns(), styled, all: true, say });
      await writeLines(pages.page(all.lines, person.size().rows, say));
      state = ASKED;
    }
  }
}
