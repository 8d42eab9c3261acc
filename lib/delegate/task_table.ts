/**
 * The table of tasks: what was asked of whom, where it is, and what came of it. It is written before
 * what it says happens, and several processes share it.
 *
 * @module
 */

import type { Database, Databases } from "../ports.ts";
import type { JsonObject } from "../types.ts";
import { type NewTask, type TaskEnd, type TaskPhase, type TaskRow, taskRowOf } from "./task_row.ts";

export * from "./task_row.ts";

/** Rows that are kept; the oldest that have ended go first. Source: the issue on business agents. */
export const MAX_ROWS = 10_000;

/** Versions of the table; steps are only ever added at the end. */
const STEPS: readonly string[] = [`
  CREATE TABLE task (
    key INTEGER PRIMARY KEY,
    id TEXT,
    run TEXT NOT NULL, call TEXT NOT NULL, name TEXT NOT NULL,
    agent TEXT NOT NULL, intent TEXT NOT NULL, access TEXT NOT NULL,
    phase TEXT NOT NULL,
    created_ms INTEGER NOT NULL, sent_ms INTEGER, returned_ms INTEGER,
    input_tokens INTEGER NOT NULL DEFAULT 0, output_tokens INTEGER NOT NULL DEFAULT 0,
    error_code TEXT, error TEXT,
    status_url TEXT,
    envelope TEXT, redacted INTEGER NOT NULL DEFAULT 0,
    result TEXT, result_whole INTEGER NOT NULL DEFAULT 1,
    UNIQUE (run, call, name)
  );
  CREATE INDEX task_id ON task (id);
  CREATE INDEX task_created ON task (created_ms);
`];

/**
 * Time to wait for other processes that write, in milliseconds. Source: measured with ten processes
 * that do nothing else, each write waiting for the disk; 2 s were not enough.
 */
const BUSY_MS = 15_000;

/** Phases in which a task is still on its way. */
const OPEN = "('waiting', 'sent', 'running')";

/** The file of the table. */
export function taskTablePath(folder: string): string {
  return `${folder}/tasks.db`;
}

/** Rows read at once at the most. */
const LISTED_ROWS = MAX_ROWS;

/** Brings the table up to date; another process may do it at the same time. */
function migrate(database: Database): void {
  const version = () => Number(database.all("PRAGMA user_version")[0]?.["user_version"] ?? 0);
  if (version() >= STEPS.length) return;
  database.transaction(() => {
    for (const step of STEPS.slice(version())) database.exec(step);
    database.exec(`PRAGMA user_version = ${STEPS.length}`);
  });
}

/** Takes secrets out of data. */
export type RedactData = (data: JsonObject) => JsonObject;

/** How a table is made. */
export interface TaskTableOptions {
  /** Whether it is on the disk, so that another process may find it after this one has ended. */
  readonly kept: boolean;
  /** Takes secrets out of what is kept. */
  readonly redact: RedactData;
}

/** An open table. Every method throws {@linkcode DatabaseError}. */
export class TaskTable {
  /** Whether it outlasts this process. */
  readonly kept: boolean;
  readonly #database: Database;
  readonly #redact: RedactData;
  #durable = false;

  /** @param database Closed with the table. */
  constructor(database: Database, { kept, redact }: TaskTableOptions) {
    this.kept = kept;
    this.#database = database;
    this.#redact = redact;
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    if (kept) database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    migrate(database);
  }

  /** Adds the tasks of a call before anything of it happens; those that are there stay. */
  add(tasks: readonly NewTask[], nowMs: number): void {
    this.#waitForDisk(false);
    this.#database.transaction(() => {
      for (const { run, call, name, agent, intent, access } of tasks) {
        this.#database.run(
          `INSERT OR IGNORE INTO task (run, call, name, agent, intent, access, phase, created_ms)
           VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?)`,
          ...[run, call, name, agent, intent, access, nowMs],
        );
      }
      this.#prune();
    });
  }

  /** Notes that a task is sent now; with `durable` it waits for the disk. */
  sent(key: number, task: SentTask, nowMs: number): void {
    const params = this.#redact(task.params);
    const envelope = JSON.stringify({ ...task.envelope, params });
    const redacted = JSON.stringify(params) === JSON.stringify(task.params) ? 0 : 1;
    this.#waitForDisk(task.durable);
    this.#database.run(
      `UPDATE task SET id = ?, phase = 'sent', sent_ms = ?, envelope = ?, redacted = ?
       WHERE key = ? AND phase IN ${OPEN}`,
      ...[String(task.envelope["task_id"]), nowMs, envelope, redacted, key],
    );
  }

  /** Notes that the agent has it. */
  accepted(key: number, statusUrl: string | null): void {
    this.#waitForDisk(false);
    this.#database.run(
      `UPDATE task SET phase = 'running', status_url = coalesce(?, status_url)
       WHERE key = ? AND phase IN ${OPEN}`,
      ...[statusUrl, key],
    );
  }

  /** Notes how a task has ended; of one that has ended already nothing changes. */
  ended(key: number, end: TaskEnd, nowMs: number): void {
    const { phase, result, error, inputTokens = 0, outputTokens = 0 } = end;
    const kept = result === null ? null : this.#redact(result.kept);
    const whole = result === null || (result.whole && sameJson(kept, result.kept));
    const message = error === null ? null : String(this.#redact({ text: error.message })["text"]);
    this.#waitForDisk(false);
    this.#database.run(
      `UPDATE task SET phase = ?, returned_ms = ?, input_tokens = ?, output_tokens = ?,
         error_code = ?, error = ?, result = ?, result_whole = ?
       WHERE key = ? AND phase IN ${OPEN}`,
      ...[phase, nowMs, inputTokens, outputTokens, error?.code ?? null, message],
      ...[kept === null ? null : JSON.stringify(kept), whole ? 1 : 0, key],
    );
  }

  /** The task of a call by its name; null where there is none. */
  find(run: string, call: string, name: string): TaskRow | null {
    const sql = "SELECT * FROM task WHERE run = ? AND call = ? AND name = ?";
    const [row] = this.#database.all(sql, run, call, name);
    return row === undefined ? null : taskRowOf(row);
  }

  /** How many tasks a run has asked for, those of one call left out. */
  countOf(run: string, exceptCall: string): number {
    const sql = "SELECT count(*) AS n FROM task WHERE run = ? AND call <> ?";
    return Number(this.#database.all(sql, run, exceptCall)[0]?.["n"] ?? 0);
  }

  /** Tasks whose id begins so, the newest first; at most two. */
  byId(beginning: string): readonly TaskRow[] {
    const sql = `SELECT * FROM task WHERE id >= ?1 AND id < ?1 || char(1114111)
      ORDER BY key DESC LIMIT 2`;
    return this.#database.all(sql, beginning).map(taskRowOf);
  }

  /** The newest tasks, the newest first. */
  list(limit: number): readonly TaskRow[] {
    const sql = "SELECT * FROM task ORDER BY key DESC LIMIT ?";
    return this.#database.all(sql, Math.min(limit, LISTED_ROWS)).map(taskRowOf);
  }

  /** How many there are of each phase. */
  counts(): ReadonlyMap<TaskPhase, number> {
    const rows = this.#database.all("SELECT phase, count(*) AS n FROM task GROUP BY phase");
    return new Map(rows.map(({ phase, n }) => [String(phase) as TaskPhase, Number(n)]));
  }

  close(): void {
    this.#database.close();
  }

  #prune(): void {
    const [count] = this.#database.all("SELECT count(*) AS n FROM task");
    const over = Number(count?.["n"] ?? 0) - MAX_ROWS;
    if (over <= 0) return;
    this.#database.run(
      `DELETE FROM task WHERE key IN (
         SELECT key FROM task ORDER BY phase IN ${OPEN}, key LIMIT ?
       )`,
      over,
    );
  }

  /** What a power cut must not take waits for the disk; the rest outlasts the process alone. */
  #waitForDisk(durable: boolean): void {
    if (!this.kept || durable === this.#durable) return;
    this.#database.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    this.#durable = durable;
  }
}

/** A task at the moment it is sent. */
export interface SentTask {
  readonly envelope: { readonly task_id: string; readonly [field: string]: unknown };
  /** Its parameters, all filled in. */
  readonly params: JsonObject;
  /** Whether it must outlast a power cut, since it may change something. */
  readonly durable: boolean;
}

function sameJson(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Opens the table.
 *
 * @param keep Whether it is kept on the disk, where there is a place; otherwise it is in memory.
 * @throws {DatabaseError} If it can't be opened.
 */
export async function openTaskTable(
  databases: Databases,
  { keep, redact }: { readonly keep: boolean; readonly redact: RedactData },
): Promise<TaskTable> {
  const folder = keep ? databases.folder : null;
  const database = await databases.open(folder === null ? null : taskTablePath(folder));
  try {
    return new TaskTable(database, { kept: folder !== null, redact });
  } catch (error) {
    database.close();
    throw error;
  }
}
