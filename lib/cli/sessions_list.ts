/**
 * `rein sessions list` and `remove`: sessions as one line each.
 *
 * @module
 */

import { localClock, localDay } from "../local_time.ts";
import { english, message, type MessageId, type Say } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { closest } from "../calls/closest.ts";
import { countSessions, listSessions } from "../session/catalog.ts";
import { readSession, type SessionInfo } from "../session/read.ts";
import { removeSession } from "../session/remove.ts";
import { SessionError } from "../session/session_error.ts";
import { UsageError } from "./failure.ts";
import { cellOf, cutToColumns, textTable } from "./text_table.ts";

/** What the commands need. */
export type SessionsPorts = Pick<Ports, "databases" | "folders" | "clock" | "terminal" | "say">;

/** Sessions that a list shows unless all are asked for. Source: the issue of sessions. */
const LISTED = 20;

/** Columns of a title and of a directory; a line then fits a usual window. */
const TITLE_COLUMNS = 60;
const DIRECTORY_COLUMNS = 30;

/** A session as programs get it. */
export interface SessionEntry {
  readonly id: string;
  /** `whole`, or why it can't be gone on with: `incomplete`, `damaged`. */
  readonly condition: string;
  readonly in_use: boolean;
  /** Null, as all that follows, where the header can't be read. */
  readonly named: boolean | null;
  /** ISO 8601, UTC. */
  readonly created: string | null;
  readonly updated: string | null;
  readonly cwd: string | null;
  readonly title: string | null;
  /** How the newest run ended; `running` where it has not. */
  readonly state: string | null;
  readonly steps: number | null;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly version: string | null;
  /** Numbers of events that were lost. */
  readonly missing: readonly number[];
}

/** A time of the store in ISO 8601; a damaged one as the beginning of time. */
export function isoOf(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

/** A session for programs. */
export function entryOf({ id, condition, inUse, header }: SessionInfo): SessionEntry {
  return {
    id,
    condition,
    in_use: inUse,
    named: header?.named ?? null,
    created: header === null ? null : isoOf(header.createdMs),
    updated: header === null ? null : isoOf(header.updatedMs),
    cwd: header?.cwd ?? null,
    title: header?.title ?? null,
    state: header?.state ?? null,
    steps: header?.steps ?? null,
    input_tokens: header?.inputTokens ?? null,
    output_tokens: header?.outputTokens ?? null,
    version: header?.version ?? null,
    missing: header?.missing ?? [],
  };
}

/** How sessions and runs stand, in words. */
const STATES: { readonly [state: string]: MessageId } = {
  answered: "state.answered",
  blocked: "state.blocked",
  context_exhausted: "state.context_exhausted",
  cost_limit: "state.cost_limit",
  damaged: "state.damaged",
  incomplete: "state.incomplete",
  interrupted: "state.interrupted",
  model_error: "state.model_error",
  repeating: "state.repeating",
  running: "state.running",
  schema_unmet: "state.schema_unmet",
  step_limit: "state.step_limit",
  time_limit: "state.time_limit",
  token_limit: "state.token_limit",
};

/** A state in words; a later rein may have written another one. */
export function stateText(state: string, say: Say): string {
  const id = Object.hasOwn(STATES, state) ? STATES[state] : undefined;
  return id === undefined ? state.replace("_", " ") : say(id);
}

/** Where a session stands, in a word or two. */
export function standingOf({ condition, inUse, header }: SessionInfo, say: Say = english): string {
  if (inUse) return say("state.in_use");
  if (condition !== "whole") return stateText(condition, say);
  if (header === null) return say("state.unreadable");
  return header.state === "running" ? say("state.broken_off") : stateText(header.state, say);
}

/** A time as a calendar and a clock on the wall show it: `2026-11-29 12:03`. */
export function localTime(ms: number): string {
  return `${localDay(ms)} ${localClock(ms)}`;
}

const HEADING: readonly MessageId[] = [
  "sessions.head_session",
  "sessions.head_updated",
  "sessions.head_state",
  "sessions.head_steps",
  "sessions.head_directory",
  "sessions.head_task",
];

function rowOf(info: SessionInfo, say: Say): string[] {
  const { id, header } = info;
  return [
    cellOf(id),
    header === null ? "" : localTime(header.updatedMs),
    cellOf(standingOf(info, say)),
    header === null ? "" : String(header.steps),
    cutToColumns(cellOf(header?.cwd ?? ""), DIRECTORY_COLUMNS),
    cutToColumns(cellOf(header?.title ?? ""), TITLE_COLUMNS),
  ];
}

function textOf(sessions: readonly SessionInfo[], total: number, say: Say): string {
  if (total === 0) return `${say("sessions.none")}\n`;
  const heading = HEADING.map((id) => say(id));
  const table = textTable([heading, ...sessions.map((info) => rowOf(info, say))]);
  const rest = `\n${say("sessions.newest", { shown: sessions.length, count: total })}\n`;
  return sessions.length < total ? table + rest : table;
}

/**
 * JSON on one line whose text does nothing to a terminal: what JSON allows to stand there and a
 * terminal obeys is escaped, which changes no value.
 */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${escaped}\n`;
}

/**
 * Prints the newest sessions, or all of them.
 *
 * @throws {FileError} If the folder can't be read.
 * @throws {OutputError} If it can't be printed.
 */
export async function listCommand(
  { output, all }: { readonly output: "text" | "json"; readonly all: boolean },
  ports: SessionsPorts,
): Promise<void> {
  const sessions = await listSessions(ports, all ? Infinity : LISTED);
  const total = countSessions(ports);
  const text = output === "json"
    ? jsonLine({ schema: "rein-sessions/1", sessions: sessions.map(entryOf), total })
    : textOf(sessions, total, ports.say);
  await ports.terminal.out(text);
}

/**
 * Does the work on a session; one that is not there is said with those that may have been meant.
 *
 * @throws {UsageError} If there is no such session.
 */
export async function onSession<T>(
  id: string,
  ports: SessionsPorts,
  work: (id: string) => T | Promise<T>,
): Promise<T> {
  try {
    return await work(id);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "not_found") throw error;
    const near = closest(id, (await listSessions(ports)).map((info) => info.id));
    const hint = near.length === 0
      ? error.hint
      : message("usage.did_you_mean", { near: near.join(", ") });
    throw new UsageError(error.message, hint, error);
  }
}

/**
 * Removes sessions; none, if one of them is not there.
 *
 * @throws {UsageError} If one is not there.
 * @throws {SessionError} If one is in use.
 */
export async function removeCommand(ids: readonly string[], ports: SessionsPorts): Promise<void> {
  for (const id of ids) await onSession(id, ports, (name) => checkThere(name, ports));
  for (const id of new Set(ids)) {
    removeSession(id, ports);
    await ports.terminal.out(`${ports.say("sessions.removed", { id: cellOf(id) })}\n`);
  }
}

/** Whether it can be read does not matter: damaged ones are removed, too. */
async function checkThere(id: string, ports: SessionsPorts): Promise<void> {
  try {
    (await readSession(id, ports)).close();
  } catch (error) {
    if (!(error instanceof SessionError) || error.code === "not_found") throw error;
  }
}
