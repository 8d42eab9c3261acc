/**
 * Putting a whole file in place at once.
 *
 * @module
 */

import type { ReplaceOptions } from "../ports.ts";
import { fileError, orFileError, pathError } from "./file_error.ts";

/** Permission bits of a mode, set-user-id and the like among them. */
export const MODE_BITS = 0o7777;

/** Mode of a new file before the process's mask. Source: POSIX `creat` by convention. */
const NEW_FILE_MODE = 0o666;

/** Whether the runtime grants writing at a path. */
export function writable(path: string): boolean {
  return Deno.permissions.querySync({ name: "write", path }).state === "granted";
}

async function infoOf(path: string): Promise<Deno.FileInfo | null> {
  try {
    return await Deno.lstat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** What stands at a path, if a file may take its place. */
async function replaceable(path: string): Promise<Deno.FileInfo | null> {
  const info = await infoOf(path);
  if (info?.isSymlink) throw pathError("is_link", path, "written");
  if (info?.isDirectory) throw pathError("is_directory", path, "written");
  if (info && !info.isFile) throw pathError("not_file", path, "written");
  return info;
}

function directoryOf(path: string): string {
  const end = path.lastIndexOf("/");
  return end === -1 ? "." : path.slice(0, end) || "/";
}

/** The directory that takes the file, behind its links, where the permissions are checked. */
async function realDirectory(path: string, makeParents: boolean): Promise<string> {
  const directory = directoryOf(path);
  if (makeParents) await Deno.mkdir(directory, { recursive: true });
  try {
    const real = await Deno.realPath(directory);
    if (writable(real)) return real;
  } catch (error) {
    throw fileError(directory, error, "written");
  }
  throw pathError("no_permission", path, "written");
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  for (let offset = 0; offset < bytes.length;) {
    offset += await file.write(bytes.subarray(offset));
  }
  await file.sync();
}

/** Gives a file the owner and the mode of the one that it replaces. */
async function takeAfter(path: string, before: Deno.FileInfo): Promise<void> {
  const own = await Deno.lstat(path);
  if (own.uid !== before.uid || own.gid !== before.gid) {
    // Only root may give files away; anyone else becomes their owner, as with every editor.
    await Deno.chown(path, before.uid, before.gid).catch(() => {});
  }
  if (before.mode !== null) await Deno.chmod(path, before.mode & MODE_BITS);
}

async function writeBeside(
  temporary: string,
  bytes: Uint8Array,
  before: Deno.FileInfo | null,
  wanted: number | undefined,
): Promise<void> {
  // A file of its own name and mode: whoever may not read the old one may not read this one.
  const mode = wanted ?? (before?.mode == null ? NEW_FILE_MODE : before.mode & 0o600);
  const file = await Deno.open(temporary, { write: true, createNew: true, mode });
  try {
    await writeAll(file, bytes);
  } finally {
    file.close();
  }
  if (before) await takeAfter(temporary, before);
  // The process's mask takes bits away from a new file.
  if (wanted !== undefined) await Deno.chmod(temporary, wanted);
}

/** See `Files.replace` in `lib/ports.ts`. */
export function replaceFile(
  path: string,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<void> {
  return orFileError(path, async () => {
    const before = await replaceable(path);
    const directory = await realDirectory(path, options.makeParents);
    const temporary = `${directory}/.rein-${crypto.randomUUID()}.tmp`;
    try {
      await writeBeside(temporary, bytes, before, options.mode);
      // A rename replaces a link that was put there meanwhile; it never follows one.
      await Deno.rename(temporary, `${directory}/${path.slice(path.lastIndexOf("/") + 1)}`);
    } catch (error) {
      await Deno.remove(temporary).catch(() => {});
      throw error;
    }
  }, "written");
}

/** See `Files.remove` in `lib/ports.ts`. */
export function removeFile(path: string): Promise<void> {
  return orFileError(path, async () => {
    await replaceable(path);
    const directory = await realDirectory(path, false);
    await Deno.remove(`${directory}/${path.slice(path.lastIndexOf("/") + 1)}`);
  }, "written");
}
