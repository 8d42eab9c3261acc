/**
 * The newest of what a program printed, as it would be on a screen.
 *
 * @module
 */

import { printable } from "./printable.ts";

/** Bytes that are kept: more lines than are ever shown, and what belongs to a secret in them. */
const KEPT_BYTES = 16_000;

const encoder = new TextEncoder();

/** Keeps the end of an output, whatever its length. */
export class OutputTail {
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  /** Whether something before the pieces is gone. */
  #cut = false;

  /** Takes a piece, which may be used again afterwards. */
  push(piece: Uint8Array | string): void {
    const bytes = typeof piece === "string" ? encoder.encode(piece) : piece;
    if (bytes.length > KEPT_BYTES) this.#cut = true;
    const end = bytes.slice(-KEPT_BYTES);
    this.#pieces.push(end);
    this.#bytes += end.length;
    // All but the first piece are enough.
    while (this.#bytes - (this.#pieces[0]?.length ?? 0) >= KEPT_BYTES) {
      this.#bytes -= this.#pieces.shift()?.length ?? 0;
      this.#cut = true;
    }
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#cut = false;
  }

  /**
   * The last lines that have something in them, without control characters.
   *
   * @param redact Takes secrets out of a text.
   */
  lines(count: number, redact: (text: string) => string): string[] {
    const bytes = new Uint8Array(this.#bytes);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    const text = new TextDecoder().decode(bytes);
    // Where its beginning is gone, a line may be half a secret.
    const whole = this.#cut ? text.slice(text.indexOf("\n") + 1) : text;
    return redact(whole).split("\n").map(onScreen).filter((line) => line !== "").slice(-count);
  }
}

/** A line as it is once what was overwritten is gone. */
function onScreen(line: string): string {
  const last = line.split("\r").findLast((part) => part.trim() !== "") ?? "";
  // deno-lint-ignore no-control-regex -- control characters are what this is about
  return printable(last.replace(/\x1b\[[0-9;?]*[ -/]*[@-~]/g, "")).replaceAll("\t", " ").trimEnd();
}
