/**
 * A line that comes again and again, said once.
 *
 * @module
 */

import type { LineBlock } from "./line_blocks.ts";

/** Takes whole lines, but for an open one at the very end; valid during the call only. */
export type LineSink = (bytes: Uint8Array, lines: number) => void;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

const NOTHING = new Uint8Array(0);

/** A line by its place, which costs less than a view of its bytes. */
interface Place {
  bytes: Uint8Array;
  start: number;
  end: number;
}

function isSameLine(line: Place, bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (line.end - line.start !== length) return false;
  // Lines of a log differ at their ends more often than at their beginnings.
  let at = length - 1;
  while (at >= 0 && line.bytes[line.start + at] === bytes[start + at]) at--;
  return at < 0;
}

/** The line that says how often the one before it came again. */
export function repeatLine(times: number): string {
  return `[repeated ${times.toLocaleString("en-US")} more ${times === 1 ? "time" : "times"}]\n`;
}

/** Hands lines on; repetitions are only counted, and said in a line where that is shorter. */
export class Repeats {
  readonly #sink: LineSink;
  /** The last line with its line end; empty if there is none to compare with. */
  #last: Uint8Array = NOTHING;
  #times = 0;
  /** Whether the next block begins inside a line. */
  #inLine = false;
  /** Repetitions that are not shown, in lines. */
  lines = 0;
  /** Characters of them, less those of the lines that say so. */
  removedChars = 0;

  constructor(sink: LineSink) {
    this.#sink = sink;
  }

  /** Takes the next block. */
  push({ bytes, ends, lines }: LineBlock): void {
    let from = 0;
    let fromLine = 0;
    let start = 0;
    const last: Place = { bytes: this.#last, start: 0, end: this.#last.length };
    for (let line = 0; line < lines; line++) {
      const end = ends[line]! + 1;
      if (isSameLine(last, bytes, start, end)) {
        if (start > from) this.#sink(bytes.subarray(from, start), line - fromLine);
        if (this.#times++ === 0) this.#last = bytes.slice(start, end);
        from = end;
        fromLine = line + 1;
      } else {
        if (this.#times > 0) this.#say();
        last.bytes = this.#inLine ? NOTHING : bytes;
        last.start = this.#inLine ? 0 : start;
        last.end = this.#inLine ? 0 : end;
        this.#inLine = false;
      }
      start = end;
    }
    const open = bytes.length > start;
    if (open && this.#times > 0) this.#say();
    if (bytes.length > from) this.#sink(bytes.subarray(from), lines - fromLine);
    if (open) this.#inLine = true;
    // The block will be overwritten; an open line is compared with nothing.
    this.#last = open ? NOTHING : last.bytes.slice(last.start, last.end);
  }

  /** Says what has been counted. */
  finish(): void {
    if (this.#times > 0) this.#say();
  }

  #say(): void {
    const times = this.#times;
    this.#times = 0;
    const said = encoder.encode(repeatLine(times));
    if (said.length >= times * this.#last.length) {
      for (let time = 0; time < times; time++) this.#sink(this.#last, 1);
      return;
    }
    this.lines += times;
    this.removedChars += times * decoder.decode(this.#last).length - said.length;
    this.#sink(said, 1);
  }
}
