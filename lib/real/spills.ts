/**
 * Files of the process's own, below `/tmp`.
 *
 * @module
 */

import type { SpillFile, SpillFiles } from "../ports.ts";

/** Where they are; the permission set grants writing here and nowhere else. */
const DIRECTORY = "/tmp";

/**
 * The name goes at once, so that nobody else can open the file and the system frees it when the
 * process ends, however it ends.
 */
function open(): Deno.FsFile {
  const path = `${DIRECTORY}/rein-${crypto.randomUUID()}`;
  const file = Deno.openSync(path, { read: true, write: true, createNew: true, mode: 0o600 });
  Deno.removeSync(path);
  return file;
}

function spillFile(file: Deno.FsFile): SpillFile {
  let end = 0;
  let atEnd = true;
  return {
    write: (bytes) => {
      if (!atEnd) file.seekSync(end, Deno.SeekMode.Start);
      atEnd = true;
      for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
      end += bytes.length;
    },
    read: async (into, at) => {
      atEnd = false;
      await file.seek(at, Deno.SeekMode.Start);
      return await file.read(into) ?? 0;
    },
    close: () => file.close(),
  };
}

/** The spill files of this process; there are none on Windows, where an open file keeps its name. */
export const realSpills: SpillFiles = {
  available: () =>
    Deno.build.os !== "windows" &&
    Deno.permissions.querySync({ name: "write", path: DIRECTORY }).state === "granted",
  create: () => {
    try {
      return spillFile(open());
    } catch {
      return null;
    }
  },
};
