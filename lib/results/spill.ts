/**
 * Whole outputs that were cut, kept for the rest of the run or of its session.
 *
 * @module
 */

import type { KeptSpill, SpillFile, SpillFiles } from "../ports.ts";

/** Bytes kept of one output: its beginning. Source: a quarter of a small disk's spare gigabyte. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Bytes kept of all outputs of a run; the oldest go first. */
export const MAX_RUN_BYTES = 1024 * 1024 * 1024;

/** Bytes of outputs that stay with a session when its run ends; the oldest go first. */
export const MAX_KEPT_BYTES = 16 * 1024 * 1024;

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
  /** Null: an earlier process left it, and nobody has read it yet. */
  #file: SpillFile | null;
  readonly #files: SpillFiles;
  length = 0;
  complete = true;

  constructor(id: string, files: SpillFiles, file: SpillFile | null) {
    this.id = id;
    this.#files = files;
    this.#file = file;
  }

  /** What an earlier process has left. */
  static of({ id, length, complete }: KeptSpill, files: SpillFiles): Spill {
    return Object.assign(new Spill(id, files, null), { length, complete });
  }

  /** Keeps as much as there is room for; a full disk is like no more room. */
  write(bytes: Uint8Array): void {
    if (!this.complete || this.#file === null) return;
    const room = MAX_OUTPUT_BYTES - this.length;
    try {
      this.#file.write(bytes.length > room ? bytes.subarray(0, room) : bytes);
    } catch {
      this.#cutOff();
      return;
    }
    this.length += Math.min(room, bytes.length);
    if (bytes.length > room) this.#cutOff();
  }

  #cutOff(): void {
    this.complete = false;
    this.#file?.markIncomplete();
  }

  async *read(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const buffer = new Uint8Array(READ_BYTES);
    const file = this.#file ??= this.#files.open(this.id);
    if (file === null) return;
    for (let at = 0; at < this.length;) {
      signal.throwIfAborted();
      const wanted = Math.min(READ_BYTES, this.length - at);
      const count = await file.read(buffer.subarray(0, wanted), at);
      if (count === 0) return;
      at += count;
      yield buffer.slice(0, count);
    }
  }

  close(): void {
    this.#file?.close();
  }

  remove(): void {
    (this.#file ?? this.#files.open(this.id))?.remove();
  }
}

/** Keeps outputs in files that no other user can see. */
export class SpillStore implements KeptOutputs {
  readonly #files: SpillFiles;
  readonly #spills = new Map<string, Spill>();
  #count = 0;

  constructor(files: SpillFiles) {
    this.#files = files;
    for (const kept of files.kept()) {
      this.#spills.set(kept.id, Spill.of(kept, files));
      this.#count = Math.max(this.#count, Number(kept.id.replace(/^\D+/, "")));
    }
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
    const id = `out${this.#count + 1}`;
    const file = this.#files.create(id);
    if (file === null) return null;
    this.#count++;
    const spill = new Spill(id, this.#files, file);
    this.#spills.set(spill.id, spill);
    this.#makeRoom(spill.id);
    return spill;
  }

  /** Ends the run: nothing is left, or with a session as much as it may keep. */
  end(): void {
    let bytes = 0;
    for (const spill of [...this.#spills.values()].toReversed()) {
      bytes += spill.length;
      if (bytes > MAX_KEPT_BYTES) spill.remove();
      else spill.close();
    }
    this.#spills.clear();
  }

  #makeRoom(newest: string): void {
    const total = () => this.#spills.values().reduce((sum, { length }) => sum + length, 0);
    for (const [id, spill] of this.#spills) {
      const fits = total() + MAX_OUTPUT_BYTES <= MAX_RUN_BYTES && this.#spills.size <= MAX_OUTPUTS;
      if (fits || id === newest) return;
      spill.remove();
      this.#spills.delete(id);
    }
  }
}

/** An output being written. */
export type OpenSpill = Spill;
