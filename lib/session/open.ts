/**
 * Opening a session: a new one or one that is there, on the disk or in memory.
 *
 * @module
 */

import { type Database, DatabaseError, FileError, type FolderLock, type Ports } from "../ports.ts";
import type { Event } from "../events.ts";
import { isEmpty, verify } from "./check.ts";
import { insertHeader, type NewHeader, readHeader } from "./header.ts";
import { missesItsEnd, takeLock, wasBroken } from "./lock.ts";
import { migrate } from "./migrations.ts";
import {
  checkName,
  conditionOf,
  databasePath,
  isFolderName,
  sessionsFolder,
  walPath,
} from "./names.ts";
import { replaceDamaged } from "./replace_damaged.ts";
import { SessionError } from "./session_error.ts";
import { EventStore, type Session } from "./store.ts";

/** What sessions need of the outside world. */
export type SessionPorts = Pick<Ports, "databases" | "folders" | "clock" | "newId">;

/** Which session is wanted. */
export interface OpenRequest {
  /** Its name; null: a new one gets an id. */
  readonly id: string | null;
  /** Whether it is made where it is missing; otherwise it must be there. */
  readonly create: boolean;
  /** Whether a person named it; such ones are never pruned. */
  readonly named: boolean;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** Whether it is kept on the disk, where it can be. */
  readonly keep: boolean;
  /** Takes secrets out of an event before it is stored. */
  readonly redact: (event: Event) => Event;
  /** Is told, once, that the session is no longer kept: the disk is full, or writing forbidden. */
  readonly onFailure: (message: string) => void;
}

/** A session, and what the person should know about it. */
export interface OpenedSession {
  readonly session: Session;
  /** Sentences without a full stop; mostly none. */
  readonly notes: readonly string[];
}

/** A data base that can be written, and how it came to be. */
interface Prepared {
  readonly database: Database;
  readonly fresh: boolean;
  readonly notes: readonly string[];
  readonly lock: FolderLock;
}

/** Where and what. */
interface Place {
  readonly id: string;
  readonly folder: string;
}

function newHeader(id: string, request: OpenRequest, ports: SessionPorts): NewHeader {
  const { named, cwd } = request;
  return { id, named, cwd, createdMs: ports.clock.now(), missing: [] };
}

async function inMemory(
  request: OpenRequest,
  ports: SessionPorts,
  notes: readonly string[],
): Promise<OpenedSession> {
  const database = await ports.databases.open(null);
  migrate(database);
  insertHeader(database, newHeader(request.id ?? "", request, ports));
  const { redact, onFailure } = request;
  const parts = { id: null, folder: null, database, lock: null, fresh: true, redact, onFailure };
  return { session: new EventStore(parts, ports), notes };
}

/** Makes the tables of a new session; what waits for the disk comes with the first durable event. */
async function setUp(place: Place, request: OpenRequest, ports: SessionPorts): Promise<Database> {
  const database = await ports.databases.open(databasePath(place.folder));
  try {
    database.exec("PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL");
    migrate(database);
    if (readHeader(database) === null) {
      insertHeader(database, newHeader(place.id, request, ports));
    }
    database.exec("PRAGMA synchronous = NORMAL");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens what is there for writing, and brings it to the newest version. */
async function openThere({ folder }: Place, ports: SessionPorts): Promise<Database> {
  const database = await ports.databases.open(databasePath(folder));
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function incomplete(id: string, folderName: string): SessionError {
  return new SessionError(
    "incomplete",
    `Session "${id}" misses its end, since it could not be written any more, ` +
      "and can't be gone on with",
    `See "rein sessions show ${folderName}"; once that is removed, the name is free.`,
  );
}

/** Opens under the lock; a damaged one is replaced by what can be read of it. */
async function prepare(
  place: Place,
  request: OpenRequest,
  lock: FolderLock,
  ports: SessionPorts,
): Promise<Prepared> {
  if (missesItsEnd(lock)) throw incomplete(place.id, place.id);
  const logGone = wasBroken(lock) && ports.folders.info(walPath(place.folder)) === null;
  try {
    if (await isEmpty(place.folder, ports)) {
      if (!request.create) throw nothingIn(place.id);
      return { database: await setUp(place, request, ports), fresh: true, notes: [], lock };
    }
    await verify(place.id, place.folder, ports);
    const notes = logGone
      ? [`Session "${place.id}" may miss its newest events: the log beside its file is gone`]
      : [];
    return { database: await openThere(place, ports), fresh: false, notes, lock };
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== "damaged") throw error;
    return await replaced(place, request, lock, ports);
  }
}

async function replaced(
  place: Place,
  request: OpenRequest,
  lock: FolderLock,
  ports: SessionPorts,
): Promise<Prepared> {
  const header = newHeader(place.id, request, ports);
  const { notes, found } = await replaceDamaged(place.folder, header, ports);
  lock.release();
  if (!found && !request.create) {
    removeQuietly(place.folder, ports);
    throw new SessionError("damaged", notes.join(". "), "Begin another session.");
  }
  const held = takeLock(place.id, place.folder, ports);
  return { database: await openThere(place, ports), fresh: false, notes, lock: held };
}

function nothingIn(id: string): SessionError {
  return new SessionError(
    "empty",
    `Session "${id}" holds nothing: it ended before it began`,
    `Remove it with "rein sessions remove ${id}".`,
  );
}

/** Opens a folder that is there or is to be made. */
async function openFolder(
  place: Place,
  request: OpenRequest,
  ports: SessionPorts,
): Promise<OpenedSession> {
  const lock = takeLock(place.id, place.folder, ports);
  let held = lock;
  try {
    const { database, fresh, notes, lock: now } = await prepare(place, request, lock, ports);
    held = now;
    const { redact, onFailure } = request;
    const parts = { ...place, database, lock: held, fresh, redact, onFailure };
    return { session: new EventStore(parts, ports), notes };
  } catch (error) {
    held.note(held.before);
    held.release();
    throw error;
  }
}

/** A failure of the world, in the words of sessions; anything else as it is. */
function asSessionError(id: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError || error instanceof FileError)) return error;
  const message = `Session "${id}" can't be opened: ${error.message}`;
  return new SessionError("unusable", message, "Check the disk and its permissions.", error);
}

/** Makes a session; where that can't be, it is kept in memory. */
async function make(
  place: Place,
  request: OpenRequest,
  ports: SessionPorts,
): Promise<OpenedSession> {
  try {
    ports.folders.make(place.folder);
    return await openFolder(place, request, ports);
  } catch (error) {
    if (!(error instanceof DatabaseError || error instanceof FileError)) throw error;
    removeQuietly(place.folder, ports);
    return await inMemory(request, ports, [notKept(error.message)]);
  }
}

function notKept(reason: string): string {
  return `This session is not kept, and can't be resumed: ${reason}`;
}

function removeQuietly(folder: string, { folders }: SessionPorts): void {
  try {
    if (folders.info(folder) !== null) folders.remove(folder);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
}

function notFound(id: string): SessionError {
  const hint = 'See "rein sessions list".';
  return new SessionError("not_found", `There is no session "${id}"`, hint);
}

/** Opens a session at its place, which is made where that is asked for. */
async function openAt(
  place: Place,
  request: OpenRequest,
  ports: SessionPorts,
): Promise<OpenedSession> {
  const { id, folder } = place;
  if (conditionOf(id) !== "whole") throw setAsideError(id);
  let there: boolean;
  try {
    there = ports.folders.info(folder) !== null;
    if (!there && ports.folders.info(`${folder}.incomplete`) !== null) {
      throw incomplete(id, `${id}.incomplete`);
    }
  } catch (error) {
    if (!(error instanceof FileError) || !request.create) throw error;
    return await inMemory(request, ports, [notKept(error.message)]);
  }
  if (there) return await openFolder(place, request, ports);
  if (!request.create) throw notFound(id);
  return await make(place, request, ports);
}

/**
 * Opens a session and takes its lock. Without a place to keep it, or where none can be made, it is
 * in memory.
 *
 * @throws {SessionError} If it is not there, is in use, was written by a newer rein, or misses its
 * end.
 */
export async function openSession(
  request: OpenRequest,
  ports: SessionPorts,
): Promise<OpenedSession> {
  if (request.id !== null && request.create) checkName(request.id);
  const state = request.keep ? ports.databases.folder : null;
  const id = request.id ?? ports.newId();
  if (state === null) {
    if (!request.create) throw notFound(id);
    const note = "This session is not kept: there is no place for it";
    return await inMemory(request, ports, request.keep && request.named ? [note] : []);
  }
  if (!isFolderName(id)) throw notFound(id);
  try {
    return await openAt({ id, folder: `${sessionsFolder(state)}/${id}` }, request, ports);
  } catch (error) {
    throw asSessionError(id, error);
  }
}

function setAsideError(id: string): SessionError {
  if (conditionOf(id) === "incomplete") return incomplete(id, id);
  const message = `Session "${id}" is damaged, and what could be read of it was put in its place`;
  return new SessionError("damaged", message, `See "rein sessions show ${id}".`);
}
