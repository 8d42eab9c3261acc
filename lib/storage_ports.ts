/**
 * What lasts, as small interfaces: files of long outputs, folders and data bases of rein's own, what
 * is kept from run to run.
 *
 * @module
 */

/** A file of rein's own, which no other user can open. */
export interface SpillFile {
  /**
   * Adds all of the bytes.
   *
   * @throws {Error} If they can't be written.
   */
  write(bytes: Uint8Array): void;
  /** Reads into a buffer from an offset in bytes; resolves with how many there were. */
  read(into: Uint8Array, at: number): Promise<number>;
  /** Notes, for whoever opens it later, that it misses its end. */
  markIncomplete(): void;
  /** Ends using it; one that is kept stays. */
  close(): void;
  /** Ends using it; nothing is left of it. */
  remove(): void;
}

/** What an earlier process has left of an output. */
export interface KeptSpill {
  readonly id: string;
  /** In bytes. */
  readonly length: number;
  readonly complete: boolean;
}

/** Files for what is too long for a model to see at once. */
export interface SpillFiles {
  /** Whether this process may write such files at all. */
  available(): boolean;
  /** What is there from earlier processes, the oldest first. */
  kept(): readonly KeptSpill[];
  /** A new file, or null where there can be none. */
  create(id: string): SpillFile | null;
  /** A file that is there, to be read; null where it can't be opened any more. */
  open(id: string): SpillFile | null;
}

/** A value of a column. */
export type SqlValue = null | number | string | Uint8Array;

/** A row by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Why a data base can't be used. `full`: no room on the disk, or for the file. */
export type DatabaseErrorCode = "damaged" | "full" | "busy" | "unusable";

/** A data base can't be opened, read or written. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** An open data base of SQLite. Every method throws {@linkcode DatabaseError}. */
export interface Database {
  /** Runs statements without values; nothing comes back. */
  exec(sql: string): void;
  /** The rows of one statement. Statements are prepared once and kept. */
  all(sql: string, ...values: readonly SqlValue[]): readonly SqlRow[];
  /** Runs one statement; returns how many rows it changed. */
  run(sql: string, ...values: readonly SqlValue[]): number;
  /** All of the work or nothing of it; it begins with the write lock. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** Data bases of SQLite in files of rein's own. */
export interface Databases {
  /**
   * The folder for what lasts, such as `/home/me/.local/state/rein`; null where there is no home or
   * nothing may be read and written there. It may not exist yet.
   */
  readonly folder: string | null;
  /**
   * Opens a file, made with its folders where it is missing, for this user alone (0600, 0700).
   *
   * @param path Absolute; null: in memory, gone with `close`.
   * @throws {DatabaseError} If it can't be opened.
   */
  open(path: string | null, options?: DatabaseOptions): Promise<Database>;
}

/** How a data base is opened. */
export interface DatabaseOptions {
  /** Whether it must be there already and is left as it is; false if left out. */
  readonly readOnly?: boolean;
  /**
   * Whether it must be there already and nobody else has it: what those who share a file need
   * beside it is then not made, for which a full disk has no room. False if left out.
   */
  readonly alone?: boolean;
}

/** What is known of an entry of a folder of rein's own. */
export interface KeptInfo {
  readonly kind: "folder" | "file";
  /** In bytes. */
  readonly size: number;
  /** Milliseconds since the epoch; 0 where unknown. */
  readonly modifiedMs: number;
}

/** A lock on a folder, which ends with this process at the latest. */
export interface FolderLock {
  /** What the file of the lock said before; empty where it is new. */
  readonly before: string;
  /** Replaces what the file says; what can't be written is dropped. */
  note(text: string): void;
  /** Gives it back; never throws. */
  release(): void;
}

/**
 * Folders of rein's own, for what lasts: absolute paths, for this user alone (0700, 0600). Every
 * method throws {@linkcode FileError}.
 */
export interface Folders {
  /** The number of this process. */
  readonly pid: number;
  /** Names of what is in a folder, unsorted; none where there is no folder. */
  list(path: string): readonly string[];
  /** What is at a path, or null where nothing is. */
  info(path: string): KeptInfo | null;
  /** Makes a folder and its parents where they are missing. */
  make(path: string): void;
  /** Takes a folder or a file to another name, at which nothing is. */
  rename(from: string, to: string): void;
  /** Removes a folder with all that is in it. */
  remove(path: string): void;
  /** A file's bytes from the beginning, or none where there is no file. */
  read(path: string): Uint8Array;
  /**
   * Takes the lock of a file, made where it is missing, without waiting.
   *
   * @param text What the file says as long as it is held; what can't be written is dropped. Null
   * leaves it as it is.
   * @returns The lock, or what the file says of who holds it.
   */
  lock(path: string, text: string | null): FolderLock | { readonly holder: string };
}

/** One thing that is kept from run to run. */
export interface Memory {
  /** Unique: a new value under the same key replaces the old one. */
  readonly key: string;
  readonly value: string;
  readonly kind: "fact" | "preference";
  /** Milliseconds since the epoch. */
  readonly updatedMs: number;
}

/** What a search found. */
export interface FoundMemories {
  /** Best first. */
  readonly memories: readonly Memory[];
  /** Whether each of them has every word of the query, or only something like it. */
  readonly exact: boolean;
}

/** The store of what is kept can't be used. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
}

/** What is kept from run to run. Rejects with {@linkcode MemoryError}. */
export interface Memories {
  /** Where it is kept; null where there is no place that may be read and written. */
  readonly path: string | null;
  put(memory: Memory): Promise<void>;
  /** Whether there was something under the key. */
  remove(key: string): Promise<boolean>;
  get(key: string): Promise<Memory | null>;
  /** An empty query finds all, the latest first. */
  search(query: string, limit: number): Promise<FoundMemories>;
  count(): Promise<number>;
}
