/**
 * Failures of the real file system, in rein's words.
 *
 * @module
 */

import { FileError, type FileErrorCode } from "../ports.ts";

/** What was to be done with a path. */
export type FileUse = "read" | "written";

const GENERAL: Readonly<Record<FileUse, FileErrorCode>> = {
  read: "unreadable",
  written: "unwritable",
};

function codeOf(error: unknown, use: FileUse): FileErrorCode {
  if (error instanceof Deno.errors.NotFound) return "not_found";
  if (error instanceof Deno.errors.PermissionDenied) return "no_permission";
  if (error instanceof Deno.errors.NotCapable) return "no_permission";
  if (error instanceof Deno.errors.IsADirectory) return "is_directory";
  if (error instanceof Deno.errors.NotADirectory) return "not_directory";
  return GENERAL[use];
}

function phrase(code: FileErrorCode, use: FileUse): string {
  switch (code) {
    case "not_found":
      return "does not exist";
    case "no_permission":
      return `may not be ${use}`;
    case "is_directory":
      return "is a directory";
    case "not_directory":
      return "is not a directory";
    case "is_link":
      return "is a symbolic link";
    case "not_file":
      return "is no regular file";
    case "unreadable":
    case "unwritable":
      return `could not be ${use}`;
  }
}

/** The failure of a path with a code of its own. */
export function pathError(code: FileErrorCode, path: string, use: FileUse): FileError {
  return new FileError(code, path, `"${path}" ${phrase(code, use)}`);
}

/** Whatever the runtime threw, as a failure of the path. */
export function fileError(path: string, error: unknown, use: FileUse = "read"): FileError {
  if (error instanceof FileError) return error;
  const code = codeOf(error, use);
  const detail = code === GENERAL[use] && error instanceof Error ? ` (${error.message})` : "";
  return new FileError(code, path, `"${path}" ${phrase(code, use)}${detail}`, error);
}

/** Does the work; what it throws becomes a failure of the path. */
export async function orFileError<T>(
  path: string,
  work: () => Promise<T>,
  use: FileUse = "read",
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(path, error, use);
  }
}
