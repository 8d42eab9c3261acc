/**
 * The undo of a session: keeps files before they are changed, and restores them.
 *
 * @module
 */

import { posix } from "node:path";
import type { Event } from "../events.ts";
import { DatabaseError, FileError, type Files, type Ports } from "../ports.ts";
import { hashOf, KeptChanges } from "./kept_changes.ts";
import { currentOf, planUndo, type UndoPlan } from "./plan.ts";

/** What the undo of a session needs. */
export type UndoPorts = Pick<Ports, "databases" | "files" | "folders">;

/** A session, as far as undoing goes. */
export interface UndoSession {
  /** Where it is kept; null: in memory, and then so is what is kept here. */
  readonly folder: string | null;
}

/** How it is made. */
export interface UndoOptions {
  /** Is told, once, that changes can't be undone from here on. */
  readonly warn: (text: string) => void;
}

/** The file of a session's kept changes. */
export function undoPath(folder: string): string {
  return `${folder}/undo.db`;
}

/** Whether a session ever changed a file, by its folder alone. */
export function hasChanges(folder: string, { folders }: Pick<Ports, "folders">): boolean {
  return folders.info(undoPath(folder)) !== null;
}

/** Where a run is. */
interface Place {
  readonly runId: string;
  readonly step: number;
  readonly callId: string;
}

/** Keeps and restores; one for a session, for as long as it is open. */
export class UndoLog {
  readonly #session: UndoSession;
  readonly #ports: UndoPorts;
  readonly #warn: UndoOptions["warn"];
  #kept: KeptChanges | null = null;
  #place: Place = { runId: "", step: 0, callId: "" };
  #broken = false;

  constructor(session: UndoSession, ports: UndoPorts, { warn }: UndoOptions) {
    this.#session = session;
    this.#ports = ports;
    this.#warn = warn;
  }

  /** Follows a run: what changes next belongs to the call that began last. */
  event(event: Event): Promise<void> {
    if (event.type === "call_started") {
      this.#place = { runId: event.run_id, step: event.step, callId: event.call_id };
    }
    return Promise.resolve();
  }

  /** The file system for tools: what a file held is kept before it is replaced. */
  get files(): Files {
    const { files } = this.#ports;
    return {
      ...files,
      replace: async (path, bytes, options) => {
        await this.#keep(path, bytes);
        await files.replace(path, bytes, options);
      },
    };
  }

  async #keep(path: string, bytes: Uint8Array): Promise<void> {
    if (this.#broken) return;
    try {
      const { files } = this.#ports;
      const current = await currentOf(files, path);
      const change = {
        ...this.#place,
        path: posix.resolve(files.cwd(), path),
        before: current === null ? null : await hashOf(current.bytes),
        mode: current?.mode ?? null,
        after: await hashOf(bytes),
      };
      (await this.#open()).add(change, current?.bytes ?? null);
    } catch (error) {
      // What can't be read can't be replaced either, which then says why.
      if (error instanceof FileError) return;
      if (!(error instanceof DatabaseError)) throw error;
      this.#broken = true;
      this.#warn(`changes of files can't be undone from here on: ${error.message}`);
    }
  }

  async #open(): Promise<KeptChanges> {
    if (this.#kept !== null) return this.#kept;
    const { folder } = this.#session;
    const path = folder === null ? null : undoPath(folder);
    return this.#kept = new KeptChanges(await this.#ports.databases.open(path));
  }

  /**
   * What undoing would do now.
   *
   * @returns Null where nothing is left to be undone.
   * @throws {DatabaseError} If what was kept can't be read.
   */
  async plan(): Promise<UndoPlan | null> {
    const { folder } = this.#session;
    if (this.#kept === null && (folder === null || !hasChanges(folder, this.#ports))) return null;
    return await planUndo(await this.#open(), this.#ports.files);
  }

  /**
   * Restores what a plan names: contents and modes; files that the run made are removed. It may be
   * interrupted anywhere, and done again.
   *
   * @throws {TypeError} If a file of the plan has a fault.
   * @throws {FileError} If a file can't be restored; those before it are.
   */
  async apply({ runId, files: planned }: UndoPlan): Promise<void> {
    if (planned.some(({ fault }) => fault !== null)) throw new TypeError("A plan with faults");
    const kept = await this.#open();
    const { files } = this.#ports;
    for (const { path, before, mode } of planned) {
      if (before === null) await files.remove(path);
      else {
        const as = mode === null ? {} : { mode };
        await files.replace(path, before, { makeParents: false, ...as });
      }
    }
    kept.markUndone(runId);
  }

  /** Ends it; never throws. */
  close(): void {
    try {
      this.#kept?.close();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
    this.#kept = null;
  }
}
