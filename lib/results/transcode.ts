/**
 * Bytes of any encoding as UTF-8.
 *
 * @module
 */

import { detectEncoding, type Encoding, firstBytes, SAMPLE_BYTES } from "./encoding.ts";

const encoder = new TextEncoder();

/** Takes UTF-8 that may be malformed; valid during the call only. */
export type ByteSink = (bytes: Uint8Array) => void;

/** Hands bytes on as UTF-8 once the first of them show what they are; drops what is no text. */
export class Transcoder {
  readonly #sink: ByteSink;
  readonly #charset: string | undefined;
  #sample = new Uint8Array(SAMPLE_BYTES);
  #sampled = 0;
  #encoding: Encoding | null = null;
  #decoder: TextDecoder | null = null;
  #total = 0;

  /** @param charset What whoever sent the bytes declared. */
  constructor(sink: ByteSink, charset?: string) {
    this.#sink = sink;
    this.#charset = charset;
  }

  /** What the reader should know of the encoding, or null; known at the end. */
  get note(): string | null {
    return this.#encoding?.kind === "text" ? this.#encoding.note : null;
  }

  /** A description of bytes that are no text, or null; known at the end. */
  get binary(): string | null {
    if (this.#encoding?.kind !== "binary") return null;
    const bytes = firstBytes(this.#sample.subarray(0, this.#sampled));
    const size = this.#total.toLocaleString("en-US");
    return `[${this.#encoding.type}, ${size} bytes, beginning ${bytes}]`;
  }

  /** Whether the bytes are known to be no text. */
  get isBinary(): boolean {
    return this.#encoding?.kind === "binary";
  }

  /** Adds bytes that may end anywhere. */
  push(bytes: Uint8Array): void {
    this.#total += bytes.length;
    if (this.#encoding !== null) return this.#hand(bytes);
    const part = bytes.subarray(0, SAMPLE_BYTES - this.#sampled);
    this.#sample.set(part, this.#sampled);
    this.#sampled += part.length;
    if (this.#sampled < SAMPLE_BYTES) return;
    this.#decide();
    this.#hand(bytes.subarray(part.length));
  }

  /** Hands on what is left. */
  finish(): void {
    if (this.#encoding === null) this.#decide();
    if (this.#decoder) this.#sink(encoder.encode(this.#decoder.decode()));
  }

  #decide(): void {
    const sample = this.#sample.subarray(0, this.#sampled);
    const encoding = detectEncoding(sample, this.#charset);
    this.#encoding = encoding;
    if (encoding.kind === "binary") return;
    if (encoding.label !== "utf-8") this.#decoder = new TextDecoder(encoding.label);
    this.#hand(sample.subarray(encoding.markBytes));
  }

  #hand(bytes: Uint8Array): void {
    if (this.isBinary || bytes.length === 0) return;
    if (this.#decoder === null) return this.#sink(bytes);
    this.#sink(encoder.encode(this.#decoder.decode(bytes, { stream: true })));
  }
}
