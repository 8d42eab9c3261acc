import { assertEquals, assertRejects } from "@std/assert";
import { FileError, type Files } from "../../lib/ports.ts";
import { realFiles } from "../../lib/real/files.ts";
import type { ToolOutcome } from "../../lib/types.ts";
import { createListFiles, type ListFilesArgs } from "../../tools/list_files.ts";
import { CONTEXT, MemoryFiles } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";

function list(args: ListFilesArgs, files: Files): Promise<ToolOutcome> {
  return createListFiles({ files }).run(args, CONTEXT);
}

const FILES = new MemoryFiles({ "b.txt": "12345", "a/x": "", "a/deep/y": "中", "-rf": "1" });

const TIME = "1970-01-01T00:00:00Z";

Deno.test("list_files lists names, sizes and times in order", async () => {
  assertEquals(await list({}, FILES), {
    ok: true,
    data: { entries: `-rf\t1\t${TIME}\na/\nb.txt\t5\t${TIME}`, total: 3 },
    summary: "3 entries",
  });
});

Deno.test("list_files goes as deep as it is asked to", async () => {
  assertEquals(await list({ path: "a", depth: 2 }, FILES), {
    ok: true,
    data: { entries: `deep/\ndeep/y\t3\t${TIME}\nx\t0\t${TIME}`, total: 3 },
    summary: "3 entries",
  });
});

Deno.test("list_files lists 400 entries and counts the others", async () => {
  const names = Array.from({ length: 450 }, (_, index) => `f${String(index).padStart(3, "0")}`);
  const files = new MemoryFiles(Object.fromEntries(names.map((name) => [name, ""])));
  const outcome = await list({}, files);
  const data = outcome.ok ? outcome.data : {};
  assertEquals(
    { ...data, entries: String(data["entries"]).split("\n").length },
    {
      entries: 400,
      total: 450,
      note: "50 more entries are not listed; list a directory below, or less deep.",
    },
  );
});

Deno.test("list_files marks a directory below that may not be read, and goes on", async () => {
  class Guarded extends MemoryFiles {
    override readDir(path: string): ReturnType<MemoryFiles["readDir"]> {
      if (!path.endsWith("/a")) return super.readDir(path);
      throw new FileError("no_permission", path, `"${path}" may not be read`);
    }
  }
  const files = new Guarded({ "b.txt": "12345", "a/x": "", "-rf": "1" });
  assertEquals(await list({ depth: 3 }, files), {
    ok: true,
    data: { entries: `-rf\t1\t${TIME}\na/\tmay not be read\nb.txt\t5\t${TIME}`, total: 3 },
    summary: "3 entries",
  });
});

Deno.test("list_files says why a directory can't be listed", async () => {
  assertEquals(await list({ path: "gone" }, FILES), {
    ok: false,
    error: {
      code: "not_found",
      message: '"gone" does not exist',
      hint: "Look with list_files at what is there.",
      retriable: false,
    },
  });
});

Deno.test("list_files stops when its time is over", async () => {
  const context = { ...CONTEXT, signal: AbortSignal.abort(new Error("Late")) };
  await assertRejects(() => createListFiles({ files: FILES }).run({}, context), Error, "Late");
});

Deno.test("list_files lists a real directory, one entry a line whatever the names", async () => {
  const files = { "-rf": "", "two\nlines": "", "a b": "", "日志.log": "", "sub/x": "" };
  await inTempDir(files, async (directory) => {
    await Deno.symlink("/", `${directory}/link`);
    for (const name of Object.keys(files)) await Deno.utime(`${directory}/${name}`, 0, 0);
    const outcome = await list({ path: directory, depth: 5 }, realFiles);
    assertEquals(outcome.ok && String(outcome.data["entries"]).split("\n"), [
      `-rf\t0\t${TIME}`,
      `a b\t0\t${TIME}`,
      "link@",
      "sub/",
      `sub/x\t0\t${TIME}`,
      `"two\\nlines"\t0\t${TIME}`,
      `日志.log\t0\t${TIME}`,
    ]);
  });
});

Deno.test("list_files says what is no directory", async () => {
  await inTempDir({ f: "" }, async (directory) => {
    const outcome = await list({ path: `${directory}/f` }, realFiles);
    assertEquals(outcome.ok ? null : [outcome.error.code, outcome.error.hint], [
      "not_directory",
      "Use read_file for a file.",
    ]);
  });
});
