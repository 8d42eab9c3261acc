/**
 * Reading the real file system.
 *
 * @module
 */

import { FileError, type FileErrorCode, type FileInfo, type Files } from "../ports.ts";
import { behindLinks } from "./links.ts";

/** What is said of each failure, after the path. */
const FAILURES: Readonly<Record<FileErrorCode, string>> = {
  not_found: "does not exist",
  no_permission: "may not be read",
  is_directory: "is a directory",
  not_directory: "is not a directory",
  unreadable: "could not be read",
};

function codeOf(error: unknown): FileErrorCode {
  if (error instanceof Deno.errors.NotFound) return "not_found";
  if (error instanceof Deno.errors.PermissionDenied) return "no_permission";
  if (error instanceof Deno.errors.NotCapable) return "no_permission";
  if (error instanceof Deno.errors.IsADirectory) return "is_directory";
  if (error instanceof Deno.errors.NotADirectory) return "not_directory";
  return "unreadable";
}

function fileError(path: string, error: unknown): FileError {
  const code = codeOf(error);
  const detail = code === "unreadable" && error instanceof Error ? ` (${error.message})` : "";
  return new FileError(code, path, `"${path}" ${FAILURES[code]}${detail}`, error);
}

async function orFileError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(path, error);
  }
}

function infoOf(info: Deno.FileInfo): FileInfo {
  return {
    kind: info.isFile ? "file" : info.isDirectory ? "directory" : "other",
    size: info.size,
    modifiedMs: info.mtime?.getTime() ?? null,
  };
}

function entryKind(entry: Deno.DirEntry): "file" | "directory" | "symlink" | "other" {
  if (entry.isSymlink) return "symlink";
  if (entry.isFile) return "file";
  return entry.isDirectory ? "directory" : "other";
}

/** Opens what has an end: opening a pipe waits for its writer, whatever the signal says. */
async function openFile(path: string): Promise<Deno.FsFile> {
  const { isFile, isDirectory } = await Deno.stat(path);
  if (isDirectory) throw new Deno.errors.IsADirectory(`"${path}" is a directory`);
  if (!isFile) throw new TypeError("it is a pipe, a socket or a device");
  return await Deno.open(path);
}

/** The file system of this machine, as far as the permissions go. */
export const realFiles: Files = {
  cwd: () => {
    try {
      return Deno.cwd();
    } catch (error) {
      throw fileError(".", error);
    }
  },
  realPathSync: (path) => {
    try {
      return Deno.realPathSync(path);
    } catch {
      return null;
    }
  },
  stat: (path) => orFileError(path, async () => infoOf(await Deno.stat(await behindLinks(path)))),
  async *readDir(path) {
    try {
      for await (const entry of Deno.readDir(await behindLinks(path))) {
        yield { name: entry.name, kind: entryKind(entry) };
      }
    } catch (error) {
      throw fileError(path, error);
    }
  },
  readText: (path, signal) =>
    orFileError(
      path,
      async () => Deno.readTextFile(await behindLinks(path), signal ? { signal } : {}),
    ),
  async *read(path, signal) {
    const file = await orFileError(path, async () => openFile(await behindLinks(path)));
    try {
      const buffer = new Uint8Array(64 * 1024);
      while (true) {
        signal?.throwIfAborted();
        const count = await orFileError(path, () => file.read(buffer));
        if (count === null) return;
        yield buffer.slice(0, count);
      }
    } finally {
      file.close();
    }
  },
};
