import { assertEquals, assertRejects } from "@std/assert";
import { FileError } from "../../lib/ports.ts";
import { realFiles } from "../../lib/real/files.ts";
import { inTempDir } from "../_temp.ts";

async function failureOf(work: () => Promise<unknown>): Promise<string> {
  const { code } = await assertRejects(work, FileError);
  return code;
}

Deno.test("realFiles follows links, and says what a path is", async () => {
  await inTempDir({ "sub/f": "12345" }, async (directory) => {
    await Deno.symlink("sub", `${directory}/link`);
    await Deno.chmod(`${directory}/link/f`, 0o640);
    const { modifiedMs, ...file } = await realFiles.stat(`${directory}/link/f`);
    assertEquals([file, typeof modifiedMs], [{ kind: "file", size: 5, mode: 0o640 }, "number"]);
    assertEquals((await realFiles.stat(`${directory}/link`)).kind, "directory");
    assertEquals((await realFiles.stat("/dev/null")).kind, "other");
    const real = realFiles.realPathSync(`${directory}/link/f`);
    assertEquals(real, `${await Deno.realPath(directory)}/sub/f`);
    assertEquals(realFiles.realPathSync(`${directory}/gone`), null);
  });
});

Deno.test("realFiles lists links as links", async () => {
  await inTempDir({ f: "", "sub/x": "" }, async (directory) => {
    await Deno.symlink("sub", `${directory}/link`);
    const entries = await Array.fromAsync(realFiles.readDir(directory));
    assertEquals(entries.toSorted((a, b) => a.name < b.name ? -1 : 1), [
      { name: "f", kind: "file" },
      { name: "link", kind: "symlink" },
      { name: "sub", kind: "directory" },
    ]);
  });
});

Deno.test("realFiles reads in pieces what is larger than one", async () => {
  const content = new Uint8Array(200_000).map((_, index) => index % 251);
  await inTempDir({ f: content }, async (directory) => {
    const pieces = await Array.fromAsync(realFiles.read(`${directory}/f`));
    assertEquals(pieces.length > 1, true);
    assertEquals(new Uint8Array(pieces.flatMap((piece) => [...piece])), content);
  });
});

Deno.test("realFiles reads no further once it is told to stop", async () => {
  await inTempDir({ f: "a" }, async (directory) => {
    const signal = AbortSignal.abort(new Error("Enough"));
    await assertRejects(
      () => Array.fromAsync(realFiles.read(`${directory}/f`, signal)),
      Error,
      "Enough",
    );
  });
});

Deno.test("realFiles says why a path can't be used, whatever is done with it", async () => {
  await inTempDir({ f: "" }, async (directory) => {
    const codes = await Promise.all([
      failureOf(() => realFiles.stat(`${directory}/gone`)),
      failureOf(() => realFiles.readText(`${directory}/gone`)),
      failureOf(() => Array.fromAsync(realFiles.read(`${directory}/gone`))),
      failureOf(() => Array.fromAsync(realFiles.readDir(`${directory}/gone`))),
      failureOf(() => Array.fromAsync(realFiles.readDir(`${directory}/f`))),
      failureOf(() => Array.fromAsync(realFiles.read(directory))),
      failureOf(() => Array.fromAsync(realFiles.read("/dev/null"))),
      failureOf(() => realFiles.readText(`${directory}/f/below`)),
    ]);
    assertEquals(codes, [
      "not_found",
      "not_found",
      "not_found",
      "not_found",
      "not_directory",
      "is_directory",
      "unreadable",
      "not_directory",
    ]);
  });
});
