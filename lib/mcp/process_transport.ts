/**
 * An MCP server that is a program: messages as lines of JSON on its stdin and stdout.
 *
 * @module
 */

import { stripVTControlCharacters } from "node:util";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Processes, ProcessExit, ProcessSpec } from "../ports.ts";
import { isTooDeep } from "../delegate/bounded.ts";
import { clip } from "../results/characters.ts";

/** Bytes of one message at the most; a server that sends more is ended. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Bytes of stderr that are kept: its last line goes into an error's message. */
const STDERR_BYTES = 4096;

/** Characters of a line that an error quotes. */
const QUOTED_CHARS = 300;

/** Why a server is ended. */
const TOO_LONG = `it sent a message of more than ${MAX_MESSAGE_BYTES} bytes`;

const NEWLINE = 10;

/** The program to start. */
export type ServerProgram = Pick<ProcessSpec, "program" | "args" | "cwd" | "env">;

/** What is written to a program, as it comes. */
class Outbox implements AsyncIterable<Uint8Array> {
  #waiting: Uint8Array[] = [];
  #bytes = 0;
  #wake = () => {};
  #ended = false;

  /** Bytes that were not taken yet. */
  get bytes(): number {
    return this.#bytes;
  }

  push(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#bytes += bytes.length;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    while (true) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next;
        this.#bytes -= next.length;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

/** The last line of a text that has one, without control characters. */
function lastLine(text: string): string {
  const line = stripVTControlCharacters(text).split("\n")
    .map((one) => one.replaceAll(/\p{Cc}+/gu, " ").trim())
    .findLast((one) => one !== "");
  return clip(line ?? "", QUOTED_CHARS);
}

function messagesOf(line: string): readonly unknown[] | null {
  try {
    const value: unknown = JSON.parse(line);
    const all = Array.isArray(value) ? value : [value];
    return all.every((one) => one?.jsonrpc === "2.0") ? all : null;
  } catch {
    return null;
  }
}

/** Whether a message only tells something; nothing that a server tells by itself is listened to. */
function isNotification(message: unknown): boolean {
  const { method, id } = message as { readonly method?: unknown; readonly id?: unknown };
  return method !== undefined && id === undefined;
}

/** Speaks to a program until its group is ended. */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #program: ServerProgram;
  readonly #processes: Processes;
  readonly #ending = new AbortController();
  readonly #signal: AbortSignal;
  readonly #outbox = new Outbox();
  readonly #encoder = new TextEncoder();
  #running: Promise<void> = Promise.resolve();
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #stderr = "";
  #stray = "";
  #why: string | null = null;
  #closed = false;

  /** @param signal Ends the program, with its group. */
  constructor(program: ServerProgram, processes: Processes, signal: AbortSignal) {
    this.#program = program;
    this.#processes = processes;
    this.#signal = AbortSignal.any([signal, this.#ending.signal]);
  }

  /** Why it is over, or what it did in place of answering; null where there is nothing to say. */
  get lastWords(): string | null {
    if (this.#why !== null) return this.#why;
    if (this.#stray !== "") return `it printed what is no message: ${this.#stray}`;
    const said = lastLine(this.#stderr);
    return said === "" ? null : `it said: ${said}`;
  }

  start(): Promise<void> {
    const decoder = new TextDecoder();
    this.#running = this.#processes.run({
      ...this.#program,
      input: this.#outbox,
      stdout: (bytes) => this.#read(bytes),
      stderr: (bytes) => {
        this.#stderr = (this.#stderr + decoder.decode(bytes, { stream: true }))
          .slice(-STDERR_BYTES);
      },
    }, this.#signal).then(
      (exit) => this.#over(this.#exitWords(exit)),
      (error) => this.#over(`it could not be started (${error?.message ?? error})`),
    );
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error(this.#why ?? "it has ended"));
    if (this.#outbox.bytes > MAX_MESSAGE_BYTES) {
      // Whoever asks without an end and reads no answers fills the memory.
      this.#refuse(`it left more than ${MAX_MESSAGE_BYTES} bytes unread`);
      return Promise.reject(new Error(this.#why ?? ""));
    }
    this.#outbox.push(this.#encoder.encode(`${JSON.stringify(message)}\n`));
    return Promise.resolve();
  }

  /** Ends the program, and resolves once it has ended. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  #exitWords({ code, signal }: ProcessExit): string {
    const how = signal === null ? `exit code ${code}` : signal;
    const said = lastLine(this.#stderr);
    return `it ended (${how})${said === "" ? "" : `: ${said}`}`;
  }

  #over(why: string): void {
    // What was ended from here has nothing to say about that.
    if (!this.#signal.aborted) this.#why ??= why;
    this.#closed = true;
    this.#outbox.end();
    this.#pieces = [];
    this.onclose?.();
  }

  #read(bytes: Uint8Array): void {
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      this.#keep(bytes.slice(from, at));
      this.#takeLine();
      from = at + 1;
    }
    this.#keep(bytes.slice(from));
    if (this.#bytes > MAX_MESSAGE_BYTES) this.#refuse(TOO_LONG);
  }

  #keep(piece: Uint8Array): void {
    if (this.#why !== null) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  #refuse(why: string): void {
    this.#why ??= why;
    this.#pieces = [];
    this.#bytes = 0;
    this.#ending.abort();
  }

  #takeLine(): void {
    if (this.#bytes > MAX_MESSAGE_BYTES) return this.#refuse(TOO_LONG);
    const decoder = new TextDecoder();
    const line = this.#pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") +
      decoder.decode();
    this.#pieces = [];
    this.#bytes = 0;
    if (line.trim() === "") return;
    if (isTooDeep(line)) return this.#refuse("it sent a message whose brackets are too deep");
    const messages = messagesOf(line);
    // Programs print greetings and logs where only messages should be; they are passed over.
    if (messages === null) this.#stray = lastLine(line.slice(0, QUOTED_CHARS * 2));
    else for (const message of messages) if (!isNotification(message)) this.#deliver(message);
  }

  #deliver(message: unknown): void {
    try {
      this.onmessage?.(message as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
