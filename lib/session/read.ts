/**
 * Reading a session, whoever has it.
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
import { isInUse } from "./lock.ts";
import { checkVersion, versionOf } from "./migrations.ts";
import {
  type Condition,
  conditionOf,
  databasePath,
  isFolderName,
  sessionsFolder,
  walPath,
} from "./names.ts";
import { SessionError } from "./session_error.ts";
import { type NumberedEvent, numberedEvents, storedEvents } from "./store.ts";

/** What the sessions that are there need of the outside world. */
export type CatalogPorts = Pick<Ports, "databases" | "folders" | "clock">;

/** A session by its name and its folder. */
type Place = Pick<SessionInfo, "id" | "folder">;

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
  /** As `events`, after a number. */
  eventsAfter(seq: number): Iterable<NumberedEvent>;
  close(): void;
}

/** Where sessions are; null where there is no place. */
export function rootOf({ databases }: CatalogPorts): string | null {
  return databases.folder === null ? null : sessionsFolder(databases.folder);
}

/** Opens a file, and reads of it; the failure, if there is one. */
async function tried(
  path: string,
  options: DatabaseOptions,
  { databases }: CatalogPorts,
): Promise<Database | DatabaseError> {
  let database: Database | null = null;
  try {
    database = await databases.open(path, options);
    versionOf(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof DatabaseError) return error;
    throw error;
  }
}

/** With others who have it: leaves two files behind, for which a full disk has no room. */
const SHARED: DatabaseOptions = { readOnly: true };

/** Where nobody has it: leaves nothing behind, but whoever wants it meanwhile has to wait. */
const ALONE: DatabaseOptions = { alone: true };

/** Opens a session's file; null where there is none, the failure where it can't be read. */
async function openToRead(
  folder: string,
  ports: CatalogPorts,
): Promise<Database | DatabaseError | null> {
  const path = databasePath(folder);
  // SQLite would drop the log beside an empty file.
  if ((ports.folders.info(path)?.size ?? 0) === 0) return null;
  const opened = await tried(path, SHARED, ports);
  // A log that a killed process left is not to be taken from beside its file.
  const isLogged = (ports.folders.info(walPath(folder))?.size ?? 0) > 0;
  if (!(opened instanceof DatabaseError) || opened.code === "damaged" || isLogged) return opened;
  return await tried(path, ALONE, ports);
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

function infoOf(place: Place, header: SessionHeader | null, ports: CatalogPorts): SessionInfo {
  const { id, folder } = place;
  return { id, folder, condition: conditionOf(id), inUse: inUseQuietly(folder, ports), header };
}

/** The header of a file that nobody has; nothing else of this process runs while it is held. */
async function headerAlone(
  { id, folder }: Place,
  { databases }: CatalogPorts,
): Promise<SessionHeader | null> {
  let database: Database | null = null;
  try {
    database = await databases.open(databasePath(folder), ALONE);
    return headerIn(database, id);
  } catch (error) {
    if (error instanceof DatabaseError) return null;
    throw error;
  } finally {
    database?.close();
  }
}

async function headerShared(place: Place, ports: CatalogPorts): Promise<SessionHeader | null> {
  const opened = await openToRead(place.folder, ports);
  if (opened === null || opened instanceof DatabaseError) return null;
  try {
    return headerIn(opened, place.id);
  } finally {
    opened.close();
  }
}

/** What there is to know of a session without its events. */
export async function glanceAt(place: Place, ports: CatalogPorts): Promise<SessionInfo> {
  const { folders } = ports;
  const isFree = folders.info(walPath(place.folder)) === null &&
    (folders.info(databasePath(place.folder))?.size ?? 0) > 0;
  const header = isFree ? await headerAlone(place, ports) : null;
  return infoOf(place, header ?? await headerShared(place, ports), ports);
}

function inUseQuietly(folder: string, ports: CatalogPorts): boolean {
  try {
    return isInUse(folder, ports);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/**
 * The folder of a session that is there.
 *
 * @throws {SessionError} `not_found`.
 */
export function folderOf(id: string, ports: CatalogPorts): string {
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
    const header = database === null ? null : headerIn(database, id);
    const info = infoOf({ id, folder }, header, ports);
    const readable = header === null ? null : database;
    return {
      info,
      events: () => readable === null ? [] : storedEvents(readable, id),
      eventsAfter: (seq) => readable === null ? [] : numberedEvents(readable, id, seq),
      close: () => database?.close(),
    };
  } catch (error) {
    database?.close();
    throw error;
  }
}
