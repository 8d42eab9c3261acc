/**
 * From the bytes of a streamed answer to its server-sent events. How the bytes were cut into pieces
 * does not show.
 *
 * @module
 */

import { StreamError } from "./stream_error.ts";

/** One event as it was sent. */
export interface ServerEvent {
  /** What stands behind `event:`; empty where there is none. */
  readonly name: string;
  /** What stands behind `data:`; several such lines are joined by line ends. */
  readonly data: string;
}

/** UTF-16 units of one event, or of an answer that is none; more is refused. */
const MAX_EVENT_CHARS = 16 * 1024 * 1024;

/**
 * Splits bytes into events: LF, CRLF or CR ends a line, an empty line an event. Comments and fields
 * that mean nothing here are left out; malformed UTF-8 becomes U+FFFD.
 */
export class EventSplitter {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line that has not ended, in pieces. */
  #begun: string[] = [];
  #begunChars = 0;
  /** The lines of what may be no stream at all, until the first event has come. */
  #other: string[] | null = [];
  #otherChars = 0;
  #heldCr = false;
  #name = "";
  #data: string | null = null;

  /**
   * Adds bytes, which may end anywhere.
   *
   * @returns The events that are now complete.
   * @throws {StreamError} If one is longer than can be.
   */
  push(bytes: Uint8Array): ServerEvent[] {
    return this.#take(this.#decoder.decode(bytes, { stream: true }), false);
  }

  /** Ends the stream; an event that lacks its empty line counts. */
  end(): ServerEvent[] {
    const events = this.#take(this.#decoder.decode(), true);
    if (this.#begunChars > 0) this.#line(this.#wholeLine(""));
    this.#dispatch(events);
    return events;
  }

  /** All that came, where it was no stream of events; null if there was an event. */
  get other(): string | null {
    return this.#other?.join("\n") ?? null;
  }

  #take(text: string, last: boolean): ServerEvent[] {
    const events: ServerEvent[] = [];
    const plain = this.#withoutCr(text, last);
    let from = 0;
    for (let at = plain.indexOf("\n"); at !== -1; at = plain.indexOf("\n", from)) {
      const line = this.#wholeLine(plain.slice(from, at));
      from = at + 1;
      if (line === "") this.#dispatch(events);
      else this.#line(line);
    }
    if (from < plain.length) this.#begin(plain.slice(from));
    return events;
  }

  /** Every line end as LF. A CR at the end waits for the LF that may follow. */
  #withoutCr(text: string, last: boolean): string {
    if (!this.#heldCr && !text.includes("\r")) return text;
    const whole = this.#heldCr ? `\r${text}` : text;
    this.#heldCr = !last && whole.endsWith("\r");
    const taken = this.#heldCr ? whole.slice(0, -1) : whole;
    return taken.replace(/\r\n?/g, "\n");
  }

  #begin(text: string): void {
    this.#begun.push(text);
    this.#begunChars += text.length;
    if (this.#begunChars > MAX_EVENT_CHARS) throw new StreamError({ kind: "too_long" });
  }

  #wholeLine(rest: string): string {
    if (this.#begunChars === 0) return rest;
    const line = this.#begun.join("") + rest;
    this.#begun = [];
    this.#begunChars = 0;
    return line;
  }

  #line(line: string): void {
    if (line.startsWith("data:")) {
      const value = line.charCodeAt(5) === 0x20 ? line.slice(6) : line.slice(5);
      this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
      if (this.#data.length > MAX_EVENT_CHARS) throw new StreamError({ kind: "too_long" });
      return;
    }
    if (line.startsWith("event:")) this.#name = line.slice(6).trim();
    else if (line.startsWith(":")) return;
    // Some servers end a stream that failed by an error as it is, without the form of an event.
    else if (this.#other === null && line.startsWith("{")) this.#data ??= line;
    else this.#keepOther(line);
  }

  #keepOther(line: string): void {
    if (this.#other === null) return;
    this.#other.push(line);
    this.#otherChars += line.length + 1;
    if (this.#otherChars > MAX_EVENT_CHARS) throw new StreamError({ kind: "too_long" });
  }

  #dispatch(events: ServerEvent[]): void {
    if (this.#data !== null) {
      events.push({ name: this.#name, data: this.#data });
      this.#other = null;
    }
    this.#data = null;
    this.#name = "";
  }
}
