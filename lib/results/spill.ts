/**
 * Whole outputs that were cut, kept for the rest of the run.
 *
 * @module
 */

import type { SpillFile, SpillFiles } from "../ports.ts";

/** Bytes kept of one output: its beginning. Source: a quarter of a small disk's spare gigabyte. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Bytes kept of all outputs of a run; the oldest go first. */
export const MAX_RUN_BYTES = 1024 * 1024 * 1024;

/** Outputs kept at once: each holds a file open. */
const MAX_OUTPUTS = 64;

/** Bytes read at once. */
const READ_BYTES = 64 * 1024;

/** An output that can be read again. */
export interface KeptOutput {
  readonly id: string;
  /** Whether all of it was kept; else only its beginning. */
  readonly complete: boolean;
  /** Its bytes, clean UTF-8 without secrets, in pieces. */
  read(signal: AbortSignal): AsyncGenerator<Uint8Array>;
}

/** Outputs of a run by their ids. */
export interface KeptOutputs {
  /** Whether this run can keep any. */
  readonly available: boolean;
  /** The output, or null: there is none, or it had to make room. */
  get(id: string): KeptOutput | null;
  /** The ids of what can be read now, the oldest first. */
  ids(): readonly string[];
}

/** One output being written, then read. */
class Spill implements KeptOutput {
  readonly id: string;
  readonly #file: SpillFile;
  length = 0;
  complete = true;

  constructor(id: string, file: SpillFile) {
    this.id = id;
    this.#file = file;
  }

  /** Keeps as much as there is room for; a full disk is like no more room. */
  write(bytes: Uint8Array): void {
    if (!this.complete) return;
    const room = MAX_OUTPUT_BYTES - this.length;
    try {
      this.#file.write(bytes.length > room ? bytes.subarray(0, room) : bytes);
    } catch {
      this.complete = false;
      return;
    }
    this.length += Math.min(room, bytes.length);
    this.complete = bytes.length <= room;
  }

  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(READ_BYTES);
    for (let at = 0; at < this.length;) {
      signal.throwIfAborted();
      const wanted = Math.min(READ_BYTES, this.length - at);
      const count = await this.#file.read(buffer.subarray(0, wanted), at);
      if (count === 0) return;
      at += count;
      yield buffer.slice(0, count);
    }
  }

  close(): void {
    this.#file.close();
  }
}

/** Keeps outputs in files that nobody else can see. */
export class SpillStore implements KeptOutputs {
  readonly #files: SpillFiles;
  readonly #spills = new Map<string, Spill>();
  #count = 0;

  constructor(files: SpillFiles) {
    this.#files = files;
  }

  get available(): boolean {
    return this.#files.available();
  }

  get(id: string): KeptOutput | null {
    return this.#spills.get(id) ?? null;
  }

  ids(): readonly string[] {
    return [...this.#spills.keys()];
  }

  /** Begins an output; null where nothing can be written. */
  begin(): Spill | null {
    const file = this.#files.create();
    if (file === null) return null;
    const spill = new Spill(`out${++this.#count}`, file);
    this.#spills.set(spill.id, spill);
    this.#makeRoom(spill.id);
    return spill;
  }

  /** Ends the run: nothing of it is left. */
  end(): void {
    for (const spill of this.#spills.values()) spill.close();
    this.#spills.clear();
  }

  #makeRoom(newest: string): void {
    const total = () => this.#spills.values().reduce((sum, { length }) => sum + length, 0);
    for (const [id, spill] of this.#spills) {
      const fits = total() + MAX_OUTPUT_BYTES <= MAX_RUN_BYTES && this.#spills.size <= MAX_OUTPUTS;
      if (fits || id === newest) return;
      spill.close();
      this.#spills.delete(id);
    }
  }
}

/** An output being written. */
export type OpenSpill = Spill;
