/**
 * Folders of rein's own, as the file system has them.
 *
 * @module
 */

import process from "node:process";
import type { DatabaseSync } from "node:sqlite";
import type { FolderLock, Folders, KeptInfo } from "../ports.ts";
import { fileError, type FileUse } from "./file_error.ts";

/** For this user alone. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

/** Attempts at a lock: who only looks whether it is held takes it for a moment. */
const ATTEMPTS = 3;

/** Does the work; what it throws becomes a failure of the path. */
function orFailure<T>(path: string, use: FileUse, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(path, error, use);
  }
}

/** As {@linkcode orFailure}, but nothing at the path is no failure. */
function orNothing<T>(path: string, nothing: T, work: () => T): T {
  return orFailure(path, "read", () => {
    try {
      return work();
    } catch (error) {
      const isThere = !(error instanceof Deno.errors.NotFound) &&
        !(error instanceof Deno.errors.NotADirectory);
      if (isThere) throw error;
      return nothing;
    }
  });
}

function infoOf(info: Deno.FileInfo): KeptInfo {
  const kind = info.isDirectory ? "folder" : "file";
  return { kind, size: info.size, modifiedMs: info.mtime?.getTime() ?? 0 };
}

/** Bytes of a lock's file that are read: it holds one line. */
const TEXT_BYTES = 256;

function textIn(file: Deno.FsFile): string {
  const bytes = new Uint8Array(TEXT_BYTES);
  return new TextDecoder().decode(bytes.subarray(0, file.readSync(bytes) ?? 0));
}

/** Whether the open file is still the one at the path: its folder may have been removed since. */
function isAt(file: Deno.FsFile, path: string): boolean {
  return orNothing(path, false, () => {
    const [open, there] = [file.statSync(), Deno.statSync(path)];
    return open.ino === there.ino && open.dev === there.dev;
  });
}

/**
 * SQLite's lock on an empty data base: it is never waited for, and ends with the process, however
 * that ends. `FsFile.tryLockSync` would do, but is younger than the runtimes that rein is compiled
 * onto. The file is touched by SQLite alone: closing it anywhere else in this process would give
 * the lock back.
 */
function exclusive(path: string): DatabaseSync | null {
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    Deno.chmodSync(path, FILE_MODE);
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes("locked")) return null;
    throw error;
  }
}

/** A lock that is held, and the file that says by whom. */
interface Held {
  readonly file: Deno.FsFile;
  readonly database: DatabaseSync;
}

/** The lock, or null where somebody else holds it. */
function lockedFile(path: string): Held | null {
  const file = Deno.openSync(path, { read: true, write: true, create: true, mode: FILE_MODE });
  let database: DatabaseSync | null = null;
  try {
    database = exclusive(`${path}.db`);
    if (database !== null && isAt(file, path)) return { file, database };
  } catch (error) {
    file.close();
    database?.close();
    throw error;
  }
  file.close();
  database?.close();
  return null;
}

function replaceText(file: Deno.FsFile, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    file.seekSync(0, Deno.SeekMode.Start);
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    file.truncateSync(bytes.length);
  } catch {
    // A full disk: the lock holds all the same.
  }
}

function lockOf({ file, database }: Held, before: string): FolderLock {
  let held = true;
  return {
    before,
    note: (text) => {
      if (held) replaceText(file, text);
    },
    release: () => {
      if (!held) return;
      held = false;
      file.close();
      database.close();
    },
  };
}

/** The folders of this machine, as far as the permissions go. */
export const realFolders: Folders = {
  pid: Deno.pid,
  list: (path) => orNothing(path, [], () => [...Deno.readDirSync(path)].map(({ name }) => name)),
  info: (path) => orNothing(path, null, () => infoOf(Deno.statSync(path))),
  make: (path) =>
    orFailure(path, "written", () => Deno.mkdirSync(path, { recursive: true, mode: FOLDER_MODE })),
  rename: (from, to) => orFailure(from, "written", () => Deno.renameSync(from, to)),
  remove: (path) => orFailure(path, "written", () => Deno.removeSync(path, { recursive: true })),
  read: (path) => orNothing(path, new Uint8Array(0), () => Deno.readFileSync(path)),
  lock: (path, text) =>
    orFailure(path, "written", () => {
      for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
        const held = lockedFile(path);
        if (held === null) continue;
        const lock = lockOf(held, textIn(held.file));
        if (text !== null) lock.note(text);
        return lock;
      }
      return { holder: orNothing(path, "", () => Deno.readTextFileSync(path)) };
    }),
};
