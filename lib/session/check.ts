/**
 * Whether a session's file is whole.
 *
 * @module
 */

import { type Database, DatabaseError, type Ports } from "../ports.ts";
import { readHeader } from "./header.ts";
import { checkVersion, MIGRATIONS, versionOf } from "./migrations.ts";
import { databasePath, walPath } from "./names.ts";

const TABLES = "SELECT 1 FROM sqlite_schema WHERE name IN ('event', 'header')";

/** Works with a file without changing it. */
async function looking<T>(
  folder: string,
  { databases }: Pick<Ports, "databases">,
  look: (database: Database) => T,
): Promise<T> {
  const database = await databases.open(databasePath(folder), { readOnly: true });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

function holdsNothing(database: Database): boolean {
  if (versionOf(database) > MIGRATIONS.length) return false;
  const tables = database.all(TABLES).length;
  if (tables < 2) return tables === 0;
  return database.all("SELECT 1 FROM header UNION ALL SELECT 1 FROM event LIMIT 1").length === 0;
}

/**
 * Whether nothing was ever stored: a process ended while it made the session.
 *
 * @throws {DatabaseError} `damaged`, or another if it can't be read.
 */
export async function isEmpty(
  folder: string,
  ports: Pick<Ports, "databases" | "folders">,
): Promise<boolean> {
  const [file, wal] = [databasePath(folder), walPath(folder)]
    .map((path) => ports.folders.info(path)?.size ?? 0);
  if (file !== 0) return await looking(folder, ports, holdsNothing);
  if (wal === 0) return true;
  // To open it would lose the log: SQLite drops one that stands beside an empty file.
  throw new DatabaseError("damaged", `"${databasePath(folder)}" is empty`);
}

/** What SQLite does not see: text that is none any more, and rows that are gone. */
function hasFault(database: Database): boolean {
  if (database.all(TABLES).length < 2) return true;
  const header = readHeader(database);
  if (header === null) return true;
  const [counts] = database.all(
    `SELECT count(*) AS found, coalesce(max(seq), 0) AS last,
       coalesce(sum(json_valid(body)), 0) AS valid FROM event`,
  );
  const found = Number(counts?.["found"]);
  return Number(counts?.["valid"]) !== found ||
    Number(counts?.["last"]) !== found + header.missing.length;
}

/**
 * Checks a session's file, all of it, without changing it.
 *
 * @throws {SessionError} `newer`.
 * @throws {DatabaseError} `damaged`, or another if it can't be read.
 */
export async function verify(
  id: string,
  folder: string,
  ports: Pick<Ports, "databases">,
): Promise<void> {
  await looking(folder, ports, (database) => {
    checkVersion(database, id);
    const [result] = database.all("PRAGMA quick_check(1)");
    if (result?.["quick_check"] === "ok" && !hasFault(database)) return;
    throw new DatabaseError("damaged", `"${databasePath(folder)}" is damaged`);
  });
}
