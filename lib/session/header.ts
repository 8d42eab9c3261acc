/**
 * The header of a session: what a list of sessions shows, without reading its events.
 *
 * @module
 */

import type { Database, SqlRow } from "../ports.ts";
import type { Event } from "../events.ts";
import { VERSION } from "../version.ts";

/** Characters of a title at the most. Source: the issue of sessions. */
const MAX_TITLE = 200;

/** What a session is, in a few values. Times are milliseconds since the epoch. */
export interface SessionHeader {
  readonly id: string;
  /** Whether a person named it. */
  readonly named: boolean;
  readonly createdMs: number;
  /** When its newest event happened. */
  readonly updatedMs: number;
  /** The working directory in which it began. */
  readonly cwd: string;
  /** Its first task on one line; empty before the first run. */
  readonly title: string;
  /** The version of rein that ran it last. */
  readonly version: string;
  /**
   * How its newest run ended: a stop reason, or `failed` where there is none. `running`: it has not
   * ended, which is also what a process leaves behind that was killed. `new`: there was no run.
   */
  readonly state: string;
  /** Of all its runs together. */
  readonly steps: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Numbers of the events that were lost when it was damaged. */
  readonly missing: readonly number[];
}

/** What of a header is known before the first event. */
export type NewHeader = Pick<SessionHeader, "id" | "named" | "createdMs" | "cwd" | "missing">;

/** Writes the header of a new session. */
export function insertHeader(database: Database, header: NewHeader): void {
  const { id, named, createdMs, cwd, missing } = header;
  database.run(
    `INSERT INTO header (id, named, created_ms, updated_ms, cwd, version, missing)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[id, named ? 1 : 0, createdMs, createdMs, cwd, VERSION, JSON.stringify(missing)],
  );
}

function headerOf(row: SqlRow): SessionHeader {
  return {
    id: String(row["id"]),
    named: row["named"] === 1,
    createdMs: Number(row["created_ms"]),
    updatedMs: Number(row["updated_ms"]),
    cwd: String(row["cwd"]),
    title: String(row["title"]),
    version: String(row["version"]),
    state: String(row["state"]),
    steps: Number(row["steps"]),
    inputTokens: Number(row["input_tokens"]),
    outputTokens: Number(row["output_tokens"]),
    missing: numbersIn(String(row["missing"])),
  };
}

function numbersIn(json: string): number[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((item) => typeof item === "number") : [];
  } catch {
    return [];
  }
}

/**
 * The header, or null where none was written.
 *
 * @throws {DatabaseError} If it can't be read.
 */
export function readHeader(database: Database): SessionHeader | null {
  const [row] = database.all("SELECT * FROM header LIMIT 1");
  return row === undefined ? null : headerOf(row);
}

/** A task on one line, short enough for a list. */
function titleOf(task: string): string {
  return [...task.trim().replace(/\s+/g, " ")].slice(0, MAX_TITLE).join("");
}

/** What some events carry; the union grows, so that any of them may. */
function usageOf(event: Event): { readonly input: number; readonly output: number } {
  const usage = "usage" in event ? event.usage : null;
  return { input: usage?.input_tokens ?? 0, output: usage?.output_tokens ?? 0 };
}

function stateAfter(event: Event): string | null {
  if (event.type === "run_started") return "running";
  return event.type === "run_finished" ? event.result.stop_reason ?? "failed" : null;
}

/**
 * Keeps the header up with an event; in the transaction that stores the event. Of calls it says
 * nothing.
 */
export function updateHeader(database: Database, event: Event): void {
  if (event.type.startsWith("call_") || event.type.startsWith("approval_")) return;
  const { input, output } = usageOf(event);
  const at = Date.parse(event.at);
  const started = event.type === "run_started";
  database.run(
    `UPDATE header SET
       updated_ms = max(updated_ms, ?), state = coalesce(?, state), version = coalesce(?, version),
       title = CASE WHEN title = '' THEN ? ELSE title END,
       steps = steps + ?, input_tokens = input_tokens + ?, output_tokens = output_tokens + ?`,
    Number.isNaN(at) ? 0 : at,
    stateAfter(event),
    started ? VERSION : null,
    started ? titleOf(event.task) : "",
    ...[event.type === "step_started" ? 1 : 0, input, output],
  );
}
