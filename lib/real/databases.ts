/**
 * Data bases of SQLite, as the runtime has them.
 *
 * @module
 */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import {
  type Database,
  DatabaseError,
  type DatabaseErrorCode,
  type Databases,
  type Environment,
  type SqlRow,
  type SqlValue,
} from "../ports.ts";

/** Time to wait for another process that writes, in milliseconds. */
const BUSY_MS = 2000;

/** SQLite's result codes, without their extensions. Source: SQLite's documentation. */
const CODES: Readonly<Record<number, DatabaseErrorCode>> = {
  5: "busy",
  6: "busy",
  11: "damaged",
  13: "full",
  26: "damaged",
};

/** The folder for what lasts: `rein` in the state folder. Source: XDG base directories. */
export function stateFolder(env: Environment): string | null {
  const home = env.get("HOME");
  const named = env.get("XDG_STATE_HOME");
  const state = named?.startsWith("/") ? named : home ? `${home}/.local/state` : null;
  if (state === null) return null;
  const path = `${state}/rein`;
  const granted = (["read", "write"] as const).every((name) =>
    Deno.permissions.querySync({ name, path }).state === "granted"
  );
  return granted ? path : null;
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/**
 * Makes a file where there is none. One that is there is not opened: closing it would drop the locks
 * that SQLite has on it in this process. Source: SQLite's page on how to corrupt a data base.
 */
function makeFile(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/** Nobody else may read it; SQLite gives the files beside it the same mode. */
function makeOwn(path: string): void {
  Deno.mkdirSync(directoryOf(path), { recursive: true, mode: 0o700 });
  makeFile(path);
  Deno.chmodSync(path, 0o600);
}

/** SQLite's words for the same: the runtime gives no code with what `exec` throws. */
const WORDS: readonly (readonly [string, DatabaseErrorCode])[] = [
  ["is locked", "busy"],
  ["malformed", "damaged"],
  ["not a database", "damaged"],
  ["is full", "full"],
];

function codeOf(error: unknown): DatabaseErrorCode {
  if (!(error instanceof Error)) return "unusable";
  const number = "errcode" in error ? Number(error.errcode) : NaN;
  const said = WORDS.find(([words]) => error.message.includes(words));
  return CODES[number & 0xff] ?? said?.[1] ?? "unusable";
}

/** Does the work; what fails is said with the place. */
function guarded<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DatabaseError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError(codeOf(error), `${place} can't be used: ${reason}`, error);
  }
}

class RealDatabase implements Database {
  readonly #database: DatabaseSync;
  readonly #place: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, place: string) {
    this.#database = database;
    this.#place = place;
  }

  exec(sql: string): void {
    guarded(this.#place, () => this.#database.exec(sql));
  }

  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[] {
    return guarded(this.#place, () => this.#prepared(sql).all(...values) as SqlRow[]);
  }

  run(sql: string, ...values: readonly SqlValue[]): number {
    return guarded(this.#place, () => Number(this.#prepared(sql).run(...values).changes));
  }

  transaction<T>(work: () => T): T {
    this.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      // SQLite ends a transaction by itself where the disk is full.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    guarded(this.#place, () => this.#database.close());
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Builds the data bases of this process. */
export function createDatabases(folder: string | null): Databases {
  return {
    folder,
    open: async (path, { readOnly = false, alone = false } = {}) => {
      const { DatabaseSync } = await import("node:sqlite");
      const place = path === null ? "The data base in memory" : `"${path}"`;
      return guarded(place, () => {
        if (path !== null && !readOnly && !alone) makeOwn(path);
        const database = new DatabaseSync(path ?? ":memory:", { timeout: BUSY_MS, readOnly });
        // Said before the first query, it spares the shared memory. Source: SQLite's page of WAL.
        if (alone) database.exec("PRAGMA locking_mode = EXCLUSIVE");
        return new RealDatabase(database, place);
      });
    },
  };
}
