/**
 * What an audit log needs of the outside world, as small interfaces.
 *
 * @module
 */

/** A log as its one writer of the moment has it. Every method throws {@linkcode FileError}. */
export interface HeldLog {
  /** In bytes; null: there is no file. */
  size(): number | null;
  /** Bytes from a place on; fewer where the file ends before. */
  read(start: number, length: number): Uint8Array;
  /** Adds all of the bytes in one write, to a file that is made where it is missing (0600). */
  append(bytes: Uint8Array): void;
  /** Waits until the disk has what was added. */
  sync(): void;
  /** Gives the file another name; the next that is added makes a new one. */
  moveTo(path: string): void;
  /** What the small file beside it says; empty where it is new. */
  head(): string;
  /** Replaces that in one write; the length of the text should not change from time to time. */
  setHead(text: string): void;
}

/** A file to which several processes add. */
export interface SharedLog {
  /**
   * Does work while no other process does any on the same file. To be called again only once it has
   * ended.
   *
   * @throws {FileError} If the files can't be opened, or another process holds them for too long.
   */
  exclusively<T>(work: (log: HeldLog) => Promise<T>): Promise<T>;
  /** Ends using it; never throws. */
  close(): void;
}

/** Files to which several processes add. */
export interface SharedLogs {
  /** Prepares the use of a file, by its absolute path; nothing is touched before the first work. */
  open(path: string): SharedLog;
  /** Whether this process may write at a path at all. */
  permitted(path: string): boolean;
}

/** Hashes, in hexadecimal digits. */
export interface Hashes {
  sha256(bytes: Uint8Array): Promise<string>;
  /** HMAC-SHA-256. */
  hmac(key: Uint8Array, bytes: Uint8Array): Promise<string>;
}

/** The machine and the user, as far as this process may know them. */
export interface Machine {
  host(): string | null;
  uid(): number | null;
  readonly pid: number;
}
