/**
 * Blocks of bytes as well-formed, clean UTF-8.
 *
 * @module
 */

import { BLOCK_BYTES, type LineBlock, LineScanner } from "./line_blocks.ts";
import { cleanTerminal, type TerminalCounts } from "./terminal.ts";

/** What cleaning took out or replaced. */
export interface CleanCounts extends TerminalCounts {
  /** Malformed sequences, each shown as U+FFFD. */
  malformed: number;
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

const REPLACEMENT = "\ufffd";

const HIGH_CONTROL = /[\x80-\x9f]/;

/** How often a text holds another. */
function countOf(text: string, wanted: string): number {
  return text.split(wanted).length - 1;
}

/** U+FFFD that stands in the bytes themselves. */
function genuineReplacements(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0xef); at !== -1; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd) count++;
  }
  return count;
}

function decodeStrictly(bytes: Uint8Array): string | null {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
}

/** Cleans block by block; one that is clean already costs next to nothing. */
export class Cleaner {
  readonly counts: CleanCounts = {
    malformed: 0,
    codeChars: 0,
    overwrittenChars: 0,
    overwrites: 0,
  };
  /** Each malformed byte of a block can become three. */
  #scanner: LineScanner | undefined;
  readonly #codes: boolean;

  /** @param options Whether terminal codes are taken out; malformed UTF-8 is always repaired. */
  constructor({ codes }: { readonly codes: boolean }) {
    this.#codes = codes;
  }

  /** The same lines, clean; valid until the next call. */
  clean(block: LineBlock): LineBlock {
    const control = block.control && this.#codes;
    if (!block.high && !control) return block;
    const text = block.high ? decodeStrictly(block.bytes) : null;
    const shows = (kept: string) => !this.#codes || !HIGH_CONTROL.test(kept);
    if (text !== null && !control && shows(text)) return block;
    return this.#rewrite(text ?? this.#decode(block.bytes));
  }

  /** Counts a long line's overwritten beginning, which is gone already. */
  overwritten(bytes: Uint8Array): void {
    const text = this.#decode(bytes);
    this.counts.overwrittenChars += text.length;
    this.counts.overwrites += countOf(text, "\r");
  }

  #decode(bytes: Uint8Array): string {
    const text = lenient.decode(bytes);
    if (text.includes(REPLACEMENT)) {
      this.counts.malformed += countOf(text, REPLACEMENT) - genuineReplacements(bytes);
    }
    return text;
  }

  #rewrite(text: string): LineBlock {
    const cleaned = this.#codes ? cleanTerminal(text, this.counts) : text;
    this.#scanner ??= new LineScanner(3 * BLOCK_BYTES);
    const { written } = encoder.encodeInto(cleaned, this.#scanner.bytes);
    this.#scanner.scan(written);
    return this.#scanner.block(written);
  }
}
