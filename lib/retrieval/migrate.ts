/**
 * Tables that several parts have in one data base, each with a version of its own.
 *
 * @module
 */

import { type Database, DatabaseError } from "../ports.ts";

const VERSIONS = `
  CREATE TABLE IF NOT EXISTS retrieval_version (part TEXT PRIMARY KEY, version INTEGER NOT NULL)
`;

function versionOf(database: Database, part: string): number {
  const rows = database.all("SELECT version FROM retrieval_version WHERE part = ?", part);
  return Number(rows[0]?.["version"] ?? 0);
}

/**
 * Brings the tables of one part up to date.
 *
 * @param steps Statements that make each version from the one before; steps are only ever added.
 * @throws {DatabaseError} If the data base can't be used, or has a later version.
 */
export function migrate(database: Database, part: string, steps: readonly string[]): void {
  const known = database.all("SELECT 1 FROM sqlite_master WHERE name = 'retrieval_version'");
  const version = known.length === 0 ? 0 : versionOf(database, part);
  if (version > steps.length) {
    throw new DatabaseError("unusable", `It was written by a newer rein (${part} ${version})`);
  }
  if (version === steps.length) return;
  database.transaction(() => {
    database.exec(VERSIONS);
    // Another process may have been faster.
    for (const step of steps.slice(versionOf(database, part))) database.exec(step);
    database.run("REPLACE INTO retrieval_version VALUES (?, ?)", part, steps.length);
  });
}
