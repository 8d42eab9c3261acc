/**
 * `rein undo`: restores the files that the newest run changed.
 *
 * @module
 */

import { message } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
import { Auditor } from "../audit/auditor.ts";
import { openAudit } from "../audit/open_audit.ts";
import type { Event } from "../events.ts";
import type { Ports } from "../ports.ts";
import { createResults } from "../results/results.ts";
import { listSessions } from "../session/catalog.ts";
import { openSession } from "../session/open.ts";
import { folderOf } from "../session/read.ts";
import { redactEvent } from "../session/redact_event.ts";
import type { Session } from "../session/store.ts";
import { hasChanges, UndoLog } from "../undo/undo_log.ts";
import { UsageError } from "./failure.ts";
import { createLazyJudge } from "./judge.ts";
import { applyUndo, findUndo, type ShownUndo } from "./undo.ts";

/** The options of the command. */
export interface UndoCommandOptions {
  /** Whether it is done without asking. */
  readonly yes: boolean;
}

/** A session that is open, with what can be undone of it. */
interface Opened {
  readonly session: Session;
  readonly undo: UndoLog;
  readonly found: ShownUndo | null;
  close(): void;
}

async function open(id: string, ports: Ports): Promise<Opened> {
  const results = createResults({ spills: ports.spills, secrets: [] });
  const warn = (text: string) => void ports.terminal.err(`rein: ${tell(text, ports.say)}\n`);
  const { session } = await openSession({
    id,
    create: false,
    named: false,
    cwd: ports.files.cwd(),
    keep: true,
    redact: (event) => redactEvent(event, (data) => results.redact(data)),
    onFailure: warn,
  }, ports);
  const undo = new UndoLog(session, ports, { warn });
  const close = () => {
    undo.close();
    session.close();
    results.end();
  };
  try {
    return { session, undo, found: await findUndo(session, undo, ports), close };
  } catch (error) {
    close();
    throw error;
  }
}

/** The newest session of this directory with something to undo, or the one that is named. */
async function findOpened(id: string | null, ports: Ports): Promise<Opened & { found: ShownUndo }> {
  const cwd = ports.files.cwd();
  const ids = id !== null ? [id] : (await listSessions(ports))
    .filter(({ header, condition }) => condition === "whole" && header?.cwd === cwd)
    .filter(({ folder }) => hasChanges(folder, ports))
    .map((session) => session.id);
  for (const candidate of ids) {
    folderOf(candidate, ports);
    const opened = await open(candidate, ports);
    if (opened.found !== null) return { ...opened, found: opened.found };
    opened.close();
  }
  const fault = id === null ? message("undo.none_here", { cwd }) : message("undo.none_in", { id });
  throw new UsageError(fault, message("undo.none_hint"));
}

/** Whether somebody wants it. */
async function isWanted(
  { yes }: UndoCommandOptions,
  { terminal, say }: Ports,
  signal: AbortSignal,
): Promise<boolean> {
  if (yes) return true;
  if (terminal.stdinIsTerminal && terminal.stderrIsTerminal) {
    try {
      return await terminal.confirm(say("undo.question"), signal);
    } catch {
      signal.throwIfAborted();
      return false;
    }
  }
  throw new UsageError(message("undo.nobody"), message("undo.nobody_hint"));
}

/** Restores, with an entry in the log that the standing policies ask for. */
async function applyAudited(
  found: ShownUndo,
  kept: { readonly session: Session; readonly undo: UndoLog },
  ports: Ports,
): Promise<void> {
  const warn = (text: string) => void ports.terminal.err(`rein: ${tell(text, ports.say)}\n`);
  const { settings } = await createLazyJudge([], ports);
  const opened = await openAudit(settings.audit, ports, warn);
  const results = createResults({ spills: ports.spills, secrets: opened?.secrets ?? [] });
  try {
    const auditor = opened && new Auditor(opened.sink.for(warn), {
      redact: (data) => results.redact(data),
      session: kept.session.id,
      effectOf: () => "write",
      hashes: ports.hashes,
    });
    const audit = (event: Event) => auditor?.event(event) ?? Promise.resolve();
    await applyUndo(found, { ...kept, audit }, ports);
  } finally {
    results.end();
    await opened?.end();
  }
}

/**
 * Shows what would be restored, asks, and restores it.
 *
 * @param id A session; null: the newest one of this directory that changed files.
 * @throws {UsageError} If there is nothing to undo, a file was changed since by somebody else, or
 *   nobody can say yes.
 * @throws {SessionError} If the session is not there, in use or damaged.
 */
export async function undoCommand(
  id: string | null,
  options: UndoCommandOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const { terminal, say } = ports;
  const { session, undo, found, close } = await findOpened(id, ports);
  try {
    await terminal.out(found.text);
    if (!found.possible) {
      throw new UsageError(message("undo.impossible"), message("undo.impossible_hint"));
    }
    if (!await isWanted(options, ports, signal)) {
      await terminal.err(`rein: ${say("undo.declined")}\n`);
      return;
    }
    await applyAudited(found, { session, undo }, ports);
    const { length } = found.plan.files;
    await terminal.err(`rein: ${say("undo.restored", { count: length })}\n`);
  } finally {
    close();
  }
}
