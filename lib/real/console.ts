/**
 * The real keyboard and screen, while a question is open.
 *
 * @module
 */

import type { ReadStream } from "node:tty";
import type { Console, TerminalSize } from "../ports.ts";
import { enterMode, readStdin } from "./stdin.ts";

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
  #typed = "";
  #ended = false;
  #wake = () => {};

  push(typed: string): void {
    this.#typed += typed;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
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

/** A terminal whose keys come as they are pressed. */
interface Keyboard {
  readonly queue: KeyQueue;
  /** Never throws. */
  close(): void;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The terminal has gone.
  }
}

/** By a stream of its own; runtimes before 2.8 have none but for stdin. */
async function openStream(fd: number): Promise<Keyboard | null> {
  const { ReadStream } = await import("node:tty");
  let opened: ReadStream | null = null;
  try {
    const stream = opened = new ReadStream(fd);
    stream.setRawMode(true);
    const queue = new KeyQueue();
    const ownDecoder = new TextDecoder();
    const onData = (bytes: Uint8Array) => queue.push(ownDecoder.decode(bytes, { stream: true }));
    stream.on("data", onData);
    for (const event of ["end", "error", "close"]) stream.on(event, () => queue.end());
    const close = () => {
      quietly(() => stream.setRawMode(false));
      stream.destroy();
    };
    return { queue, close };
  } catch {
    opened?.destroy();
    return null;
  }
}

/** By stdin, which is one for all who read from it. */
function openStdin(): Keyboard {
  const queue = new KeyQueue();
  const decoder = new TextDecoder();
  const closed = new AbortController();
  const leave = enterMode("keys");
  const follow = async () => {
    // What comes once it is closed is left for the next.
    for (let piece = await next(); piece !== null; piece = await next()) {
      queue.push(decoder.decode(piece, { stream: true }));
    }
    queue.end();
  };
  const next = () => readStdin(closed.signal).catch(() => null);
  void follow();
  const close = () => {
    closed.abort();
    leave();
  };
  return { queue, close };
}

/**
 * Takes a terminal's keyboard.
 *
 * @param fd The terminal: 0, or 2 where stdin is none, which takes a runtime of 2.8 or later.
 *   `/dev/tty` itself would need all permissions.
 * @param write Writes to the person.
 * @returns Null where it can't be had.
 */
export async function openConsole(fd: 0 | 2, write: Console["write"]): Promise<Console | null> {
  const keyboard = fd === 0 ? openStdin() : await openStream(fd);
  if (keyboard === null) return null;
  const { queue, close } = keyboard;
  const term = Deno.env.get("TERM") ?? "";
  return {
    size,
    styled: term !== "" && term !== "dumb",
    write,
    read: (signal) => queue.read(signal),
    drain: (signal) => queue.drain(signal),
    close,
  };
}
