/**
 * One search over all lines for what needs a closer look: secrets, which are
 * redacted, and trouble, which is remembered.
 *
 * @module
 */

import { AnchorScanner } from "./anchors.ts";
import { KeyBlock, type RedactCounts, Redactor } from "./redact.ts";
import type { LineSink } from "./repeats.ts";
import { SalientLines } from "./salient.ts";

const LF = 0x0a;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** What a run's outputs are searched for; made once. */
export class Patterns {
  readonly redactor: Redactor;
  readonly scanner: AnchorScanner;
  /** Numbers from here on are those of error words. */
  readonly firstWord: number;

  /** @param literals Values that are secrets whatever they look like. */
  constructor(literals: readonly string[]) {
    this.redactor = new Redactor(literals);
    this.firstWord = Math.max(...this.redactor.anchors.map(({ id }) => id)) + 1;
    const words = SalientLines.anchors(this.firstWord);
    this.scanner = new AnchorScanner([...this.redactor.anchors, ...words]);
  }

  /** Whether what stands around a hit makes it one. */
  confirms(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    return id >= this.firstWord
      ? SalientLines.confirms(bytes, start)
      : this.redactor.confirms(id, bytes, start, end);
  }
}

/** Counts the line ends of UTF-8 bytes. */
export function countByteLines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count++;
  return count;
}

/** Bytes that grow, in a buffer that is used again. */
class Bytes {
  #buffer = new Uint8Array(0);
  #length = 0;

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = new Uint8Array(2 * (this.#length + bytes));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }

  add(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Adds a text and returns its bytes; they are valid until more is added. */
  addText(text: string): Uint8Array {
    this.#makeRoom(3 * text.length);
    const rest = this.#buffer.subarray(this.#length);
    const { written } = encoder.encodeInto(text, rest);
    this.#length += written;
    return rest.subarray(0, written);
  }

  /** What was added; valid until the next is. */
  take(): Uint8Array {
    const taken = this.#buffer.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }
}

/** A line with hits, by offsets into its block. */
interface HitLine {
  readonly start: number;
  /** Without its line end. */
  readonly end: number;
  readonly rules: number[];
  readonly words: number[];
}

/** Hands lines on without their secrets. */
export class Inspector {
  readonly salient = new SalientLines();
  readonly counts: RedactCounts = { secrets: 0, removedChars: 0 };
  readonly #patterns: Patterns;
  readonly #sink: LineSink;
  readonly #key = new KeyBlock();
  /** The block that is being made of one with secrets. */
  readonly #made = new Bytes();
  /** Lines handed on. */
  #lines = 0;
  /** Whether what was handed on last goes on. */
  #inLine = false;

  constructor(patterns: Patterns, sink: LineSink) {
    this.#patterns = patterns;
    this.#sink = sink;
  }

  /** Takes whole lines, but for an open one at the very end. */
  push(bytes: Uint8Array, lines: number): void {
    let rest = bytes;
    let restLines = lines;
    if (this.#key.open) {
      rest = this.#takeKeyLines(bytes);
      restLines = countByteLines(rest);
    }
    if (rest.length === 0) return;
    const hits = this.#find(rest);
    if (hits.length === 0) this.#emit(rest, restLines);
    else this.#pushHits(rest, hits);
  }

  #emit(bytes: Uint8Array, lines: number): void {
    if (bytes.length === 0) return;
    this.#lines += lines;
    this.#inLine = bytes[bytes.length - 1] !== LF;
    this.#sink(bytes, lines);
  }

  /** The lines that have confirmed hits, in their order. */
  #find(bytes: Uint8Array): HitLine[] {
    const lines = new Map<number, HitLine>();
    const { firstWord, scanner } = this.#patterns;
    let current: HitLine | undefined;
    scanner.scan(bytes, (id, start, end) => {
      if (!this.#patterns.confirms(id, bytes, start, end)) return;
      if (current === undefined || start < current.start || start > current.end) {
        const begin = start === 0 ? 0 : bytes.lastIndexOf(LF, start - 1) + 1;
        const stop = bytes.indexOf(LF, start);
        current = lines.get(begin) ??
          { start: begin, end: stop === -1 ? bytes.length : stop, rules: [], words: [] };
        lines.set(begin, current);
      }
      if (id < firstWord) current.rules.push(id);
      else current.words.push(id - firstWord);
    });
    return [...lines.values()].sort((a, b) => a.start - b.start);
  }

  /** Takes lines of which some have hits; what comes of them is handed on at once. */
  #pushHits(bytes: Uint8Array, hits: readonly HitLine[]): void {
    let from = 0;
    let line = this.#lines + 1;
    let counted = 0;
    for (const hit of hits) {
      if (hit.words.length > 0) line += countByteLines(bytes.subarray(counted, hit.start));
      if (hit.words.length > 0) counted = hit.start;
      const kept = bytes.subarray(hit.start, hit.end);
      const redacted = hit.rules.length === 0 ? null : this.#redact(kept, hit.rules);
      if (redacted === null) {
        if (hit.words.length > 0) this.#see(kept, hit, line, bytes);
        continue;
      }
      this.#made.add(bytes.subarray(from, hit.start));
      const shown = this.#made.addText(redacted);
      if (hit.words.length > 0) this.#see(shown, hit, line, bytes);
      from = hit.end;
      if (this.#key.open) return this.#pushAfterKey(bytes, hit.end);
    }
    if (from === 0) return this.#emit(bytes, countByteLines(bytes));
    this.#made.add(bytes.subarray(from));
    this.#emitMade();
  }

  /** Hands on what is made so far, and goes on after a line in which a private key begins. */
  #pushAfterKey(bytes: Uint8Array, end: number): void {
    this.#made.add(bytes.subarray(end, end + 1));
    this.#emitMade();
    const rest = bytes.subarray(end + 1);
    this.push(rest, countByteLines(rest));
  }

  #emitMade(): void {
    const made = this.#made.take();
    this.#emit(made, countByteLines(made));
  }

  /** Only the first line of a block can begin before it, only the last one go on after it. */
  #see(line: Uint8Array, hit: HitLine, number: number, block: Uint8Array): void {
    const whole = (hit.start > 0 || !this.#inLine) && hit.end < block.length;
    this.salient.see(line, hit.words, { line: number, whole });
  }

  /** The line without its secrets; null if it has none. */
  #redact(bytes: Uint8Array, rules: readonly number[]): string | null {
    const text = decoder.decode(bytes);
    this.#key.begin(text);
    const redacted = this.#patterns.redactor.redact(text, rules, this.counts);
    return redacted === text ? null : redacted;
  }

  /** Takes the lines that belong to an open private key; what is left is returned. */
  #takeKeyLines(bytes: Uint8Array): Uint8Array {
    let from = 0;
    while (this.#key.open && from < bytes.length) {
      const found = bytes.indexOf(LF, from);
      const end = found === -1 ? bytes.length : found + 1;
      const line = decoder.decode(bytes.subarray(from, end));
      const rest = this.#key.take(line);
      this.counts.removedChars += line.length - (rest?.length ?? 0);
      if (rest === line) break;
      from = end;
      if (rest === null) continue;
      this.#made.addText(rest);
      this.#made.add(bytes.subarray(end));
      return this.#made.take().slice();
    }
    return bytes.subarray(from);
  }
}
