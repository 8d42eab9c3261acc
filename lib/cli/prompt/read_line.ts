/**
 * Reading one input of a person: keys go to the editor, the editor goes on the screen.
 *
 * @module
 */

import { english, type Say } from "../../messages/messages.ts";
import type { Terminal, TerminalSize } from "../../ports.ts";
import type { Styles } from "../styles.ts";
import { type Editor, newEditor, onKey, type Step } from "./editor.ts";
import { type PromptMarks, viewOf } from "./editor_view.ts";
import { type Key, KeyParser } from "./keys.ts";
import { Painter } from "./painter.ts";

/** What came of asking for an input. */
export type Input =
  | { readonly kind: "text"; readonly text: string }
  /** What was begun was given up. */
  | { readonly kind: "cleared" }
  | { readonly kind: "leave"; readonly by: "interrupt" | "end_of_input" };

/** Asks for one input after the other. */
export interface LineReader {
  /**
   * @param history What Up brings back, the oldest first.
   * @param signal Once aborted, the input has ended.
   * @returns Never rejects for what the signal does.
   */
  read(history: readonly string[], signal: AbortSignal): Promise<Input>;
}

/** What reading needs. */
export interface ReadPorts {
  readonly terminal: Pick<Terminal, "keys" | "err" | "size" | "onResize">;
  readonly styles: Styles;
  readonly marks: PromptMarks;
  /** English if left out. */
  readonly say?: Say;
  /** Completes what stands before the cursor. */
  readonly complete: (editor: Editor) => Promise<Editor>;
  /** Shows or hides what calls bring back; returns what is so now. */
  readonly toggleOutput: () => string;
}

/** Pasted text comes in marks of its own. Source: xterm, bracketed paste. */
const PASTE_ON = "\x1b[?2004h";
const PASTE_OFF = "\x1b[?2004l";

const CLEAR_SCREEN = "\x1b[H\x1b[2J";

/** Of a terminal that does not tell; that of the VT100. */
const USUAL_SIZE: TerminalSize = { columns: 80, rows: 24 };

const END: Input = { kind: "leave", by: "end_of_input" };

/** An input in the making. */
class Reading {
  readonly #ports: ReadPorts;
  readonly #painter: Painter;
  #editor: Editor;

  constructor(history: readonly string[], ports: ReadPorts) {
    this.#ports = ports;
    this.#painter = new Painter(ports.styles);
    this.#editor = newEditor(history);
  }

  async paint(before = ""): Promise<void> {
    const { terminal, marks } = this.#ports;
    const size = terminal.size() ?? USUAL_SIZE;
    const painted = this.#painter.paint(viewOf(this.#editor, marks, size), size.columns);
    await terminal.err(before + painted);
  }

  /** Takes one key; returns the input once it is whole. */
  async take(key: Key): Promise<Input | null> {
    const { say = english } = this.#ports;
    const step = onKey(this.#editor, key, say);
    if (step.kind === "submit") return { kind: "text", text: step.text };
    if (step.kind === "leave") return step;
    await this.#follow(step);
    return null;
  }

  async #follow(step: Extract<Step, { editor: Editor }>): Promise<void> {
    this.#editor = step.kind === "complete" ? await this.#ports.complete(step.editor) : step.editor;
    if (step.kind === "toggle_output") {
      this.#editor = { ...step.editor, hint: [this.#ports.toggleOutput()] };
    }
    if (step.kind !== "clear_screen") return;
    this.#painter.forget();
    await this.#ports.terminal.err(CLEAR_SCREEN);
  }

  /** Leaves the text on the screen, with the cursor below it. */
  async end(): Promise<void> {
    const { text } = this.#editor;
    this.#editor = { ...this.#editor, cursor: text.length, hint: [] };
    await this.paint();
    await this.#ports.terminal.err(this.#painter.leave() + PASTE_OFF);
  }

  begin(): Promise<void> {
    return this.paint(PASTE_ON);
  }
}

/** Reads with editing; what is typed beyond an input is for the next one. */
export class EditingReader implements LineReader {
  readonly #ports: ReadPorts;
  readonly #parser = new KeyParser();
  readonly #ahead: Key[] = [];

  constructor(ports: ReadPorts) {
    this.#ports = ports;
  }

  async read(history: readonly string[], signal: AbortSignal): Promise<Input> {
    const reading = new Reading(history, this.#ports);
    const done = new AbortController();
    const until = AbortSignal.any([signal, done.signal]);
    this.#ports.terminal.onResize(() => void reading.paint(), until);
    try {
      await reading.begin();
      return await this.#take(reading, signal);
    } finally {
      done.abort();
      await reading.end();
    }
  }

  async #take(reading: Reading, signal: AbortSignal): Promise<Input> {
    const early = await this.#takeAhead(reading);
    if (early !== null) return early;
    for await (const piece of this.#ports.terminal.keys(signal)) {
      this.#ahead.push(...this.#parser.push(piece));
      const input = await this.#takeAhead(reading);
      if (input !== null) return input;
    }
    return signal.aborted ? { kind: "leave", by: "interrupt" } : END;
  }

  async #takeAhead(reading: Reading): Promise<Input | null> {
    while (this.#ahead.length > 0) {
      const input = await reading.take(this.#ahead.shift()!);
      if (input !== null) return input;
    }
    await reading.paint();
    return null;
  }
}

/** What reading plain lines needs. */
export type PlainPorts = Pick<ReadPorts, "marks" | "say"> & {
  readonly terminal: Pick<Terminal, "input" | "err">;
};

/** Reads lines as the terminal gives them, where the cursor can't be moved. */
export class PlainReader implements LineReader {
  readonly #ports: PlainPorts;
  readonly #decoder = new TextDecoder();
  #ahead = "";
  /** Whether the last input was interrupted, so that another time leaves. */
  #leaving = false;

  constructor(ports: PlainPorts) {
    this.#ports = ports;
  }

  async read(_history: readonly string[], signal: AbortSignal): Promise<Input> {
    const { terminal, marks } = this.#ports;
    await terminal.err(marks.first);
    let text = "";
    while (true) {
      const line = await this.#line(signal);
      if (line === null) return await this.#ended(signal);
      this.#leaving = false;
      if (!line.endsWith("\\")) return { kind: "text", text: text + line };
      text += `${line.slice(0, -1)}\n`;
      await terminal.err(marks.more);
    }
  }

  /** Ctrl-C is a signal here, and the terminal has thrown away what was typed. */
  async #ended(signal: AbortSignal): Promise<Input> {
    const leaving = this.#leaving;
    const { say = english } = this.#ports;
    this.#leaving = signal.aborted;
    const said = signal.aborted && !leaving ? `\n${say("session.leave_hint")}\n` : "\n";
    await this.#ports.terminal.err(said);
    if (!signal.aborted) return END;
    return leaving ? { kind: "leave", by: "interrupt" } : { kind: "cleared" };
  }

  /** The next line; null: there is none. */
  async #line(signal: AbortSignal): Promise<string | null> {
    while (!this.#ahead.includes("\n")) {
      const pieces = this.#ports.terminal.input(signal)[Symbol.asyncIterator]();
      const { value, done } = await pieces.next();
      if (done) return null;
      this.#ahead += this.#decoder.decode(value, { stream: true });
    }
    const end = this.#ahead.indexOf("\n");
    const line = this.#ahead.slice(0, end);
    this.#ahead = this.#ahead.slice(end + 1);
    return line.replace(/\r$/, "");
  }
}
