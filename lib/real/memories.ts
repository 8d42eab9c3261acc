/**
 * What is kept from run to run, in a file of SQLite with full-text search.
 *
 * @module
 */

import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { type FoundMemories, type Memories, type Memory, MemoryError } from "../ports.ts";

/** The version of the table; a file of a later one is left alone. */
const SCHEMA_VERSION = 1;

/** Trigrams find parts of words, and text that has no spaces between its words. */
const SCHEMA = `
  CREATE VIRTUAL TABLE memory USING fts5(
    key, value, kind UNINDEXED, updated_ms UNINDEXED, tokenize = 'trigram'
  );
  PRAGMA user_version = ${SCHEMA_VERSION};
`;

/** Time to wait for another rein that writes, in milliseconds. */
const BUSY_MS = 2000;

/** Characters that the trigram index needs at the least. Source: SQLite's documentation of FTS5. */
const TRIGRAM = 3;

/** Words of a query, and pieces of words, that are looked for at the most. */
const MAX_WORDS = 12;
const MAX_PIECES = 48;

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Whether there is a file; one that can't be seen is tried, and its failure told. */
function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    return !(error instanceof Deno.errors.NotFound);
  }
}

/** Nobody else may read it; SQLite gives the files beside it the same mode. */
function makeOwn(path: string): void {
  Deno.mkdirSync(directoryOf(path), { recursive: true, mode: 0o700 });
  Deno.openSync(path, { write: true, create: true, mode: 0o600 }).close();
  Deno.chmodSync(path, 0o600);
}

function prepare(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
  if (version === 0) database.exec(SCHEMA);
  else if (version > SCHEMA_VERSION) throw new Error("It was written by a newer rein");
}

function memoryOf(row: Record<string, unknown>): Memory {
  return {
    key: String(row["key"]),
    value: String(row["value"]),
    kind: row["kind"] === "preference" ? "preference" : "fact",
    updatedMs: Number(row["updated_ms"]),
  };
}

/** Rows that fulfil a condition, in an order. */
function select(database: DatabaseSync, rest: string, values: readonly SQLInputValue[]): Memory[] {
  const sql = `SELECT key, value, kind, updated_ms FROM memory ${rest}`;
  return database.prepare(sql).all(...values).map(memoryOf);
}

const isLong = (word: string) => [...word].length >= TRIGRAM;
const quoted = (word: string) => `"${word.replaceAll('"', '""')}"`;
const holding = (word: string) => `%${word.replaceAll(/[\\%_]/g, "\\$&")}%`;
const HOLDS = "key || ' ' || value LIKE ? ESCAPE '\\'";

/** Runs of this many characters of each word. */
function piecesOf(words: readonly string[], length: number): string[] {
  const pieces = words.flatMap((word) => {
    const characters = [...word];
    return characters.map((_, at) => characters.slice(at, at + length).join(""))
      .slice(0, characters.length - length + 1);
  });
  return [...new Set(pieces)].slice(0, MAX_PIECES);
}

/** Memories that have every word: long ones by the index, short ones by looking. */
function withAll(database: DatabaseSync, words: readonly string[], limit: number): Memory[] {
  const long = words.filter(isLong);
  const short = words.filter((word) => !isLong(word));
  const conditions = [...(long.length === 0 ? [] : ["memory MATCH ?"]), ...short.map(() => HOLDS)];
  const match = long.length === 0 ? [] : [long.map(quoted).join(" AND ")];
  const order = long.length === 0 ? "updated_ms DESC" : "rank";
  return select(database, `WHERE ${conditions.join(" AND ")} ORDER BY ${order} LIMIT ?`, [
    ...match,
    ...short.map(holding),
    limit,
  ]);
}

/** Memories that have some piece of the words: three characters by the index, then two. */
function withSome(database: DatabaseSync, words: readonly string[], limit: number): Memory[] {
  const three = piecesOf(words, TRIGRAM);
  const ranked = three.length === 0 ? [] : select(
    database,
    "WHERE memory MATCH ? ORDER BY rank LIMIT ?",
    [three.map(quoted).join(" OR "), limit],
  );
  // Pairs mean something where words are written without spaces; elsewhere they are noise.
  const pairs = piecesOf(words.filter((word) => /\p{Lo}/u.test(word)), 2);
  const alike = pairs.length === 0 ? [] : select(
    database,
    `WHERE ${pairs.map(() => HOLDS).join(" OR ")}
     ORDER BY ${pairs.map(() => `(${HOLDS})`).join(" + ")} DESC LIMIT ?`,
    [...pairs, ...pairs].map<SQLInputValue>(holding).concat(limit),
  );
  const known = new Set(ranked.map(({ key }) => key));
  return [...ranked, ...alike.filter(({ key }) => !known.has(key))].slice(0, limit);
}

function search(database: DatabaseSync, query: string, limit: number): FoundMemories {
  const words = [...new Set(query.split(/\s+/).filter((word) => word !== ""))].slice(0, MAX_WORDS);
  if (words.length === 0) {
    return { memories: select(database, "ORDER BY updated_ms DESC LIMIT ?", [limit]), exact: true };
  }
  const all = withAll(database, words, limit);
  return all.length > 0
    ? { memories: all, exact: true }
    : { memories: withSome(database, words, limit), exact: false };
}

function put(database: DatabaseSync, memory: Memory): void {
  const { key, value, kind, updatedMs } = memory;
  database.exec("BEGIN IMMEDIATE");
  database.prepare("DELETE FROM memory WHERE key = ?").run(key);
  database.prepare("INSERT INTO memory (key, value, kind, updated_ms) VALUES (?, ?, ?, ?)")
    .run(key, value, kind, updatedMs);
  database.exec("COMMIT");
}

/** Opens the store for one piece of work, so that no other rein waits for this one. */
async function within<T>(path: string, work: (database: DatabaseSync) => T): Promise<T> {
  const { DatabaseSync } = await import("node:sqlite");
  let database: DatabaseSync | undefined;
  try {
    makeOwn(path);
    database = new DatabaseSync(path, { timeout: BUSY_MS });
    prepare(database);
    return work(database);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MemoryError(`"${path}" can't be used: ${reason}`, { cause: error });
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
  const writing = <T>(work: (database: DatabaseSync) => T): Promise<T> =>
    path === null
      ? Promise.reject(new MemoryError("There is no place to keep anything"))
      : within(path, work);
  // Reading makes no file.
  const reading = async <T>(work: (database: DatabaseSync) => T, nothing: T): Promise<T> =>
    path === null || !exists(path) ? nothing : await within(path, work);
  return {
    path,
    put: (memory) => writing((database) => put(database, memory)),
    remove: (key) =>
      reading(
        (database) =>
          Number(database.prepare("DELETE FROM memory WHERE key = ?").run(key).changes) > 0,
        false,
      ),
    get: (key) => reading((database) => select(database, "WHERE key = ?", [key])[0] ?? null, null),
    search: (query, limit) =>
      reading((database) => search(database, query, limit), { memories: [], exact: true }),
    count: () =>
      reading(
        (database) => Number(database.prepare("SELECT count(*) AS n FROM memory").get()?.["n"]),
        0,
      ),
  };
}
