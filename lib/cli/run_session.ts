/**
 * The session of a run: chosen by the command line, opened, and written as the run goes on.
 *
 * @module
 */

import { openedList, type TodoItem } from "../../tools/todo.ts";
import type { Event } from "../events.ts";
import { message, type Text } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import type { RunRecord } from "../record.ts";
import { findLatest } from "../session/catalog.ts";
import { openSession } from "../session/open.ts";
import { isReading } from "../session/reading.ts";
import { prune } from "../session/remove.ts";
import { type Redact, redactEvent } from "../session/redact_event.ts";
import { restoreRecord } from "../session/restore.ts";
import type { Session } from "../session/store.ts";
import type { Effect } from "../types.ts";
import { UsageError } from "./failure.ts";
import type { RunOptions } from "./run_options.ts";

/** Which session a run belongs to. */
export type SessionChoice =
  /** A new one. */
  | { readonly kind: "new" }
  /** The one of this name, made where it is missing. */
  | { readonly kind: "named"; readonly id: string }
  /** The newest one of this directory. */
  | { readonly kind: "latest" }
  /** One whose task is gone on with; null: the newest of this directory that is unfinished. */
  | { readonly kind: "resume"; readonly id: string | null };

/**
 * The session that the options of a run name.
 *
 * @throws {UsageError} If they name two.
 */
export function choiceOf(
  { session, continue: goOn }: Pick<RunOptions, "session" | "continue">,
): SessionChoice {
  if (typeof session !== "string") return { kind: goOn ? "latest" : "new" };
  if (!goOn) return { kind: "named", id: session };
  throw new UsageError(message("session.two_named"), message("session.two_named_hint"));
}

/** What opening the session of a run depends on. */
export interface RunSessionOptions {
  /** Whether it is kept on the disk. */
  readonly keep: boolean;
  readonly redact: Redact;
  /** Is told, once, that the session is not kept any more. */
  readonly onFailure: (text: string) => void;
}

/** A session that is open for a run. */
export interface RunSession {
  readonly session: Session;
  /** What was said and done in it so far. */
  readonly record: RunRecord;
  /** The steps of its task, as they were left. */
  readonly todo: TodoItem[];
  /** What the person should know. */
  readonly notes: readonly Text[];
}

/** The id of the session that is wanted; null for a new one. */
async function idOf(choice: SessionChoice, ports: Ports): Promise<string | null> {
  const cwd = ports.files.cwd();
  switch (choice.kind) {
    case "new":
      return null;
    case "named":
      return choice.id;
    case "latest": {
      const latest = await findLatest({ cwd, unfinished: false }, ports);
      if (latest !== null) return latest.id;
      const fault = message("session.none_latest", { cwd });
      throw new UsageError(fault, message("session.none_latest_hint"));
    }
    case "resume": {
      if (choice.id !== null) return choice.id;
      const latest = await findLatest({ cwd, unfinished: true }, ports);
      if (latest !== null) return latest.id;
      const fault = message("session.none_unfinished", { cwd });
      throw new UsageError(fault, message("session.none_unfinished_hint"));
    }
  }
}

/** Why a session's task can't be gone on with, or null if it can. */
function faultOf(id: string, { stop, entryCount }: RunRecord): UsageError | null {
  if (entryCount === 0) {
    return new UsageError(message("session.no_task", { id }), message("session.no_task_hint"));
  }
  if (stop !== "answered") return null;
  return new UsageError(
    message("session.answered", { id }),
    message("session.answered_hint", { id }),
  );
}

/** What the person should know of a session that was begun elsewhere. */
function placeNote({ id, header }: Session, { files }: Ports): Text[] {
  const cwd = files.cwd();
  if (id === null || header.cwd === cwd) return [];
  return [message("session.elsewhere", { id, begun: header.cwd, cwd })];
}

/**
 * Opens the session of a run.
 *
 * @throws {UsageError} If there is none that fits the choice.
 * @throws {SessionError} If it is not there, in use, damaged beyond use or of a newer rein.
 */
export async function openRunSession(
  choice: SessionChoice,
  { keep, redact, onFailure }: RunSessionOptions,
  ports: Ports,
): Promise<RunSession> {
  if (!keep && choice.kind !== "new") {
    const hint = message("session.kept_nowhere_hint");
    throw new UsageError(message("session.kept_nowhere"), hint);
  }
  const id = await idOf(choice, ports);
  const { session, notes } = await openSession({
    id,
    create: choice.kind === "new" || choice.kind === "named",
    named: choice.kind === "named",
    cwd: ports.files.cwd(),
    keep,
    redact: (event) => redactEvent(event, redact),
    onFailure,
  }, ports);
  try {
    // Read once: a long session takes a while.
    const events = [...session.events()];
    const record = restoreRecord(events);
    const fault = choice.kind === "resume" ? faultOf(id ?? "", record) : null;
    if (fault !== null) throw fault;
    const todo = openedList(events);
    return { session, record, todo, notes: [...notes, ...placeNote(session, ports)] };
  } catch (error) {
    session.close();
    throw error;
  }
}

/** Events by which nothing happens: they are stored with the one that comes next. */
const WITH_NEXT: readonly Event["type"][] = [
  ...["step_started", "call_proposed", "call_judged", "approval_requested"] as const,
];

/**
 * Builds the reader that stores the events of a run, each before what it announces happens. What
 * comes before a change, or what may be one, waits for the disk.
 */
export function createRecorder(
  session: Session,
  effectOf: (tool: string) => Effect | undefined,
): (event: Event) => Promise<void> {
  const reading = new Set<string>();
  return (event) => {
    if (event.type === "call_judged" && isReading(event.evaluation)) reading.add(event.call_id);
    const durable = event.type === "call_started" && effectOf(event.tool) !== "read" &&
      !reading.delete(event.call_id);
    session.append(event, { durable, withNext: WITH_NEXT.includes(event.type) });
    return Promise.resolve();
  };
}

/** Ends the session of a run; sessions that nobody will miss make room. Never throws. */
export function closeRunSession(session: Session, ports: Ports): void {
  session.close();
  if (session.id !== null) prune(ports);
}
