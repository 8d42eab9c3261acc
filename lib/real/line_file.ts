/**
 * A file to which lines are added.
 *
 * @module
 */

import type { LineFile } from "../ports.ts";
import { fileError, orFileError, pathError } from "./file_error.ts";

/**
 * One write a line, and at the end of the file whoever else writes there: a process that is killed
 * leaves a torn line at the end and no other.
 */
function appendLine(file: Deno.FsFile, path: string, bytes: Uint8Array): void {
  try {
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
  } catch (error) {
    throw fileError(path, error, "written");
  }
}

/** How long a lock that is free may take, where it can't be tried, in milliseconds. */
const LOCK_MS = 2000;

/** Runtimes before 2.8 can only wait for a lock: whoever waits does so until the process ends. */
async function waitForLock(file: Deno.FsFile): Promise<boolean> {
  const tooLong = Promise.withResolvers<false>();
  const timer = setTimeout(() => tooLong.resolve(false), LOCK_MS);
  try {
    return await Promise.race([file.lock(true).then(() => true), tooLong.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function lock(file: Deno.FsFile): Promise<boolean> {
  try {
    return "tryLock" in file ? await file.tryLock(true) : await waitForLock(file);
  } catch {
    return true;
  }
}

/** See `Files.openLines` in `lib/ports.ts`. */
export function openLines(
  path: string,
  options: { readonly mode?: number } = {},
): Promise<LineFile> {
  return orFileError(path, async () => {
    const info = await Deno.stat(path).catch(() => null);
    if (info?.isDirectory) throw pathError("is_directory", path, "written");
    if (info && !info.isFile) throw pathError("not_file", path, "written");
    const file = await Deno.open(path, { append: true, create: true, ...options });
    return {
      lock: () => lock(file),
      append: (line) => appendLine(file, path, new TextEncoder().encode(`${line}\n`)),
      cut: (bytes) => file.truncateSync(bytes),
      close: () => file.close(),
    };
  }, "written");
}
