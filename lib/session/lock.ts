/**
 * The lock of a session: one process has it, and whoever comes second is told which.
 *
 * @module
 */

import { localClock, localDay } from "../local_time.ts";
import type { FolderLock, Ports } from "../ports.ts";
import { lockPath } from "./names.ts";
import { SessionError } from "./session_error.ts";

/** Says that a session is not needed any more, and when it ended: such ones are pruned. */
const PRUNABLE = /^may be pruned, ended (\S+)/;

/** Says that a session misses its end, where its folder could not be renamed. */
const INCOMPLETE = "incomplete";

const HELD = /^(\d+) since (\S+)/;

/** Who has a session. */
interface Holder {
  readonly pid: string;
  readonly sinceMs: number;
}

function holderIn(text: string): Holder | null {
  const [, pid, since] = HELD.exec(text) ?? [];
  return pid === undefined ? null : { pid, sinceMs: Date.parse(since ?? "") };
}

/** The time as a clock on the wall shows it, with the day where that is another one. */
function wallTime(ms: number, nowMs: number): string {
  const [day, time] = [localDay(ms), localClock(ms)];
  return day === localDay(nowMs) ? time : `${day} ${time}`;
}

function inUse(id: string, text: string, nowMs: number): SessionError {
  const holder = holderIn(text);
  const by = holder === null ? "another process" : `process ${holder.pid}`;
  const since = holder === null || Number.isNaN(holder.sinceMs)
    ? ""
    : `, since ${wallTime(holder.sinceMs, nowMs)}`;
  return new SessionError(
    "in_use",
    `Session "${id}" is in use by ${by}${since}`,
    "Wait until that ends, or begin another session.",
  );
}

/**
 * Takes the lock of a session for this process.
 *
 * @throws {SessionError} `in_use`.
 * @throws {FileError} If the file of the lock can't be opened.
 */
export function takeLock(
  id: string,
  folder: string,
  { folders, clock }: Pick<Ports, "folders" | "clock">,
): FolderLock {
  const now = clock.now();
  const text = `${folders.pid} since ${new Date(now).toISOString()}\n`;
  const taken = folders.lock(lockPath(folder), text);
  if ("holder" in taken) throw inUse(id, taken.holder, now);
  return taken;
}

/** Whether some process has the session. Looking takes the lock for a moment. */
export function isInUse(folder: string, { folders }: Pick<Ports, "folders">): boolean {
  if (folders.info(lockPath(folder)) === null) return false;
  const taken = folders.lock(lockPath(folder), null);
  if ("holder" in taken) return true;
  taken.release();
  return false;
}

/** Whether whoever had the session last did not end orderly. */
export function wasBroken({ before }: FolderLock): boolean {
  return holderIn(before) !== null;
}

/** Whether the session misses its end. */
export function missesItsEnd({ before }: FolderLock): boolean {
  return before.startsWith(INCOMPLETE);
}

/** Notes beside a session that it misses its end. */
export function noteIncomplete(lock: FolderLock, nowMs: number): void {
  lock.note(`${INCOMPLETE} since ${new Date(nowMs).toISOString()}\n`);
}

/** Notes that the session was left orderly, and whether it may go once it is old. */
export function noteEnded(lock: FolderLock, prunable: boolean, nowMs: number): void {
  const ended = `ended ${new Date(nowMs).toISOString()}\n`;
  lock.note(prunable ? `may be pruned, ${ended}` : ended);
}

/** When a session ended that may be pruned, in milliseconds; null for others. */
export function prunableSince(text: string): number | null {
  const [, ended] = PRUNABLE.exec(text) ?? [];
  const ms = Date.parse(ended ?? "");
  return Number.isNaN(ms) ? null : ms;
}
