/**
 * A session and files of its own, whose changes are kept.
 *
 * @module
 */

import type { Event } from "../../lib/events.ts";
import type { Ports } from "../../lib/ports.ts";
import { realFiles } from "../../lib/real/files.ts";
import type { Session } from "../../lib/session/store.ts";
import { UndoLog } from "../../lib/undo/undo_log.ts";
import { fakePorts } from "../fakes.ts";
import { eventOf, open, portsIn } from "../session/_sessions.ts";
import { inTempDir } from "../_temp.ts";

/** Where changes are made and undone. */
export interface Bench {
  readonly ports: Ports;
  readonly session: Session;
  readonly undo: UndoLog;
  /** What was warned of. */
  readonly warnings: readonly string[];
  /** The path of a file. */
  path(name: string): string;
  /** Lets a call of a run write a file, as a tool would. */
  write(name: string, text: string, runId?: string): Promise<void>;
  /** What a file holds; null if there is none. */
  read(name: string): string | null;
}

/** The beginning of a call. */
export function began(runId: string): Event {
  const type = "call_started";
  return eventOf({ type, call_id: "c1", tool: "write_file", brief: "" }, 1, runId);
}

/** Works with these files, in a directory without links. */
export function withUndo(
  contents: Readonly<Record<string, string>>,
  work: (bench: Bench) => Promise<void>,
): Promise<void> {
  return inTempDir({}, async (made) => {
    const directory = await Deno.realPath(made);
    const path = (name: string) => `${directory}/${name}`;
    for (const [name, text] of Object.entries(contents)) await Deno.writeTextFile(path(name), text);
    const sessionPorts = portsIn(`${directory}/state`);
    const ports = fakePorts({ ...sessionPorts, files: realFiles });
    const { session } = await open(sessionPorts, { id: "work" });
    const warnings: string[] = [];
    const undo = new UndoLog(session, ports, { warn: (text) => warnings.push(text) });
    const encoder = new TextEncoder();
    try {
      await work({
        ports,
        session,
        undo,
        warnings,
        path,
        write: async (name, text, runId = "run1") => {
          await undo.event(began(runId));
          await undo.files.replace(path(name), encoder.encode(text), { makeParents: false });
        },
        read: (name) => {
          try {
            return Deno.readTextFileSync(path(name));
          } catch {
            return null;
          }
        },
      });
    } finally {
      undo.close();
      session.close();
    }
  });
}
