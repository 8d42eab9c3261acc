/**
 * What is kept from run to run, in a file of SQLite with full-text search.
 *
 * @module
 */

import {
  type Database,
  DatabaseError,
  type FoundMemories,
  type Memories,
  type Memory,
  MemoryError,
  type SqlRow,
  type SqlValue,
} from "../ports.ts";
import { findRows, type TextTable } from "../retrieval/query.ts";
import { createDatabases } from "./databases.ts";

/** The version of the table; a file of a later one is left alone. */
const SCHEMA_VERSION = 1;

/** Trigrams find parts of words, and text that has no spaces between its words. */
const SCHEMA = `
  CREATE VIRTUAL TABLE memory USING fts5(
    key, value, kind UNINDEXED, updated_ms UNINDEXED, tokenize = 'trigram'
  );
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

const TABLE: TextTable = {
  name: "memory",
  text: "key || ' ' || value",
  order: "updated_ms DESC",
  terms: null,
};

/** Whether there is a file; one that can't be seen is tried, and its failure told. */
function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

function prepare(database: Database, path: string): void {
  const version = Number(database.all("PRAGMA user_version")[0]?.["user_version"] ?? 0);
  if (version === 0) database.exec(SCHEMA);
  else if (version > SCHEMA_VERSION) {
    const message = `"${path}" can't be used: It was written by a newer rein`;
    throw new DatabaseError("unusable", message);
  }
}

function memoryOf(row: SqlRow): Memory {
  return {
    key: String(row["key"]),
    value: String(row["value"]),
    kind: row["kind"] === "preference" ? "preference" : "fact",
    updatedMs: Number(row["updated_ms"]),
  };
}

function select(database: Database, condition: string, value: SqlValue): Memory[] {
  const sql = `SELECT key, value, kind, updated_ms FROM memory WHERE ${condition}`;
  return database.all(sql, value).map(memoryOf);
}

function search(database: Database, query: string, limit: number): FoundMemories {
  const rows = findRows(database, TABLE, { query, limit });
  return {
    memories: rows.flatMap(({ id }) => select(database, "rowid = ?", id)),
    exact: rows.every(({ exact }) => exact),
  };
}

function put(database: Database, memory: Memory): void {
  const { key, value, kind, updatedMs } = memory;
  database.transaction(() => {
    database.run("DELETE FROM memory WHERE key = ?", key);
    const sql = "INSERT INTO memory (key, value, kind, updated_ms) VALUES (?, ?, ?, ?)";
    database.run(sql, key, value, kind, updatedMs);
  });
}

/** Opens the store for one piece of work, so that no other rein waits for this one. */
async function within<T>(path: string, work: (database: Database) => T): Promise<T> {
  let database: Database | undefined;
  try {
    database = await createDatabases(null).open(path);
    prepare(database, path);
    return work(database);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new MemoryError(error.message, { cause: error });
  } finally {
    database?.close();
  }
}

/**
 * Builds the store.
 *
 * @param path The file, made at the first write; null where there is no place for one.
 */
export function createMemories(path: string | null): Memories {
  const writing = <T>(work: (database: Database) => T): Promise<T> =>
    path === null
      ? Promise.reject(new MemoryError("There is no place to keep anything"))
      : within(path, work);
  // Reading makes no file.
  const reading = async <T>(work: (database: Database) => T, nothing: T): Promise<T> =>
    path === null || !exists(path) ? nothing : await within(path, work);
  return {
    path,
    put: (memory) => writing((database) => put(database, memory)),
    remove: (key) =>
      reading((database) => database.run("DELETE FROM memory WHERE key = ?", key) > 0, false),
    get: (key) => reading((database) => select(database, "key = ?", key)[0] ?? null, null),
    search: (query, limit) =>
      reading((database) => search(database, query, limit), { memories: [], exact: true }),
    count: () =>
      reading((database) => Number(database.all("SELECT count(*) AS n FROM memory")[0]?.["n"]), 0),
  };
}
