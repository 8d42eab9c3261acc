/**
 * Files for long outputs: without a name below `/tmp`, or kept in a session's folder.
 *
 * @module
 */

import type { KeptSpill, SpillFile, SpillFiles } from "../ports.ts";

/** Where those without a name are; the permission set grants writing here and nowhere else. */
const DIRECTORY = "/tmp";

/** Kept outputs: `out3`, and `out3.part` where the end is missing. */
const KEPT = /^(out(\d+))(\.part)?$/;

/**
 * The name goes at once, so that nobody else can open the file and the system frees it when the
 * process ends, however it ends.
 */
function openNameless(): Deno.FsFile {
  const path = `${DIRECTORY}/rein-${crypto.randomUUID()}`;
  const file = Deno.openSync(path, { read: true, write: true, createNew: true, mode: 0o600 });
  Deno.removeSync(path);
  return file;
}

/** What is done with the name of a file. */
type Naming = Pick<SpillFile, "markIncomplete" | "remove">;

function spillFile(file: Deno.FsFile, naming: Naming): SpillFile {
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
    markIncomplete: () => naming.markIncomplete(),
    close: () => file.close(),
    remove: () => {
      file.close();
      naming.remove();
    },
  };
}

/** What opens, or null. */
function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** The spill files of this process; there are none on Windows, where an open file keeps its name. */
export const realSpills: SpillFiles = {
  available: () =>
    Deno.build.os !== "windows" &&
    Deno.permissions.querySync({ name: "write", path: DIRECTORY }).state === "granted",
  kept: () => [],
  create: () =>
    orNull(() => spillFile(openNameless(), { markIncomplete: () => {}, remove: () => {} })),
  open: () => null,
};

function keptIn(folder: string): KeptSpill[] {
  const found = [...Deno.readDirSync(folder)].flatMap(({ name }) => {
    const [, id, number, part] = KEPT.exec(name) ?? [];
    if (id === undefined) return [];
    const { size: length } = Deno.statSync(`${folder}/${name}`);
    return [{ id, length, complete: part === undefined, number: Number(number) }];
  });
  return found.toSorted((one, other) => one.number - other.number)
    .map(({ number: _number, ...kept }) => kept);
}

/** A file by its name; what happens to the name is dropped where it can't be done. */
function namedFile(folder: string, id: string, options: Deno.OpenOptions): SpillFile | null {
  const whole = `${folder}/${id}`;
  const part = `${whole}.part`;
  const file = orNull(() => Deno.openSync(whole, options)) ??
    (options.createNew ? null : orNull(() => Deno.openSync(part, options)));
  return file && spillFile(file, {
    markIncomplete: () => void orNull(() => Deno.renameSync(whole, part)),
    remove: () => {
      for (const path of [whole, part]) orNull(() => Deno.removeSync(path));
    },
  });
}

/**
 * Spill files that stay.
 *
 * @param folder Of rein's own, and there.
 */
export function spillsIn(folder: string): SpillFiles {
  return {
    available: () => true,
    kept: () => orNull(() => keptIn(folder)) ?? [],
    create: (id) =>
      namedFile(folder, id, { read: true, write: true, createNew: true, mode: 0o600 }),
    open: (id) => namedFile(folder, id, { read: true }),
  };
}
