/**
 * The real keyboard and screen, while a question is open.
 *
 * @module
 */

import type { ReadStream } from "node:tty";
import type { Console, TerminalSize } from "../ports.ts";

/** Keys that were typed before have come within this, in milliseconds. */
const QUIET_MS = 60;

/** What a terminal has that does not say. Source: VT100. */
const USUAL: TerminalSize = { columns: 80, rows: 24 };

function size(): TerminalSize {
  try {
    const { columns, rows } = Deno.consoleSize();
    return { columns: columns || USUAL.columns, rows: rows || USUAL.rows };
  } catch {
    return USUAL;
  }
}

/** Pieces of input, for whoever waits for the next. */
class KeyQueue {
  readonly #decoder = new TextDecoder();
  #typed = "";
  #ended = false;
  #wake = () => {};

  constructor(stream: ReadStream) {
    stream.on("data", (bytes: Uint8Array) => {
      this.#typed += this.#decoder.decode(bytes, { stream: true });
      this.#wake();
    });
    const end = () => {
      this.#ended = true;
      this.#wake();
    };
    for (const event of ["end", "error", "close"]) stream.on(event, end);
  }

  take(): string {
    const typed = this.#typed;
    this.#typed = "";
    return typed;
  }

  async read(signal: AbortSignal): Promise<string> {
    while (this.#typed === "" && !this.#ended) {
      await new Promise<void>((resolve, reject) => {
        signal.throwIfAborted();
        const onAbort = () => reject(signal.reason);
        signal.addEventListener("abort", onAbort, { once: true });
        this.#wake = () => {
          signal.removeEventListener("abort", onAbort);
          resolve();
        };
      });
    }
    return this.take();
  }

  /** Reads until nothing comes for a moment: the system does not tell whether more waits. */
  async drain(signal: AbortSignal): Promise<string> {
    let dropped = "";
    while (true) {
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
      const typed = this.take();
      if (typed === "" || this.#ended) return dropped + typed;
      dropped += typed;
    }
  }
}

/**
 * Takes a terminal's keyboard.
 *
 * @param fd The terminal: 0, or 2 where stdin is none. `/dev/tty` itself would need all permissions.
 * @param write Writes to the person.
 * @returns Null where it can't be had.
 */
export async function openConsole(fd: 0 | 2, write: Console["write"]): Promise<Console | null> {
  const { ReadStream } = await import("node:tty");
  let stream: ReadStream | null = null;
  try {
    stream = new ReadStream(fd);
    stream.setRawMode(true);
  } catch {
    stream?.destroy();
    return null;
  }
  const opened = stream;
  const queue = new KeyQueue(opened);
  const term = Deno.env.get("TERM") ?? "";
  return {
    size,
    styled: term !== "" && term !== "dumb",
    write,
    read: (signal) => queue.read(signal),
    drain: (signal) => queue.drain(signal),
    close: () => {
      try {
        opened.setRawMode(false);
      } catch {
        // The terminal has gone.
      }
      opened.destroy();
    },
  };
}
