/**
 * Whether a session's file is whole.
 *
 * @module
 */

import { type Database, DatabaseError, type Ports } from "../ports.ts";
import { readHeader } from "./header.ts";
import { checkVersion } from "./migrations.ts";

/** What SQLite does not see: text that is none any more, and rows that are gone. */
function hasFault(database: Database): boolean {
  const tables = "SELECT 1 FROM sqlite_schema WHERE name IN ('event', 'header')";
  if (database.all(tables).length < 2) return true;
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

function check(id: string, path: string, database: Database): void {
  checkVersion(database, id);
  const [result] = database.all("PRAGMA quick_check(1)");
  if (result?.["quick_check"] === "ok" && !hasFault(database)) return;
  throw new DatabaseError("damaged", `"${path}" is damaged`);
}

/**
 * Checks a file without changing it.
 *
 * @throws {SessionError} `newer`.
 * @throws {DatabaseError} `damaged`, or another if it can't be read.
 */
export async function verify(
  id: string,
  path: string,
  { databases }: Pick<Ports, "databases">,
): Promise<void> {
  const database = await databases.open(path, { readOnly: true });
  try {
    check(id, path, database);
  } finally {
    database.close();
  }
}
