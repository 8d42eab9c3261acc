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

  push(bytes: Uint8Array): void {
    this.#typed += this.#decoder.decode(bytes, { stream: true });
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

/**
 * Whether the runtime's streams of terminals can be raw: measured with 2.8.3, and not with 2.6.10,
 * onto which rein can be compiled, too.
 */
function hasRawStreams(): boolean {
  const [major = 0, minor = 0] = Deno.version.deno.split(".").map(Number);
  return major > 2 || (major === 2 && minor >= 8);
}

/** By a stream of its own, which gives up reading when it is closed. */
async function openStream(fd: 0 | 2): Promise<Keyboard | null> {
  const { ReadStream } = await import("node:tty");
  let opened: ReadStream | null = null;
  try {
    const stream = opened = new ReadStream(fd);
    stream.setRawMode(true);
    const queue = new KeyQueue();
    stream.on("data", (bytes: Uint8Array) => queue.push(bytes));
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

/** What reads stdin where streams can't: a read can't be given up, so that there is one for good. */
let pump: KeyQueue | null = null;

function startPump(): KeyQueue {
  const queue = new KeyQueue();
  const read = async () => {
    const buffer = new Uint8Array(1024);
    for (let count = await Deno.stdin.read(buffer); count !== null;) {
      queue.push(buffer.subarray(0, count));
      count = await Deno.stdin.read(buffer);
    }
  };
  read().catch(() => {}).finally(() => queue.end());
  return queue;
}

/** By stdin as every runtime has it. */
function openStdin(): Keyboard | null {
  try {
    Deno.stdin.setRaw(true);
  } catch {
    return null;
  }
  return { queue: pump ??= startPump(), close: () => quietly(() => Deno.stdin.setRaw(false)) };
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
  // A stream that fails would have closed stdin.
  const keyboard = hasRawStreams() ? await openStream(fd) : fd === 0 ? openStdin() : null;
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
