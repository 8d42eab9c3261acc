/**
 * What undoing a run would do to each of its files.
 *
 * @module
 */

import { FileError, type Files } from "../ports.ts";
import { hashOf, type KeptChange, type KeptChanges } from "./kept_changes.ts";

/** A file that a run changed, and what undoing it comes to. */
export interface UndoFile {
  /** Absolute. */
  readonly path: string;
  /** What it holds now; null: there is no file. */
  readonly now: Uint8Array | null;
  /** What it held before the run; null: there was no file. */
  readonly before: Uint8Array | null;
  /** Its permission bits before the run; null where they are not known. */
  readonly mode: number | null;
  /** Why it can't be restored; null if it can. */
  readonly fault: string | null;
}

/** What undoing a run would do. */
export interface UndoPlan {
  readonly runId: string;
  /** Never empty; in the order in which they were first changed. */
  readonly files: readonly UndoFile[];
}

/** What a file holds, with its permission bits; null where there is none. */
export async function currentOf(
  files: Files,
  path: string,
): Promise<{ readonly bytes: Uint8Array; readonly mode: number | null } | null> {
  try {
    const { mode = null } = await files.stat(path);
    const pieces: Uint8Array[] = [];
    for await (const piece of files.read(path)) pieces.push(piece);
    const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return { bytes, mode };
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return null;
    throw error;
  }
}

async function hashOrNull(bytes: Uint8Array | null): Promise<string | null> {
  return bytes === null ? null : await hashOf(bytes);
}

/** Why a file can't be restored, or null: only what the run itself wrote is replaced. */
function faultOf(changes: readonly KeptChange[], now: string | null): string | null {
  if (changes.some(({ after }) => after === now)) return null;
  return now === null ? "it was removed since" : "it was changed since by somebody else";
}

/** Plans one file; null where it is as it was before the run. */
async function planFile(
  changes: readonly KeptChange[],
  kept: KeptChanges,
  files: Files,
): Promise<UndoFile | null> {
  const [first] = changes;
  if (first === undefined) return null;
  const { path, mode } = first;
  const file = { path, now: null, before: null, mode };
  try {
    const current = await currentOf(files, path);
    const now = current?.bytes ?? null;
    const hash = await hashOrNull(now);
    if (hash === first.before) return null;
    if (now !== null && files.realPathSync(path) !== path) {
      return { ...file, now, fault: "its path leads elsewhere now" };
    }
    const before = first.before === null ? null : kept.content(first.before);
    const lost = first.before !== null && before === null;
    const fault = lost ? "what it held had to make room for later changes" : faultOf(changes, hash);
    return { ...file, now, before, fault };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ...file, fault: error.message };
  }
}

/**
 * Plans to undo the newest run that changed files which are not as they were before.
 *
 * @returns Null where there is none.
 * @throws {DatabaseError} If what was kept can't be read.
 */
export async function planUndo(kept: KeptChanges, files: Files): Promise<UndoPlan | null> {
  for (const runId of kept.runs()) {
    const byPath = Map.groupBy(kept.changesOf(runId), ({ path }) => path);
    const planned: UndoFile[] = [];
    for (const changes of byPath.values()) {
      const file = await planFile(changes, kept, files);
      if (file !== null) planned.push(file);
    }
    if (planned.length > 0) return { runId, files: planned };
  }
  return null;
}
