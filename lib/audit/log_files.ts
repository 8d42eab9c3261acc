/**
 * The files of an audit log: the one that is written to, and those that are full.
 *
 * @module
 */

import type { Folders } from "../ports.ts";

/** The name of a file without its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The name that a file gets when it is full, after the number of its last entry. */
export function rotatedPath(path: string, lastSeq: number): string {
  return `${path}.${String(lastSeq).padStart(12, "0")}`;
}

/**
 * The paths of all files of a log, the oldest first; none where there is no log.
 *
 * @throws {FileError} If the folder can't be read.
 */
export function filesOf(path: string, folders: Pick<Folders, "list" | "info">): readonly string[] {
  const slash = path.lastIndexOf("/");
  const folder = slash < 0 ? "." : path.slice(0, slash) || "/";
  const name = nameOf(path);
  const full = folders.list(folder)
    .filter((other) =>
      other.startsWith(`${name}.`) && /^\d{12,}$/.test(other.slice(name.length + 1))
    )
    .toSorted((one, other) => one.length - other.length || (one < other ? -1 : 1))
    .map((other) => `${folder}/${other}`);
  return folders.info(path) === null ? full : [...full, path];
}
