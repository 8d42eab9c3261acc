/**
 * Removing sessions that are not wanted any more.
 *
 * @module
 */

import { FileError } from "../ports.ts";
import { prunableSince, takeLock } from "./lock.ts";
import { lockPath } from "./names.ts";
import { type CatalogPorts, folderOf, rootOf } from "./read.ts";
import { SessionError } from "./session_error.ts";

/** Ended sessions without a name that are kept. Source: a choice; some months of daily use. */
export const KEPT_SESSIONS = 200;

/** Sessions that are removed at the end of one: it must not take long. */
const PRUNED_AT_ONCE = 10;

/**
 * Removes a session with all that belongs to it.
 *
 * @throws {SessionError} `not_found`, or `in_use`.
 * @throws {FileError} If it can't be removed.
 */
export function removeSession(id: string, ports: CatalogPorts): void {
  const folder = folderOf(id, ports);
  const lock = takeLock(id, folder, ports);
  try {
    ports.folders.remove(folder);
  } finally {
    lock.release();
  }
}

/** Sessions without a name that ended with an answer, by what their locks say; newest first. */
function prunable(root: string, names: readonly string[], { folders }: CatalogPorts): string[] {
  const decoder = new TextDecoder();
  const noteOf = (id: string) =>
    quietly("", () => decoder.decode(folders.read(lockPath(`${root}/${id}`))));
  return names
    .map((id) => ({ id, endedMs: prunableSince(noteOf(id)) }))
    .filter(({ endedMs }) => endedMs !== null)
    .sort((a, b) => Number(b.endedMs) - Number(a.endedMs))
    .map(({ id }) => id);
}

/** Removes a session if it still may go once its lock is held; whether it did. */
function pruneOne(root: string, id: string, ports: CatalogPorts): boolean {
  const lock = takeLock(id, `${root}/${id}`, ports);
  try {
    const may = prunableSince(lock.before) !== null;
    if (may) ports.folders.remove(`${root}/${id}`);
    else lock.note(lock.before);
    return may;
  } finally {
    lock.release();
  }
}

/** Does the work; what fails for the disk's or another process's sake fails silently. */
function quietly<T>(otherwise: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof FileError || error instanceof SessionError) return otherwise;
    throw error;
  }
}

/**
 * Removes ended sessions without a name beyond the newest {@linkcode KEPT_SESSIONS}, a few at a
 * time, without opening any. Never throws for what the disk does.
 *
 * @returns How many went.
 */
export function prune(ports: CatalogPorts): number {
  const root = rootOf(ports);
  if (root === null) return 0;
  return quietly(0, () => {
    const names = ports.folders.list(root);
    if (names.length <= KEPT_SESSIONS) return 0;
    const old = prunable(root, names, ports).slice(KEPT_SESSIONS).slice(-PRUNED_AT_ONCE);
    return old.filter((id) => quietly(false, () => pruneOne(root, id, ports))).length;
  });
}
