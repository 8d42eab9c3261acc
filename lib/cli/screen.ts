/**
 * The terminal with a status area: a few lines below everything else, which are gone before
 * anything else is printed, and come back below it.
 *
 * @module
 */

import type { Console, Terminal, TerminalSize } from "../ports.ts";

/** Erases from the cursor to the end of the screen. Source: ECMA-48, ED. */
const ERASE = "\x1b[J";

/**
 * The cursor rests at the beginning of the area: where a terminal lays out its lines anew because it
 * was resized, the cursor stays with the text, so that all of the area is erased whatever became of
 * it.
 */
function drawn(lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const back = lines.length === 1 ? "\r" : `\x1b[${lines.length - 1}A\r`;
  return `${ERASE}${lines.join("\r\n")}${back}`;
}

/** Whether a text leaves the cursor at the beginning of a line, whatever codes come last. */
function endsLine(text: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  return /\n(?:\x1b\[[0-9;?]*[ -/]*[@-~])*$/.test(text);
}

/** A text that waits for a question to be answered. */
interface Held {
  readonly stream: "out" | "err";
  readonly text: string;
}

/**
 * Writes to a terminal, with a status area below. While a question is open, nothing is written:
 * whoever prints goes on at once, and what they printed comes below the answer.
 */
export class Screen implements Terminal {
  readonly stdinIsTerminal: boolean;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly stdinIsFile: boolean;
  readonly #terminal: Terminal;
  #lines: readonly string[] = [];
  #isDrawn = false;
  /** Whether the cursor is at the beginning of a line, so that there is room for the area. */
  #atLineStart = true;
  #questions = 0;
  #held: Held[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.stdinIsTerminal = terminal.stdinIsTerminal;
    this.stdoutIsTerminal = terminal.stdoutIsTerminal;
    this.stderrIsTerminal = terminal.stderrIsTerminal;
    this.stdinIsFile = terminal.stdinIsFile;
  }

  input(signal: AbortSignal): AsyncIterable<Uint8Array> {
    return this.#terminal.input(signal);
  }

  keys(signal: AbortSignal): AsyncIterable<string> {
    return this.#terminal.keys(signal);
  }

  hush(): () => void {
    return this.#terminal.hush();
  }

  watch(key: string, pressed: () => void, signal: AbortSignal): Promise<void> {
    return this.#terminal.watch(key, pressed, signal);
  }

  size(): TerminalSize | null {
    return this.#terminal.size();
  }

  onResize(changed: () => void, signal: AbortSignal): void {
    this.#terminal.onResize(changed, signal);
  }

  out(text: string): Promise<void> {
    if (text === "") return Promise.resolve();
    if (!this.stdoutIsTerminal) return this.#terminal.out(text);
    return this.#inOrder(() => this.#print({ stream: "out", text }));
  }

  err(text: string): Promise<void> {
    if (text === "") return Promise.resolve();
    return this.#inOrder(() => this.#print({ stream: "err", text }));
  }

  async #print(held: Held): Promise<void> {
    const { stream, text } = held;
    if (this.#questions > 0) this.#held.push(held);
    else if (stream === "out") {
      await this.#erase();
      await this.#terminal.out(text);
      this.#atLineStart = endsLine(text);
      await this.#draw();
    } else {
      const erase = this.#isDrawn ? ERASE : "";
      this.#atLineStart = endsLine(text);
      this.#isDrawn = this.#atLineStart && this.#lines.length > 0;
      await this.#terminal.err(erase + text + (this.#isDrawn ? drawn(this.#lines) : ""));
    }
  }

  /** A person is asked with nothing below, and nothing printed in between. */
  async openConsole(): Promise<Console | null> {
    await this.#inOrder(async () => {
      await this.#erase();
      this.#questions++;
    });
    let person: Console | null = null;
    try {
      person = await this.#terminal.openConsole();
    } finally {
      if (person === null) this.#answered();
    }
    return person === null ? null : this.#untilClosed(person);
  }

  #untilClosed(person: Console): Console {
    return {
      styled: person.styled,
      size: () => person.size(),
      write: (text) => person.write(text),
      read: (signal) => person.read(signal),
      drain: (signal) => person.drain(signal),
      close: () => {
        person.close();
        this.#answered();
      },
    };
  }

  /** Prints what had to wait, once no question is open. */
  #answered(): void {
    void this.#inOrder(async () => {
      this.#questions--;
      if (this.#questions > 0) return;
      const held = this.#held;
      this.#held = [];
      for (const each of held) await this.#print(each);
      await this.#draw();
    }).catch(() => {
      // Whoever printed it has gone on; what comes next will fail as well.
    });
  }

  /** Asks with nothing below. */
  async confirm(question: string, signal: AbortSignal): Promise<boolean> {
    await this.show([]);
    return await this.#terminal.confirm(question, signal);
  }

  /**
   * Shows lines in the status area, as soon as there is room; none take it away.
   *
   * @param lines Each narrower than the terminal, without control characters but for styles.
   */
  show(lines: readonly string[]): Promise<void> {
    return this.#inOrder(async () => {
      const same = lines.length === this.#lines.length &&
        lines.every((line, index) => line === this.#lines[index]);
      if (same) return;
      this.#lines = lines;
      if (lines.length === 0) await this.#erase();
      else await this.#draw();
    });
  }

  /** Shows the lines again, since the terminal has another size. */
  redraw(): Promise<void> {
    return this.#inOrder(() => this.#draw());
  }

  async #erase(): Promise<void> {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    await this.#terminal.err(ERASE);
  }

  async #draw(): Promise<void> {
    if (!this.#atLineStart || this.#lines.length === 0 || this.#questions > 0) return;
    this.#isDrawn = true;
    await this.#terminal.err(drawn(this.#lines));
  }

  /** One piece of work after the other, whatever becomes of each. */
  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }
}
