/**
 * The sessions that are there: listed, found, read, removed, pruned.
 *
 * @module
 */

import {
  type Database,
  DatabaseError,
  type DatabaseOptions,
  FileError,
  type Ports,
} from "../ports.ts";
import type { Event } from "../events.ts";
import { readHeader, type SessionHeader } from "./header.ts";
import { isInUse, prunableSince, takeLock } from "./lock.ts";
import { checkVersion, versionOf } from "./migrations.ts";
import {
  type Condition,
  conditionOf,
  databasePath,
  isFolderName,
  lockPath,
  sessionsFolder,
  walPath,
} from "./names.ts";
import { SessionError } from "./session_error.ts";
import { storedEvents } from "./store.ts";

/** Answered sessions without a name that are kept. Source: a choice; some months of daily use. */
export const KEPT_SESSIONS = 200;

/** Sessions that are removed at the end of one: it must not take long. */
const PRUNED_AT_ONCE = 10;

/** What the sessions that are there need of the outside world. */
export type CatalogPorts = Pick<Ports, "databases" | "folders" | "clock">;

/** One session that is there. */
export interface SessionInfo {
  /** The name of its folder: its id, with an ending where it was set aside. */
  readonly id: string;
  readonly folder: string;
  readonly condition: Condition;
  /** Whether a process has it now. */
  readonly inUse: boolean;
  /** Null where it can't be read: it is damaged, empty, or of a newer rein. */
  readonly header: SessionHeader | null;
}

/** A session that is read while others may write it. */
export interface StoredSession {
  readonly info: SessionInfo;
  /**
   * Its events as they were stored.
   *
   * @throws {SessionError} `damaged`, if one can't be read.
   */
  events(): Iterable<Event>;
  close(): void;
}

interface Found {
  readonly id: string;
  readonly folder: string;
  readonly modifiedMs: number;
}

/** Where sessions are; null where there is no place. */
function rootOf({ databases }: CatalogPorts): string | null {
  return databases.folder === null ? null : sessionsFolder(databases.folder);
}

/** When a session was last written; looking at one leaves an empty log beside its file. */
function writtenMs(folder: string, { folders }: CatalogPorts): number {
  const file = folders.info(databasePath(folder));
  const wal = folders.info(walPath(folder));
  return Math.max(file?.modifiedMs ?? 0, wal === null || wal.size === 0 ? 0 : wal.modifiedMs);
}

/** All folders of sessions, without opening one; the last written first. */
function foldersFound(ports: CatalogPorts): Found[] {
  const root = rootOf(ports);
  if (root === null) return [];
  return ports.folders.list(root)
    .filter((id) => !id.startsWith(".") && ports.folders.info(`${root}/${id}`)?.kind === "folder")
    .map((id) => ({ id, folder: `${root}/${id}`, modifiedMs: 0 }))
    .map((found) => ({ ...found, modifiedMs: writtenMs(found.folder, ports) }))
    .sort((a, b) => b.modifiedMs - a.modifiedMs || (a.id < b.id ? -1 : 1));
}

/** Opens a file for reading alone, and reads of it; the failure, if there is one. */
async function tried(
  path: string,
  options: DatabaseOptions,
  { databases }: CatalogPorts,
): Promise<Database | DatabaseError> {
  let database: Database | null = null;
  try {
    database = await databases.open(path, { ...options, readOnly: true });
    versionOf(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof DatabaseError) return error;
    throw error;
  }
}

/** Opens a session's file for reading alone; null where there is none. */
async function openToRead(
  folder: string,
  ports: CatalogPorts,
): Promise<Database | DatabaseError | null> {
  const [file, wal] = [databasePath(folder), walPath(folder)]
    .map((path) => ports.folders.info(path)?.size ?? 0);
  // SQLite would drop the log beside an empty file.
  if (file === 0) return null;
  const opened = await tried(databasePath(folder), {}, ports);
  // Reading, too, needs room for a file of SQLite's own, unless there is no log to be heeded.
  const noRoom = opened instanceof DatabaseError && opened.code !== "damaged" && wal === 0;
  return noRoom ? await tried(databasePath(folder), { unchanging: true }, ports) : opened;
}

function headerIn(database: Database, id: string): SessionHeader | null {
  try {
    checkVersion(database, id);
    return readHeader(database);
  } catch (error) {
    if (error instanceof DatabaseError || error instanceof SessionError) return null;
    throw error;
  }
}

function infoOf(
  { id, folder }: Pick<Found, "id" | "folder">,
  database: Database | DatabaseError | null,
  ports: CatalogPorts,
): SessionInfo {
  const unread = database === null || database instanceof DatabaseError;
  const header = unread ? null : headerIn(database, id);
  return { id, folder, condition: conditionOf(id), inUse: inUseQuietly(folder, ports), header };
}

function inUseQuietly(folder: string, ports: CatalogPorts): boolean {
  try {
    return isInUse(folder, ports);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** The sessions one by one, the last written first: who has seen enough opens no more. */
async function* newestFirst(ports: CatalogPorts): AsyncGenerator<SessionInfo> {
  for (const found of foldersFound(ports)) {
    const database = await openToRead(found.folder, ports);
    try {
      yield infoOf(found, database, ports);
    } finally {
      if (!(database instanceof DatabaseError)) database?.close();
    }
  }
}

/**
 * The sessions that are there, the newest first; none where there is no place for any. Reads
 * headers alone.
 *
 * @param limit How many at the most.
 * @throws {FileError} If the folder can't be read.
 */
export async function listSessions(
  ports: CatalogPorts,
  limit: number = Infinity,
): Promise<SessionInfo[]> {
  const infos: SessionInfo[] = [];
  for await (const info of newestFirst(ports)) {
    if (infos.push(info) >= limit) break;
  }
  const newest = ({ header }: SessionInfo) => header?.updatedMs ?? 0;
  return infos.sort((a, b) => newest(b) - newest(a) || (a.id < b.id ? -1 : 1));
}

/**
 * How many sessions there are, without opening one.
 *
 * @throws {FileError} If the folder can't be read.
 */
export function countSessions(ports: CatalogPorts): number {
  return foldersFound(ports).length;
}

/** Which session is looked for. */
export interface LatestQuery {
  /** The working directory in which it began. */
  readonly cwd: string;
  /** Whether only one that did not end with an answer, and that nobody has, will do. */
  readonly unfinished: boolean;
}

/**
 * The newest session of a directory that can be gone on with, or null.
 *
 * @throws {FileError} If the folder can't be read.
 */
export async function findLatest(
  { cwd, unfinished }: LatestQuery,
  ports: CatalogPorts,
): Promise<SessionInfo | null> {
  for await (const info of newestFirst(ports)) {
    const { header, condition, inUse } = info;
    if (header === null || condition !== "whole" || header.cwd !== cwd) continue;
    if (!unfinished) return info;
    if (!inUse && header.state !== "answered" && header.state !== "new") return info;
  }
  return null;
}

/** The folder of a session that is there. */
function folderOf(id: string, ports: CatalogPorts): string {
  const root = rootOf(ports);
  if (root !== null && isFolderName(id) && ports.folders.info(`${root}/${id}`)?.kind === "folder") {
    return `${root}/${id}`;
  }
  const hint = 'See "rein sessions list".';
  throw new SessionError("not_found", `There is no session "${id}"`, hint);
}

function unreadable(id: string, cause: DatabaseError): SessionError {
  if (cause.code !== "damaged") {
    const message = `Session "${id}" can't be read: ${cause.message}`;
    return new SessionError("unusable", message, "Check the disk and its permissions.", cause);
  }
  const hint = conditionOf(id) === "damaged"
    ? "What could be read of it is in the session without that ending."
    : "What can be read of it is rescued when it is resumed.";
  return new SessionError("damaged", `Session "${id}" can't be read`, hint, cause);
}

/**
 * Opens a session for reading alone, whoever has it, and whatever was set aside.
 *
 * @throws {SessionError} `not_found`, `newer`, `damaged` or `unusable`.
 */
export async function readSession(id: string, ports: CatalogPorts): Promise<StoredSession> {
  const folder = folderOf(id, ports);
  const database = await openToRead(folder, ports);
  if (database instanceof DatabaseError) throw unreadable(id, database);
  try {
    if (database !== null) checkVersion(database, id);
    const info = infoOf({ id, folder }, database, ports);
    return {
      info,
      events: () => database === null || info.header === null ? [] : storedEvents(database, id),
      close: () => database?.close(),
    };
  } catch (error) {
    database?.close();
    throw error;
  }
}

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
 * Removes answered sessions without a name beyond the newest {@linkcode KEPT_SESSIONS}, a few at a
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
