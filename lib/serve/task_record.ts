/**
 * The record of an agent's tasks: what came in, where it is, what came of it. Every word of it is on
 * the disk before it counts.
 *
 * @module
 */

import type { ResultEnvelope, TaskEnvelope } from "../delegate/types.ts";
import { type Database, DatabaseError, type SqlRow } from "../ports.ts";
import type { TaskPhase } from "./types.ts";

/** A task as it is kept. Times are milliseconds since the epoch. */
export interface KeptTask {
  readonly task: TaskEnvelope;
  /** The hash of what makes it this task and no other. */
  readonly content: string;
  readonly phase: TaskPhase;
  readonly receivedMs: number;
  /** When it first left the queue; null: not yet. */
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  /** The session that its run has begun in; null: it has surely done nothing yet. */
  readonly session: string | null;
  /** Whether somebody gave it up. */
  readonly cancelled: boolean;
  readonly result: ResultEnvelope | null;
}

/** Statements that lead from each version of the file to the next. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE task (
     id TEXT PRIMARY KEY,
     body TEXT NOT NULL,
     content TEXT NOT NULL,
     phase TEXT NOT NULL DEFAULT 'queued',
     received_ms INTEGER NOT NULL,
     started_ms INTEGER,
     finished_ms INTEGER,
     session TEXT,
     cancelled INTEGER NOT NULL DEFAULT 0,
     result TEXT,
     post INTEGER NOT NULL DEFAULT 0
   );
   CREATE INDEX task_unfinished ON task (received_ms) WHERE phase <> 'finished';
   CREATE INDEX task_finished ON task (finished_ms) WHERE phase = 'finished';
   CREATE INDEX task_post ON task (finished_ms) WHERE post = 1;
   CREATE INDEX task_session ON task (finished_ms) WHERE phase = 'finished' AND session IS NOT NULL;`,
];

function migrate(database: Database): void {
  const version = Number(database.all("PRAGMA user_version")[0]?.["user_version"] ?? 0);
  if (version > MIGRATIONS.length) {
    const message = `The record of tasks was written by a newer rein (version ${version})`;
    throw new DatabaseError("unusable", message);
  }
  MIGRATIONS.slice(version).forEach((step, index) => {
    database.transaction(() => {
      database.exec(`${step} PRAGMA user_version = ${version + index + 1}`);
    });
  });
}

function msOf(value: SqlRow[string] | undefined): number | null {
  return value == null ? null : Number(value);
}

function keptOf(row: SqlRow): KeptTask {
  const { session, result } = row;
  return {
    task: JSON.parse(String(row["body"])) as TaskEnvelope,
    content: String(row["content"]),
    phase: String(row["phase"]) as TaskPhase,
    receivedMs: Number(row["received_ms"]),
    startedMs: msOf(row["started_ms"]),
    finishedMs: msOf(row["finished_ms"]),
    session: session == null ? null : String(session),
    cancelled: row["cancelled"] === 1,
    result: result == null ? null : JSON.parse(String(result)) as ResultEnvelope,
  };
}

/** The record. Every method throws {@linkcode DatabaseError}. */
export class TaskRecord {
  readonly #database: Database;

  /** @param database Open; it is brought to the newest version. */
  constructor(database: Database) {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    migrate(database);
    this.#database = database;
  }

  add({ task, content, receivedMs }: Pick<KeptTask, "task" | "content" | "receivedMs">): void {
    this.#database.run(
      "INSERT INTO task (id, body, content, received_ms, post) VALUES (?, ?, ?, ?, ?)",
      ...[task.task_id, JSON.stringify(task), content, receivedMs, task.callback === null ? 0 : 1],
    );
  }

  find(id: string): KeptTask | null {
    const [row] = this.#database.all("SELECT * FROM task WHERE id = ?", id);
    return row === undefined ? null : keptOf(row);
  }

  /** Tasks that have not finished, in the order in which they came. */
  unfinished(): readonly KeptTask[] {
    const sql = "SELECT * FROM task WHERE phase <> 'finished' ORDER BY received_ms, rowid";
    return this.#database.all(sql).map(keptOf);
  }

  /** A task leaves the queue. */
  start(id: string, atMs: number): void {
    const set = "phase = 'running', started_ms = coalesce(started_ms, ?)";
    this.#database.run(`UPDATE task SET ${set} WHERE id = ?`, atMs, id);
  }

  /** The run of a task is about to do something, in this session. */
  begin(id: string, session: string): void {
    this.#database.run("UPDATE task SET session = ? WHERE id = ?", session, id);
  }

  cancel(id: string): void {
    this.#database.run("UPDATE task SET cancelled = 1 WHERE id = ?", id);
  }

  finish(id: string, result: ResultEnvelope, atMs: number): void {
    const set = "phase = 'finished', finished_ms = ?, result = ?";
    this.#database.run(
      `UPDATE task SET ${set} WHERE id = ?`,
      ...[atMs, JSON.stringify(result), id],
    );
  }

  /** Finished tasks whose results are still to be posted. */
  toPost(): readonly KeptTask[] {
    const sql = "SELECT * FROM task WHERE post = 1 AND phase = 'finished' ORDER BY finished_ms";
    return this.#database.all(sql).map(keptOf);
  }

  /** The result of a task was posted, or is given up. */
  posted(id: string): void {
    this.#database.run("UPDATE task SET post = 0 WHERE id = ?", id);
  }

  /**
   * Sessions of finished tasks that are not needed any more, beyond the newest; they are forgotten
   * with that.
   *
   * @param keep How many stay.
   */
  oldSessions(keep: number): readonly string[] {
    const old = "SELECT id, session FROM task WHERE phase = 'finished' AND session IS NOT NULL " +
      "ORDER BY finished_ms DESC LIMIT 20 OFFSET ?";
    const rows = this.#database.all(old, keep);
    for (const { id } of rows) {
      this.#database.run("UPDATE task SET session = NULL WHERE id = ?", String(id));
    }
    return rows.map(({ session }) => String(session));
  }

  /**
   * Forgets finished tasks: those beyond the newest, and those from before a moment.
   *
   * @returns Their ids.
   */
  forget(keep: number, beforeMs: number): readonly string[] {
    const rows = this.#database.all(
      `SELECT id FROM task WHERE phase = 'finished' AND post = 0 AND (finished_ms < ? OR id IN (
         SELECT id FROM task WHERE phase = 'finished' ORDER BY finished_ms DESC LIMIT 1000 OFFSET ?
       )) LIMIT 1000`,
      beforeMs,
      keep,
    );
    for (const { id } of rows) this.#database.run("DELETE FROM task WHERE id = ?", String(id));
    return rows.map(({ id }) => String(id));
  }

  close(): void {
    this.#database.close();
  }
}
