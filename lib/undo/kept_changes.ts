/**
 * Files as they were before a run changed them, in a data base beside the session's: each is
 * committed before the change is made, so that it outlasts whatever ends the process.
 *
 * @module
 */

import type { Database, SqlRow } from "../ports.ts";

/** Bytes that are kept for a session at the most; the oldest go first. Source: a choice. */
export const MAX_KEPT_BYTES = 64 * 1024 * 1024;

const VERSION = 1;

const TABLES = `
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS content (hash TEXT PRIMARY KEY, bytes BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    step INTEGER NOT NULL,
    call_id TEXT NOT NULL,
    path TEXT NOT NULL,
    before_hash TEXT,
    mode INTEGER,
    after_hash TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
  );
  PRAGMA user_version = ${VERSION}
`;

/** One change of a file. */
export interface KeptChange {
  readonly runId: string;
  readonly step: number;
  readonly callId: string;
  /** Absolute. */
  readonly path: string;
  /** The hash of what it held; null: there was no file. */
  readonly before: string | null;
  /** Its permission bits; null where there was no file, or they are not known. */
  readonly mode: number | null;
  /** The hash of what it was to hold. */
  readonly after: string;
}

/** The hash that contents are known by: SHA-256 in hexadecimal. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import("node:crypto");
  return createHash("sha256").update(bytes).digest("hex");
}

function changeOf(row: SqlRow): KeptChange {
  const before = row["before_hash"];
  const mode = row["mode"];
  return {
    runId: String(row["run_id"]),
    step: Number(row["step"]),
    callId: String(row["call_id"]),
    path: String(row["path"]),
    before: before == null ? null : String(before),
    mode: mode == null ? null : Number(mode),
    after: String(row["after_hash"]),
  };
}

/** The kept changes of a session. Every method throws {@linkcode DatabaseError}. */
export class KeptChanges {
  readonly #database: Database;
  readonly #maxBytes: number;

  constructor(database: Database, maxBytes = MAX_KEPT_BYTES) {
    this.#database = database;
    this.#maxBytes = maxBytes;
    database.exec(TABLES);
  }

  /** Keeps what a file held, before it is changed. */
  add(change: KeptChange, bytes: Uint8Array | null): void {
    const database = this.#database;
    database.transaction(() => {
      if (change.before !== null && bytes !== null) {
        this.#makeRoom(bytes.length);
        database.run("INSERT OR IGNORE INTO content VALUES (?, ?)", change.before, bytes);
      }
      const { runId, step, callId, path, before, mode, after } = change;
      database.run(
        `INSERT INTO change (run_id, step, call_id, path, before_hash, mode, after_hash)
           VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[runId, step, callId, path, before, mode, after],
      );
    });
  }

  /** Contents go, the oldest first; that there was a change stays known. */
  #makeRoom(length: number): void {
    const database = this.#database;
    const [sum] = database.all("SELECT sum(length(bytes)) AS total FROM content");
    let total = Number(sum?.["total"] ?? 0);
    while (total > 0 && total + length > this.#maxBytes) {
      const [oldest] = database.all(
        "SELECT rowid AS id, length(bytes) AS bytes FROM content ORDER BY rowid LIMIT 1",
      );
      if (oldest === undefined) return;
      total -= Number(oldest["bytes"]);
      database.run("DELETE FROM content WHERE rowid = ?", Number(oldest["id"]));
    }
  }

  /** Runs with changes that were not undone, the newest first. */
  runs(): string[] {
    const rows = this.#database.all(
      "SELECT run_id FROM change WHERE undone = 0 GROUP BY run_id ORDER BY max(id) DESC",
    );
    return rows.map((row) => String(row["run_id"]));
  }

  /** The changes of a run that were not undone, in order. */
  changesOf(runId: string): KeptChange[] {
    const sql = "SELECT * FROM change WHERE run_id = ? AND undone = 0 ORDER BY id";
    return this.#database.all(sql, runId).map(changeOf);
  }

  /** What a file held; null where it had to make room. */
  content(hash: string): Uint8Array | null {
    const [row] = this.#database.all("SELECT bytes FROM content WHERE hash = ?", hash);
    const bytes = row?.["bytes"];
    return bytes instanceof Uint8Array ? bytes : null;
  }

  /**
   * Notes that a run is undone, and with it those after it: what they had changed was as before, or
   * the older run would not have been reached.
   */
  markUndone(runId: string): void {
    this.#database.run(
      `UPDATE change SET undone = 1 WHERE run_id IN (
         SELECT run_id FROM change GROUP BY run_id
           HAVING max(id) >= (SELECT max(id) FROM change WHERE run_id = ?))`,
      runId,
    );
  }

  close(): void {
    this.#database.close();
  }
}
