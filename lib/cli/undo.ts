/**
 * Undoing the newest changes of a session, with what people are shown of it: for `rein undo` and
 * `/undo`.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { Say } from "../messages/messages.ts";
import { recognise } from "../messages/recognise.ts";
import type { Ports } from "../ports.ts";
import { lastRunOf } from "../session/restore.ts";
import type { Session } from "../session/store.ts";
import { changingCommands } from "../undo/commands.ts";
import type { UndoFile, UndoPlan } from "../undo/plan.ts";
import type { UndoLog } from "../undo/undo_log.ts";
import { createReadOnlyJudge } from "./judge.ts";
import { printable } from "./printable.ts";

/** Two texts that share little take long to compare, in milliseconds. */
const DIFF_MS = 1000;

/** Lines that restoring a file adds and takes away. */
async function linesOf({ now, before }: UndoFile, say: Say): Promise<string> {
  const decoder = new TextDecoder();
  const { diffLines } = await import("diff");
  const parts = diffLines(
    decoder.decode(now ?? new Uint8Array()),
    decoder.decode(before ?? new Uint8Array()),
    {
      timeout: DIFF_MS,
    },
  );
  if (parts === undefined) return say("undo.all");
  const count = (of: "added" | "removed") =>
    parts.filter((part) => part[of]).reduce((sum, part) => sum + part.count, 0);
  return `+${count("added")} −${count("removed")}`;
}

/** What undoing is about to do. */
export interface ShownUndo {
  readonly plan: UndoPlan;
  /** For people, with line ends. */
  readonly text: string;
  /** Whether it can be done: no file was changed by somebody else. */
  readonly possible: boolean;
}

async function fileLine(file: UndoFile, say: Say): Promise<string> {
  const { path, fault } = file;
  if (fault !== null) return say("undo.fault", { path, fault: recognise(fault, say) });
  if (file.before === null) return say("undo.removed", { path });
  return `  ${path}  ${await linesOf(file, say)}`;
}

async function textOf(plan: UndoPlan, commands: readonly string[], say: Say): Promise<string> {
  const lines = [say("undo.title", { run: plan.runId })];
  for (const file of plan.files) lines.push(await fileLine(file, say));
  if (commands.length > 0) {
    lines.push(say("undo.commands"));
    lines.push(...commands.map((command) => `  ${command.trim().replace(/\s+/g, " ")}`));
  }
  return printable(lines.map((line) => `${line}\n`).join(""));
}

/**
 * Looks for what can be undone: the newest run of a session that changed files.
 *
 * @returns Null where there is nothing.
 * @throws {DatabaseError} If what was kept can't be read.
 */
export async function findUndo(
  session: Pick<Session, "events">,
  undo: UndoLog,
  ports: Ports,
): Promise<ShownUndo | null> {
  const plan = await undo.plan();
  if (plan === null) return null;
  const readOnly = createReadOnlyJudge(ports);
  const commands = await changingCommands(session.events(), plan.runId, readOnly);
  const possible = plan.files.every(({ fault }) => fault === null);
  return { plan, text: await textOf(plan, commands, ports.say), possible };
}

function undoneEvent({ plan }: ShownUndo, session: Pick<Session, "events">, at: number): Event {
  return {
    schema: "rein-event/1",
    at: new Date(at).toISOString(),
    run_id: lastRunOf(session.events()) ?? plan.runId,
    step: 0,
    type: "changes_undone",
    undone_run: plan.runId,
    paths: plan.files.map(({ path }) => path),
  };
}

/** Takes the event of an undo into the audit log before it happens. */
export type UndoAudit = (event: Event) => Promise<void>;

/**
 * Restores what was found, and notes it in the session, so that the model is told with what it is
 * asked next.
 *
 * @returns The event, for the record of a session that goes on.
 * @throws {TypeError} If it is not possible.
 * @throws {FileError} If a file can't be restored; those before it are.
 * @throws {AuditError} If it can't be audited and must be; nothing is restored.
 */
export async function applyUndo(
  found: ShownUndo,
  { session, undo, audit }: {
    readonly session: Pick<Session, "events" | "append">;
    readonly undo: UndoLog;
    readonly audit: UndoAudit;
  },
  { clock }: Pick<Ports, "clock">,
): Promise<Event> {
  const event = undoneEvent(found, session, clock.now());
  await audit(event);
  await undo.apply(found.plan);
  session.append(event, { durable: true });
  return event;
}

/** What came of {@linkcode undoLast}; the texts have line ends. */
export type UndoOutcome =
  | { readonly kind: "nothing" }
  | { readonly kind: "refused"; readonly text: string }
  /** The event belongs into the record of the session. */
  | { readonly kind: "undone"; readonly text: string; readonly event: Event };

/**
 * Undoes the changes of the newest run that made some, all of them or none: `/undo`.
 *
 * @throws {DatabaseError} If what was kept can't be read.
 * @throws {FileError} If a file can't be restored.
 */
export async function undoLast(
  { session, undo, audit }: {
    readonly session: Pick<Session, "events" | "append">;
    readonly undo: UndoLog;
    readonly audit: UndoAudit;
  },
  ports: Ports,
): Promise<UndoOutcome> {
  const found = await findUndo(session, undo, ports);
  if (found === null) return { kind: "nothing" };
  const { text } = found;
  if (!found.possible) return { kind: "refused", text: `${text}${ports.say("undo.refused")}\n` };
  return { kind: "undone", text, event: await applyUndo(found, { session, undo, audit }, ports) };
}
