/**
 * What can still be read of a damaged session.
 *
 * @module
 */

import { type Database, DatabaseError, type Ports } from "../ports.ts";
import type { Event } from "../events.ts";
import { readHeader, type SessionHeader } from "./header.ts";
import { databasePath, walPath } from "./names.ts";
import { rowsInBytes } from "./raw_pages.ts";

/** Bytes that a row takes at the least: a damaged number must not let anyone count to it. */
const MIN_ROW_BYTES = 32;

/** What came of a rescue. */
export interface Rescued {
  /** By their numbers, in order. */
  readonly events: ReadonlyMap<number, Event>;
  /** Numbers up to the last one known that are not there. */
  readonly missing: readonly number[];
  /** Null where it can't be read. */
  readonly header: SessionHeader | null;
}

/** The text as an event, or null where it is none any more. */
function eventIn(text: string): Event | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return null;
    const { type, at } = value as Partial<Record<string, unknown>>;
    return typeof type === "string" && typeof at === "string" ? value as Event : null;
  } catch {
    return null;
  }
}

/** Does the work; null where the data base does not allow it. */
function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof DatabaseError) return null;
    throw error;
  }
}

/** Rows looked up one by one, so that a broken page takes only its own with it. */
function lookUp(database: Database, last: number): Map<number, Event> {
  const events = new Map<number, Event>();
  for (let seq = 1; seq <= last; seq++) {
    const rows = orNull(() => database.all("SELECT body FROM event WHERE seq = ?", seq));
    const event = eventIn(String(rows?.[0]?.["body"] ?? ""));
    if (event !== null) events.set(seq, event);
  }
  return events;
}

function gapsUpTo(last: number, events: ReadonlyMap<number, Event>): number[] {
  return Array.from({ length: last }, (_, index) => index + 1).filter((seq) => !events.has(seq));
}

interface Readable {
  readonly events: ReadonlyMap<number, Event>;
  /** The number of the last event; 0 where that can't be known. */
  readonly last: number;
  readonly header: SessionHeader | null;
}

const NOTHING: Readable = { events: new Map(), last: 0, header: null };

/** What SQLite can read. */
async function throughSqlite(
  folder: string,
  most: number,
  ports: Pick<Ports, "databases">,
): Promise<Readable> {
  let database: Database | null = null;
  try {
    database = await ports.databases.open(databasePath(folder), { readOnly: true });
    const open = database;
    const header = orNull(() => readHeader(open));
    const rows = orNull(() => open.all("SELECT max(seq) AS last FROM event"));
    const last = Math.min(most, Number(rows?.[0]?.["last"] ?? 0));
    return { events: lookUp(open, last), last, header };
  } catch (error) {
    if (error instanceof DatabaseError) return NOTHING;
    throw error;
  } finally {
    database?.close();
  }
}

/**
 * Reads a damaged session without changing it: through SQLite as far as that goes, and what is
 * missing then from the bytes of its files.
 *
 * @throws {FileError} If the files can't be read at all.
 */
export async function rescue(
  folder: string,
  ports: Pick<Ports, "databases" | "folders">,
): Promise<Rescued> {
  const file = ports.folders.read(databasePath(folder));
  const wal = ports.folders.read(walPath(folder));
  const most = Math.ceil((file.length + wal.length) / MIN_ROW_BYTES);
  // SQLite would drop the log beside an empty file.
  const read = file.length === 0 ? NOTHING : await throughSqlite(folder, most, ports);
  const events = new Map(read.events);
  if (read.last === 0 || events.size < read.last) {
    for (const [seq, text] of rowsInBytes(file, wal)) {
      // A number that was damaged belongs to no event: they count from 1.
      const event = seq < 1 || seq > most || events.has(seq) ? null : eventIn(text);
      if (event !== null) events.set(seq, event);
    }
  }
  const ordered = new Map([...events].toSorted(([a], [b]) => a - b));
  const last = Math.max(read.last, ...[...ordered.keys()].slice(-1));
  return { events: ordered, missing: gapsUpTo(last, ordered), header: read.header };
}
