/**
 * Putting what can be read of a damaged session in its place.
 *
 * @module
 */

import type { Database, Ports } from "../ports.ts";
import { insertHeader, type NewHeader, updateHeader } from "./header.ts";
import { migrate } from "./migrations.ts";
import { databasePath, lockPath, setAside } from "./names.ts";
import { rescue, type Rescued } from "./rescue.ts";

/** Numbers as ranges: `12–14, 20`. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => from === to ? `${from}` : `${from}–${to}`).join(", ");
}

function inWords(id: string, { events, missing }: Rescued, kept: string): string {
  const what = events.size === 0
    ? "and nothing of it could be read"
    : missing.length === 0
    ? `and all that could be seen of it was rescued: ${events.size} events`
    : `${events.size} of ${events.size + missing.length} events were rescued, ` +
      `and these are missing: ${rangesOf(missing)}`;
  return `Session "${id}" was damaged, ${what}; its files are kept in "${kept}"`;
}

/** Writes what was rescued, all or nothing. */
function fill(database: Database, header: NewHeader, rescued: Rescued): void {
  database.exec("PRAGMA journal_mode = WAL");
  migrate(database);
  database.transaction(() => {
    insertHeader(database, header);
    for (const [seq, event] of rescued.events) {
      database.run("INSERT INTO event (seq, body) VALUES (?, ?)", seq, JSON.stringify(event));
      updateHeader(database, event);
    }
  });
}

/** Brings what belongs to the session beside its events, such as kept outputs. */
function moveOthers(from: string, to: string, { folders }: Pick<Ports, "folders">): void {
  const own = [databasePath(from), lockPath(from)];
  for (const name of folders.list(from)) {
    const path = `${from}/${name}`;
    if (!own.some((file) => path.startsWith(file))) folders.rename(path, `${to}/${name}`);
  }
}

/** Makes a session of what was rescued; nothing is left where that fails, as on a full disk. */
async function build(
  folder: string,
  header: NewHeader,
  rescued: Rescued,
  { databases, folders }: Pick<Ports, "databases" | "folders">,
): Promise<void> {
  if (folders.info(folder) !== null) folders.remove(folder);
  folders.make(folder);
  try {
    const database = await databases.open(databasePath(folder));
    try {
      fill(database, header, rescued);
    } finally {
      database.close();
    }
  } catch (error) {
    folders.remove(folder);
    throw error;
  }
}

/**
 * Sets a damaged session aside and puts a new one in its place, with the events that can be read
 * under their old numbers. The caller has the lock of the damaged one.
 *
 * @param header What the new one has where the old header can't be read.
 * @returns What to tell the person, and whether any event was found.
 * @throws {FileError} If the folder can't be renamed, or a new one made.
 * @throws {DatabaseError} If the new one can't be written.
 */
export async function replaceDamaged(
  folder: string,
  header: NewHeader,
  ports: Pick<Ports, "databases" | "folders">,
): Promise<{ readonly notes: readonly string[]; readonly found: boolean }> {
  const rescued = await rescue(folder, ports);
  const { missing } = rescued;
  const slash = folder.lastIndexOf("/");
  // Names that begin with a dot are no sessions: what is left of an attempt does no harm.
  const fresh = `${folder.slice(0, slash)}/.${folder.slice(slash + 1)}.rescued`;
  await build(fresh, { ...header, ...rescued.header, id: header.id, missing }, rescued, ports);
  const day = new Date(header.createdMs).toISOString().slice(0, 10);
  const kept = setAside(folder, `.damaged-${day}`, ports.folders);
  ports.folders.rename(fresh, folder);
  moveOthers(kept, folder, ports);
  const notes = [inWords(header.id, rescued, kept.slice(slash + 1))];
  return { notes, found: rescued.events.size > 0 };
}
