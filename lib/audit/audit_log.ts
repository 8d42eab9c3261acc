/**
 * Adding to an audit log: one chain, whatever processes add to it.
 *
 * @module
 */

import type { HeldLog, SharedLog } from "../audit_ports.ts";
import type { Ports } from "../ports.ts";
import type { Actor, DraftEntry, EntryBody } from "./entry.ts";
import { nameOf, rotatedPath } from "./log_files.ts";
import { readHead, renderHead } from "./head.ts";
import { type ChainEnd, sealEntry, type Sealing } from "./seal.ts";
import { findTail, type Tail } from "./tail.ts";

/** Bytes of a file before another one is begun. Source: the issue of the audit. */
export const ROTATE_BYTES = 64 * 1024 * 1024;

/** What an audit log is handed. */
export interface LogOptions {
  /** Absolute. */
  readonly path: string;
  /** Seals each entry; null: nothing is sealed. */
  readonly key: Uint8Array | null;
  /** Bytes of a file before another one is begun; {@linkcode ROTATE_BYTES} if left out. */
  readonly rotateBytes?: number;
  /** Who says what the log says of itself. */
  readonly actor: Actor;
}

/** What audit logs need. */
export type LogPorts = Pick<Ports, "logs" | "hashes" | "clock" | "folders">;

const encoder = new TextEncoder();

/** Lines that are ready to be added. */
interface Prepared {
  readonly bytes: Uint8Array;
  readonly end: ChainEnd;
  readonly lines: readonly string[];
}

/** A log to which entries are added. */
export class AuditLog {
  readonly path: string;
  readonly #options: LogOptions;
  readonly #ports: LogPorts;
  readonly #shared: SharedLog;
  readonly #sealing: Sealing;
  /** One after the other, within this process, too. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: LogOptions, ports: LogPorts) {
    this.path = options.path;
    this.#options = options;
    this.#ports = ports;
    this.#shared = ports.logs.open(options.path);
    this.#sealing = { hashes: ports.hashes, key: options.key };
  }

  /**
   * Adds entries, in one write; they are in the file when it resolves.
   *
   * @param durable Whether it waits until they are on the disk.
   * @returns The lines that were added, with what the log had to say of itself.
   * @throws {ForeignFile} If the file is no audit log.
   * @throws {FileError} If it can't be written.
   */
  append(drafts: readonly DraftEntry[], durable: boolean): Promise<readonly string[]> {
    const added = this.#last.then(() =>
      this.#shared.exclusively((log) => this.#add(log, drafts, durable))
    );
    this.#last = added.catch(() => {});
    return added;
  }

  /** Ends using it, once what is on its way is there. */
  async close(): Promise<void> {
    await this.#last;
    this.#shared.close();
  }

  async #add(log: HeldLog, drafts: readonly DraftEntry[], durable: boolean): Promise<string[]> {
    const tail = await findTail(log, await readHead(log.head(), this.#sealing), this.#sealing);
    const prepared = await this.#fitting(log, tail, drafts);
    log.append(prepared.bytes);
    if (durable) log.sync();
    // Said behind it: whoever ends in between leaves a head that is behind, never one ahead.
    const bytes = log.size() ?? prepared.bytes.length;
    log.setHead(await renderHead({ ...prepared.end, bytes }, this.#sealing));
    return [...prepared.lines];
  }

  /** The lines as they fit where the log ends; one that is full makes room first. */
  async #fitting(log: HeldLog, tail: Tail, drafts: readonly DraftEntry[]): Promise<Prepared> {
    const { size, end } = tail;
    const { rotateBytes = ROTATE_BYTES } = this.#options;
    if (size === null || size === 0) return await this.#begun(tail, drafts);
    const prepared = await this.#prepare(tail, [], drafts);
    if (tail.torn || size + prepared.bytes.length <= rotateBytes) return prepared;
    log.moveTo(rotatedPath(this.path, end.seq));
    return await this.#begun({ ...tail, size: null }, drafts);
  }

  /** The lines of a new file. */
  async #begun(tail: Tail, drafts: readonly DraftEntry[]): Promise<Prepared> {
    const before = rotatedPath(this.path, tail.end.seq);
    const continues = this.#ports.folders.info(before) === null ? null : nameOf(before);
    return await this.#prepare(tail, [{ kind: "file_started", continues }], drafts);
  }

  async #prepare(
    { end, torn, recovered }: Tail,
    first: readonly EntryBody[],
    drafts: readonly DraftEntry[],
  ): Promise<Prepared> {
    const own = [...first, ...(recovered === null ? [] : [recovered])];
    const lines: string[] = [];
    let last = end;
    const at = drafts[0]?.at ?? new Date(this.#ports.clock.now()).toISOString();
    for (const draft of [...own.map((body) => this.#said(body, at)), ...drafts]) {
      const sealed = await sealEntry(draft, last, this.#sealing);
      lines.push(sealed.text);
      last = sealed.end;
    }
    const text = `${torn ? "\n" : ""}${lines.map((line) => `${line}\n`).join("")}`;
    return { bytes: encoder.encode(text), end: last, lines };
  }

  /** What the log says of itself. */
  #said(body: EntryBody, at: string): DraftEntry {
    const nowhere = { run_id: null, session: null, trace_id: null, step: 0 };
    return { at, ...this.#options.actor, ...nowhere, ...body };
  }
}
