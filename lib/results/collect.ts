/**
 * One text of a call from its bytes to what a model sees of it, stage by
 * stage: transcode, clean, collapse, redact, keep, cut.
 *
 * @module
 */

import type { CollectedText, CollectRequest, TextCollector, Truncation } from "../types.ts";
import { Cleaner } from "./clean.ts";
import { type Excerpts, NO_EXCERPTS } from "./excerpts.ts";
import { type Cutter, HeadTail } from "./head_tail.ts";
import { Inspector, type Patterns } from "./inspect.ts";
import { type LineBlock, LineBlocks } from "./line_blocks.ts";
import { LineHeadTail } from "./line_head_tail.ts";
import { Repeats } from "./repeats.ts";
import type { OpenSpill, SpillStore } from "./spill.ts";
import { Transcoder } from "./transcode.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** UTF-16 units of well-formed UTF-8. */
function charsOf(bytes: Uint8Array): number {
  let chars = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if ((byte & 0xc0) !== 0x80) chars += byte >= 0xf0 ? 2 : 1;
  }
  return chars;
}

/** What the stages before the cut took out. */
export interface StageCounts {
  /** Sequences that were no UTF-8, each shown as U+FFFD. */
  readonly malformed: number;
  readonly overwrites: number;
  readonly repeatedLines: number;
  readonly secrets: number;
  /** Characters of all that, less what stands for it; with those of the text, all that came. */
  readonly removedChars: number;
}

function plural(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

function notesOf(counts: StageCounts): string[] {
  const { malformed, overwrites, secrets } = counts;
  return [
    ...(malformed === 0 ? [] : [plural(malformed, "malformed sequence", "malformed sequences")]),
    ...(overwrites === 0 ? [] : [plural(overwrites, "overwritten line", "overwritten lines")]),
    ...(secrets === 0 ? [] : [`${plural(secrets, "secret", "secrets")} redacted`]),
  ];
}

/** What a collector needs of its run. */
export interface CollectPorts {
  readonly patterns: Patterns;
  readonly spills: SpillStore;
  /** How the model reads a kept output, or null where this run has no way. */
  readonly readBack: ((output: { id: string; complete: boolean }) => string) | null;
}

/** The stages of one text. */
export class Collector implements TextCollector {
  readonly #request: CollectRequest;
  readonly #ports: CollectPorts;
  readonly #cutter: Cutter;
  readonly #transcoder: Transcoder;
  readonly #blocks: LineBlocks;
  readonly #cleaner: Cleaner;
  readonly #repeats: Repeats;
  readonly #inspector: Inspector;
  /** What is not yet in a file, since nothing may have to be cut. */
  #pending: Uint8Array[] = [];
  #spill: OpenSpill | null = null;
  #high = false;

  constructor(request: CollectRequest, ports: CollectPorts) {
    this.#request = request;
    this.#ports = ports;
    const { limit, raw, charset } = request;
    this.#cutter = limit.unit === "lines" ? new LineHeadTail(limit) : new HeadTail(limit);
    this.#inspector = new Inspector(ports.patterns, (bytes, lines) => this.#keep(bytes, lines));
    this.#repeats = new Repeats((bytes, lines) => this.#inspector.push(bytes, lines));
    this.#cleaner = new Cleaner({ codes: raw });
    this.#blocks = new LineBlocks({
      block: (block) => this.#take(block),
      overwritten: (bytes) => this.#cleaner.overwritten(bytes),
    }, { overwrites: raw });
    this.#transcoder = new Transcoder((bytes) => this.#blocks.push(bytes), charset);
  }

  push(piece: Uint8Array | string): void {
    if (typeof piece === "string") this.#blocks.push(encoder.encode(piece));
    else this.#transcoder.push(piece);
  }

  #take(block: LineBlock): void {
    const clean = this.#cleaner.clean(block);
    // For good: a line may be held back and come after later ones.
    this.#high ||= clean.high;
    if (this.#request.raw) this.#repeats.push(clean);
    else this.#inspector.push(clean.bytes, clean.lines);
  }

  #keep(bytes: Uint8Array, lines: number): void {
    this.#cut(bytes, lines);
    if (this.#request.readOn !== undefined || this.#ports.readBack === null) return;
    if (this.#spill) return this.#spill.write(bytes);
    this.#pending.push(bytes.slice());
    if (!this.#cutter.exceeded) return;
    this.#spill = this.#ports.spills.begin();
    for (const piece of this.#pending) this.#spill?.write(piece);
    this.#pending = [];
  }

  #cut(bytes: Uint8Array, lines: number): void {
    const from = this.#cutter.takesHead ? 0 : this.#cutter.neededFrom(bytes);
    if (from > 0) {
      const skipped = bytes.subarray(0, from);
      const needed = bytes.subarray(from);
      const text = decoder.decode(needed);
      const chars = this.#high ? charsOf(skipped) : from;
      this.#cutter.skip(chars, lines - (text.split("\n").length - 1));
      this.#cutter.push(text);
    } else this.#cutter.push(decoder.decode(bytes));
  }

  finish(): CollectedText {
    this.#transcoder.finish();
    this.#blocks.finish();
    this.#repeats.finish();
    const { binary, note } = this.#transcoder;
    if (binary !== null) return { text: binary, totalLines: 0, truncated: [], notes: [] };
    const limited = this.#cutter.finish(this.#excerpts());
    const { text, totalLines, totalChars, omittedChars, omittedLines } = limited;
    const { field } = this.#request;
    const cut: Truncation = {
      field,
      total_chars: totalChars,
      omitted_chars: omittedChars,
      omitted_lines: omittedLines,
      read_on: this.#readOn(),
    };
    const truncated = omittedChars === 0 ? [] : [cut];
    const notes = [...(note === null ? [] : [note]), ...notesOf(this.counts)];
    return { text, totalLines, truncated, notes };
  }

  #excerpts(): Excerpts {
    const { firstLine = 1 } = this.#request;
    const { salient } = this.#inspector;
    if (firstLine === null) return NO_EXCERPTS;
    return { lines: salient.ranked(), totals: salient.totals(), firstLine };
  }

  /** What was counted so far. */
  get counts(): StageCounts {
    const { malformed, overwrites, codeChars, overwrittenChars } = this.#cleaner.counts;
    const { lines: repeatedLines, removedChars: repeatedChars } = this.#repeats;
    const { secrets, removedChars: secretChars } = this.#inspector.counts;
    const removedChars = codeChars + overwrittenChars + repeatedChars + secretChars;
    return { malformed, overwrites, repeatedLines, secrets, removedChars };
  }

  #readOn(): string {
    if (this.#request.readOn !== undefined) return this.#request.readOn;
    const { readBack } = this.#ports;
    if (readBack === null || this.#spill === null || this.#spill.length === 0) return NOT_KEPT;
    return readBack(this.#spill);
  }
}

/** Said where the rest of a text is gone. */
export const NOT_KEPT = "The rest is gone: this run can't keep it. Ask for less at once.";
