/**
 * What the file tools share: failures as outcomes, and whole directories.
 *
 * @module
 */

import { type DirEntry, FileError, type Files } from "../lib/ports.ts";
import type { ObjectSchema, ToolOutcome } from "../lib/types.ts";

/** The `path` field of a schema. */
export function pathField(what: string): ObjectSchema["properties"][string] {
  return {
    type: "string",
    minLength: 1,
    maxLength: 4096,
    description: `${what}, absolute or from the working directory.`,
  };
}

const HINTS: Readonly<Record<FileError["code"], string>> = {
  not_found: "Look with list_files at what is there.",
  no_permission: "It can't be read by this run; say so, or look elsewhere.",
  is_directory: "Use list_files for a directory.",
  not_directory: "Use read_file for a file.",
  is_link: "Name the path that it leads to, so that the policy judges that one.",
  not_file: "Only regular files can be used.",
  unreadable: "Look elsewhere.",
  unwritable: "Say that it could not be written.",
};

/** Turns a failure of the file system into an outcome; throws anything else again. */
export function pathFailure(error: unknown): ToolOutcome {
  if (!(error instanceof FileError)) throw error;
  const { code, message } = error;
  return { ok: false, error: { code, message, hint: HINTS[code], retriable: false } };
}

/** A directory's entries by name. */
export async function sortedEntries(files: Files, path: string): Promise<DirEntry[]> {
  const entries = await Array.fromAsync(files.readDir(path));
  return entries.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Joins a directory and a name. */
export function joinPath(directory: string, name: string): string {
  return directory.endsWith("/") ? directory + name : `${directory}/${name}`;
}

/** A name as it can stand in one line. */
export function lineName(name: string): string {
  // deno-lint-ignore no-control-regex -- names may hold control characters
  return /[\u0000-\u001f\u007f]/.test(name) ? JSON.stringify(name) : name;
}
