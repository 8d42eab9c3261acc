/**
 * Files to which several processes add, on the file system.
 *
 * @module
 */

import type { HeldLog, SharedLog, SharedLogs } from "../ports.ts";
import { FileError } from "../ports.ts";
import { fileError, type FileUse } from "./file_error.ts";

/** For this user alone; a file that is there keeps its mode. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Who holds the lock does so for as long as the disk takes; longer, and it hangs. In milliseconds. */
const LOCK_MS = 5000;

/** Attempts at a lock whose file was replaced meanwhile. */
const ATTEMPTS = 3;

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}

/** Does the work; what it throws becomes a failure of the path. */
function orFailure<T>(path: string, use: FileUse, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fileError(path, error, use);
  }
}

function statOf(path: string): Deno.FileInfo | null {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Whether an open file is the one that has the path now. */
function isAt(file: Deno.FsFile, path: string): boolean {
  const [open, there] = [file.statSync(), statOf(path)];
  return there !== null && open.ino === there.ino && open.dev === there.dev;
}

function writeAll(file: Deno.FsFile, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
}

/** Resolves with whether the lock came in time; one that comes later is given back. */
async function lockInTime(file: Deno.FsFile): Promise<boolean> {
  const locked = file.lock(true);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), LOCK_MS);
  });
  const first = await Promise.race([locked, late]);
  clearTimeout(timer);
  if (first !== "late") return true;
  void locked.then(() => file.unlockSync()).catch(() => {});
  return false;
}

/** The file and what stands beside it, which is also what is locked: it is never moved. */
class RealSharedLog implements SharedLog, HeldLog {
  readonly #path: string;
  readonly #headPath: string;
  #file: Deno.FsFile | null = null;
  #head: Deno.FsFile | null = null;

  constructor(path: string) {
    this.#path = path;
    this.#headPath = `${path}.head`;
  }

  async exclusively<T>(work: (log: HeldLog) => Promise<T>): Promise<T> {
    const head = await this.#lock();
    try {
      return await work(this);
    } finally {
      head.unlockSync();
    }
  }

  close(): void {
    this.#file?.close();
    this.#head?.close();
    this.#file = this.#head = null;
  }

  async #lock(): Promise<Deno.FsFile> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const head = this.#head ??= this.#openHead();
      if (!await lockInTime(head)) {
        this.#head = null;
        const message = `"${this.#path}" is held by another process, which does not let go of it`;
        throw new FileError("unwritable", this.#path, message);
      }
      if (orFailure(this.#headPath, "written", () => isAt(head, this.#headPath))) return head;
      head.close();
      this.#head = null;
    }
    throw new FileError("unwritable", this.#path, `"${this.#headPath}" is replaced all the time`);
  }

  #openHead(): Deno.FsFile {
    return orFailure(this.#headPath, "written", () => {
      Deno.mkdirSync(directoryOf(this.#path), { recursive: true, mode: FOLDER_MODE });
      const options = { read: true, write: true, create: true, mode: FILE_MODE };
      return Deno.openSync(this.#headPath, options);
    });
  }

  /** The open file; another process may have moved it. Null: there is none. */
  #opened(create: boolean): Deno.FsFile | null {
    return orFailure(this.#path, "written", () => {
      if (this.#file !== null && !isAt(this.#file, this.#path)) {
        this.#file.close();
        this.#file = null;
      }
      if (this.#file === null && (create || statOf(this.#path) !== null)) {
        const options = { read: true, append: true, create, mode: FILE_MODE };
        this.#file = Deno.openSync(this.#path, options);
      }
      return this.#file;
    });
  }

  size(): number | null {
    return this.#opened(false)?.statSync().size ?? null;
  }

  read(start: number, length: number): Uint8Array {
    const file = this.#opened(false);
    if (file === null) return new Uint8Array(0);
    return orFailure(this.#path, "read", () => {
      file.seekSync(start, Deno.SeekMode.Start);
      const bytes = new Uint8Array(length);
      let end = 0;
      for (let got = 1; got > 0 && end < length; end += got) {
        got = file.readSync(bytes.subarray(end)) ?? 0;
      }
      return bytes.subarray(0, end);
    });
  }

  append(bytes: Uint8Array): void {
    const file = this.#opened(true)!;
    const before = file.statSync().size;
    orFailure(this.#path, "written", () => {
      try {
        writeAll(file, bytes);
      } catch (error) {
        // A full disk took a part of it; where that can't be taken back, the next writer says so.
        try {
          file.truncateSync(before);
        } catch {
          // A file that can only be added to.
        }
        throw error;
      }
    });
  }

  sync(): void {
    orFailure(this.#path, "written", () => this.#opened(false)?.syncDataSync());
  }

  moveTo(path: string): void {
    orFailure(this.#path, "written", () => Deno.renameSync(this.#path, path));
    this.#file?.close();
    this.#file = null;
  }

  head(): string {
    const head = this.#head!;
    return orFailure(this.#headPath, "read", () => {
      const bytes = new Uint8Array(head.statSync().size);
      head.seekSync(0, Deno.SeekMode.Start);
      return new TextDecoder().decode(bytes.subarray(0, head.readSync(bytes) ?? 0));
    });
  }

  setHead(text: string): void {
    const head = this.#head!;
    const bytes = new TextEncoder().encode(text);
    orFailure(this.#headPath, "written", () => {
      head.seekSync(0, Deno.SeekMode.Start);
      writeAll(head, bytes);
      if (head.statSync().size !== bytes.length) head.truncateSync(bytes.length);
    });
  }
}

/** The shared logs of this machine, as far as the permissions go. */
export const realLogs: SharedLogs = {
  open: (path) => new RealSharedLog(path),
  permitted: (path) =>
    (["read", "write"] as const).every((name) =>
      Deno.permissions.querySync({ name, path }).state === "granted"
    ),
};
