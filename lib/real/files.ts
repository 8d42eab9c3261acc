/**
 * The real file system.
 *
 * @module
 */

import type { FileInfo, Files } from "../ports.ts";
import { fileError, orFileError } from "./file_error.ts";
import { openLines } from "./line_file.ts";
import { behindLinks } from "./links.ts";
import { MODE_BITS, removeFile, replaceFile, writable } from "./replace_file.ts";

function infoOf(info: Deno.FileInfo): FileInfo {
  return {
    kind: info.isFile ? "file" : info.isDirectory ? "directory" : "other",
    size: info.size,
    modifiedMs: info.mtime?.getTime() ?? null,
    ...(info.mode === null ? {} : { mode: info.mode & MODE_BITS }),
  };
}

/** Mode bits of a group and of everyone. */
const OTHERS = 0o077;

/** Mode bits that let a group or everyone write. */
const OTHERS_WRITE = 0o022;

function entryKind(entry: Deno.DirEntry): "file" | "directory" | "symlink" | "other" {
  if (entry.isSymlink) return "symlink";
  if (entry.isFile) return "file";
  return entry.isDirectory ? "directory" : "other";
}

/** Bytes read at once. */
const PIECE_BYTES = 64 * 1024;

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
  async *read(path, signal, { start = 0, pieceBytes = PIECE_BYTES, reuse = false } = {}) {
    const file = await orFileError(path, async () => openFile(await behindLinks(path)));
    try {
      if (start > 0) await orFileError(path, () => file.seek(start, Deno.SeekMode.Start));
      let buffer = new Uint8Array(pieceBytes);
      let spare = reuse ? new Uint8Array(pieceBytes) : buffer;
      while (true) {
        signal?.throwIfAborted();
        const count = await orFileError(path, () => file.read(buffer));
        if (count === null) return;
        yield reuse ? buffer.subarray(0, count) : buffer.slice(0, count);
        [buffer, spare] = [spare, buffer];
      }
    } finally {
      file.close();
    }
  },
  writable,
  readable: (path) => Deno.permissions.querySync({ name: "read", path }).state === "granted",
  ownedByRoot: (path) =>
    orFileError(path, async () => {
      const directory = path.slice(0, path.lastIndexOf("/")) || "/";
      const infos = [await Deno.lstat(path), await Deno.stat(directory)];
      return infos.every(({ uid, mode }) => uid === 0 && mode !== null && !(mode & OTHERS_WRITE));
    }),
  ownedAlone: (path) =>
    orFileError(path, async () => {
      const { isFile, uid, mode } = await Deno.lstat(path);
      return isFile && uid !== null && uid === Deno.uid() && mode !== null && !(mode & OTHERS);
    }),
  replace: replaceFile,
  openLines,
  remove: removeFile,
};
