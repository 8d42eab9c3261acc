/**
 * The names of sessions and of their folders.
 *
 * @module
 */

import type { Folders } from "../ports.ts";
import { SessionError } from "./session_error.ts";

/** Characters of a name at the most. Source: the issue of sessions; a file's name holds 255 bytes. */
const MAX_NAME = 64;

/** What may be made of a session's folder once something went wrong; the endings are rein's own. */
const SET_ASIDE = /\.(incomplete|damaged)(-[\d-]+)?$/;

/** `whole`: it can be gone on with. The others were set aside and can only be looked at. */
export type Condition = "whole" | "incomplete" | "damaged";

/**
 * Checks a name that a person gave: letters and digits of any script, `.`, `_`, `-`.
 *
 * @throws {SessionError} `bad_name`.
 */
export function checkName(name: string): void {
  const length = [...name].length;
  const wrong = length === 0
    ? "is empty"
    : length > MAX_NAME
    ? `has ${length} characters, and ${MAX_NAME} are the most`
    : /^[.-]/.test(name)
    ? `begins with "${name[0]}"`
    : SET_ASIDE.test(name)
    ? "has an ending that rein gives to what it sets aside"
    : /^[\p{L}\p{M}\p{N}._-]+$/u.test(name)
    ? null
    : "has other characters than letters, digits, . _ -";
  if (wrong === null) return;
  throw new SessionError(
    "bad_name",
    `"${name}" can't name a session: it ${wrong}`,
    "Choose another.",
  );
}

/** Whether a word can be the name of a session's folder at all. */
export function isFolderName(word: string): boolean {
  return /^[^./][^/\0]*$/.test(word);
}

/** Whether a session was set aside, by the name of its folder. */
export function conditionOf(folderName: string): Condition {
  const [, ending] = SET_ASIDE.exec(folderName) ?? [];
  return ending === "incomplete" || ending === "damaged" ? ending : "whole";
}

/** Where all sessions are, below the folder for what lasts. */
export function sessionsFolder(stateFolder: string): string {
  return `${stateFolder}/sessions`;
}

/** The file of a session's events. */
export function databasePath(folder: string): string {
  return `${folder}/session.db`;
}

/** What SQLite wrote last and has not yet put into the file of a session's events. */
export function walPath(folder: string): string {
  return `${databasePath(folder)}-wal`;
}

/** The file that a process locks as long as it has the session. */
export function lockPath(folder: string): string {
  return `${folder}/lock`;
}

/**
 * Gives a folder a name with an ending, followed by a number where that is taken.
 *
 * @param ending Such as `.incomplete`.
 * @returns The new path.
 * @throws {FileError} If it can't be renamed.
 */
export function setAside(folder: string, ending: string, folders: Folders): string {
  let to = `${folder}${ending}`;
  for (let number = 2; folders.info(to) !== null; number++) to = `${folder}${ending}-${number}`;
  folders.rename(folder, to);
  return to;
}
