/**
 * The tables of a session, as numbered steps from version to version.
 *
 * @module
 */

import type { Database } from "../ports.ts";
import { SessionError } from "./session_error.ts";

/**
 * Statements that lead from each version to the next; the first makes an empty file version 1.
 * Steps are only ever added at the end: files out there were made by the earlier ones.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE event (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
   CREATE TABLE header (
     id TEXT NOT NULL,
     named INTEGER NOT NULL,
     created_ms INTEGER NOT NULL,
     updated_ms INTEGER NOT NULL,
     cwd TEXT NOT NULL,
     title TEXT NOT NULL DEFAULT '',
     version TEXT NOT NULL,
     state TEXT NOT NULL DEFAULT 'new',
     steps INTEGER NOT NULL DEFAULT 0,
     input_tokens INTEGER NOT NULL DEFAULT 0,
     output_tokens INTEGER NOT NULL DEFAULT 0,
     missing TEXT NOT NULL DEFAULT '[]'
   );`,
];

/** The version of a file's tables; 0 where there are none yet. */
export function versionOf(database: Database): number {
  return Number(database.all("PRAGMA user_version")[0]?.["user_version"] ?? 0);
}

/**
 * Refuses what a newer rein wrote.
 *
 * @param id The session's id, for the message.
 * @throws {SessionError} `newer`.
 */
export function checkVersion(database: Database, id: string, migrations = MIGRATIONS): void {
  const version = versionOf(database);
  if (version <= migrations.length) return;
  throw new SessionError(
    "newer",
    `Session "${id}" was written by a newer rein (version ${version} of its file; ` +
      `this one knows ${migrations.length})`,
    "Use that rein, or begin another session.",
  );
}

/**
 * Brings a file to the newest version, each step all or nothing.
 *
 * @throws {DatabaseError} If it can't be written.
 */
export function migrate(database: Database, migrations = MIGRATIONS): void {
  const version = versionOf(database);
  migrations.slice(version).forEach((statements, index) =>
    database.transaction(() => {
      database.exec(statements);
      database.exec(`PRAGMA user_version = ${version + index + 1}`);
    })
  );
}
