import { assertEquals } from "@std/assert";
import { realFiles } from "../../lib/real/files.ts";
import { FileError } from "../../lib/ports.ts";
import { inTempDir } from "../e2e/_program.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Puts a text in place and tells how that failed, or null. */
async function replace(path: string, text: string, makeParents = false): Promise<string | null> {
  try {
    await realFiles.replace(path, bytes(text), { makeParents });
    return null;
  } catch (error) {
    return error instanceof FileError ? error.code : String(error);
  }
}

/** The names in a directory with what is in them. */
function contents(directory: string): Record<string, string> {
  const names = [...Deno.readDirSync(directory)].filter(({ isFile }) => isFile);
  return Object.fromEntries(
    names.map(({ name }) => [name, Deno.readTextFileSync(`${directory}/${name}`)]),
  );
}

Deno.test("replace() creates a file and leaves nothing else behind", () =>
  inTempDir(async (directory) => {
    assertEquals(await replace(`${directory}/a`, "新"), null);
    assertEquals(contents(directory), { a: "新" });
  }));

Deno.test("replace() keeps the mode of what it replaces", () =>
  inTempDir(async (directory) => {
    const path = `${directory}/script`;
    await Deno.writeTextFile(path, "old");
    await Deno.chmod(path, 0o6751);
    assertEquals(await replace(path, "new"), null);
    const { mode } = await Deno.stat(path);
    assertEquals([contents(directory), (mode ?? 0) & 0o7777], [{ script: "new" }, 0o6751]);
  }));

Deno.test("replace() lets whoever has the old file open read on", () =>
  inTempDir(async (directory) => {
    const path = `${directory}/a`;
    await Deno.writeTextFile(path, "old");
    using open = await Deno.open(path);
    await replace(path, "new");
    const buffer = new Uint8Array(8);
    const count = await open.read(buffer) ?? 0;
    assertEquals(new TextDecoder().decode(buffer.subarray(0, count)), "old");
  }));

Deno.test("replace() makes missing directories only when asked for", () =>
  inTempDir(async (directory) => {
    const path = `${directory}/a/b/c`;
    assertEquals([await replace(path, "x"), await replace(path, "x", true)], ["not_found", null]);
    assertEquals(contents(`${directory}/a/b`), { c: "x" });
  }));

Deno.test("replace() refuses links, directories and what is no regular file", () =>
  inTempDir(async (directory) => {
    await Deno.writeTextFile(`${directory}/a`, "old");
    await Deno.symlink(`${directory}/a`, `${directory}/link`);
    await Deno.symlink(`${directory}/nowhere`, `${directory}/dangling`);
    const refusals = [];
    for (const path of [`${directory}/link`, `${directory}/dangling`, directory, "/dev/null"]) {
      refusals.push(await replace(path, "new"));
    }
    assertEquals(refusals, ["is_link", "is_link", "is_directory", "not_file"]);
    assertEquals(contents(directory), { a: "old" });
  }));

Deno.test("replace() gives a file the mode that is asked for, whatever the mask and the old one", async () => {
  await inTempDir(async (directory) => {
    await Deno.writeTextFile(`${directory}/old`, "1");
    const modeOf = async (name: string) =>
      ((await Deno.stat(`${directory}/${name}`)).mode ?? 0) & 0o7777;
    await Deno.chmod(`${directory}/old`, 0o644);
    for (const name of ["old", "new"]) {
      await realFiles.replace(`${directory}/${name}`, bytes("2"), {
        makeParents: false,
        mode: 0o600,
      });
    }
    await realFiles.replace(`${directory}/open`, bytes("2"), { makeParents: false, mode: 0o666 });
    assertEquals(await Promise.all(["old", "new", "open"].map(modeOf)), [0o600, 0o600, 0o666]);
  });
});

Deno.test("remove() removes a regular file, and neither a link nor a directory", async () => {
  await inTempDir(async (directory) => {
    await Deno.mkdir(`${directory}/dir`);
    await Deno.writeTextFile(`${directory}/file`, "1");
    await Deno.symlink(`${directory}/file`, `${directory}/link`);
    const codes = [];
    for (const name of ["link", "file", "dir", "gone"]) {
      codes.push(
        await realFiles.remove(`${directory}/${name}`).then(() => null, ({ code }) => code),
      );
    }
    const left = [...Deno.readDirSync(directory)].map(({ name }) => name).toSorted();
    assertEquals([codes, left], [
      ["is_link", null, "is_directory", "not_found"],
      ["dir", "link"],
    ]);
  });
});
