/**
 * What is kept of a run: its session, its outputs, what can be undone.
 *
 * @module
 */

import type { TodoItem } from "../../tools/todo.ts";
import type { Ports } from "../ports.ts";
import { noteUnkept, type RunRecord } from "../record.ts";
import { createResults, type Results } from "../results/results.ts";
import type { Session } from "../session/store.ts";
import { UndoLog } from "../undo/undo_log.ts";
import type { RunSettings } from "./load_settings.ts";
import type { Redact } from "../session/redact_event.ts";
import { openRunSession } from "./run_session.ts";
import type { RunFace, RunWish } from "./run_wish.ts";

/** A session with what its tools bring back. */
export interface Kept {
  readonly session: Session;
  readonly record: RunRecord;
  /** The steps of its task. */
  readonly todo: TodoItem[];
  readonly results: Results;
  /** Takes the secrets out of what is stored, audited and shown; the same one for all. */
  readonly redact: Redact;
  /** Null: nothing of the session stays, so that nothing could be undone once the run has ended. */
  readonly undo: UndoLog | null;
}

/**
 * Opens the session of a run.
 *
 * @throws As `openRunSession`.
 */
export async function openKept(
  { settings, secrets }: RunSettings,
  { choice, goesOn = false }: RunWish,
  ports: Ports,
  { steps }: RunFace,
): Promise<Kept> {
  const redact: Redact = (data) => results.redact(data);
  const { session, record, todo, notes } = await openRunSession(choice, {
    keep: settings.session,
    redact,
    onFailure: (text) => {
      noteUnkept(record);
      void steps.warn(text);
    },
  }, ports);
  for (const text of notes) await steps.warn(text);
  const spills = session.folder === null ? ports.spills : ports.spillsIn(session.folder);
  const results = createResults({ spills, secrets });
  const warn = (text: string) => void steps.warn(text);
  const isKept = session.folder !== null || goesOn;
  const undo = isKept ? new UndoLog(session, ports, { warn }) : null;
  return { session, record, todo, results, redact, undo };
}
