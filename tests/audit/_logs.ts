/**
 * Audit logs for tests.
 *
 * @module
 */

import { AuditLog, type LogOptions } from "../../lib/audit/audit_log.ts";
import type { Actor, AuditEntry, DraftEntry } from "../../lib/audit/entry.ts";
import { realFiles } from "../../lib/real/files.ts";
import { fakePorts } from "../fakes.ts";

/** Whoever writes in tests. */
export const ACTOR: Actor = {
  host: "testhost",
  user: { uid: 1000, name: "me" },
  cwd: "/work",
  pid: 4711,
};

/** Ports with the real file system. */
export const PORTS = fakePorts({ files: realFiles });

/** A key. */
export const KEY = new TextEncoder().encode("a key that nobody knows");

/** An entry that says nothing but a number. */
export function draftOf(number: number, more: Partial<DraftEntry> = {}): DraftEntry {
  return {
    at: new Date(number * 1000).toISOString(),
    ...ACTOR,
    run_id: "run1",
    session: null,
    trace_id: "run1",
    step: 1,
    kind: "call_started",
    call_id: `call_${number}`,
    tool: "run_shell",
    brief: `echo ${number} é 中文 "quoted"`,
    delegation: null,
    ...more,
  } as DraftEntry;
}

/** A log at a path. */
export function logAt(path: string, options: Partial<LogOptions> = {}): AuditLog {
  return new AuditLog({ path, key: null, actor: ACTOR, ...options }, PORTS);
}

/** Writes a log of so many entries, that of the beginning included. */
export async function writeLog(
  path: string,
  count: number,
  options: Partial<LogOptions> = {},
): Promise<void> {
  const log = logAt(path, options);
  const drafts = Array.from({ length: count - 1 }, (_, index) => draftOf(index + 2));
  for (let at = 0; at < drafts.length; at += 500) {
    await log.append(drafts.slice(at, at + 500), false);
  }
  if (count === 1) await log.append([], false);
  await log.close();
}

/** The lines of a file, without their ends. */
export async function linesIn(path: string): Promise<string[]> {
  const text = await Deno.readTextFile(path);
  return text.split("\n").slice(0, text.endsWith("\n") ? -1 : undefined);
}

/** The entries of a file. */
export async function entriesIn(path: string): Promise<AuditEntry[]> {
  return (await linesIn(path)).map((line) => JSON.parse(line) as AuditEntry);
}
