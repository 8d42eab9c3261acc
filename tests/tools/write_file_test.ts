import { assertEquals } from "@std/assert";
import { createWriteFile, type WriteFileArgs } from "../../tools/write_file.ts";
import { realFiles } from "../../lib/real/files.ts";
import { inTempDir } from "../e2e/_program.ts";
import { CONTEXT, MemoryFiles } from "../fakes.ts";

/** Writes, and gives the outcome with what the file holds then. */
async function write(files: MemoryFiles, args: WriteFileArgs) {
  const outcome = await createWriteFile({ files }).run(args, CONTEXT);
  return { outcome, text: files.text(args.path) };
}

function preview(files: MemoryFiles, args: WriteFileArgs): Promise<string> | undefined {
  return createWriteFile({ files }).preview?.(args);
}

Deno.test("write_file creates a file and says so", async () => {
  assertEquals(await write(new MemoryFiles({}), { path: "a.txt", content: "one\ntwo\n" }), {
    outcome: {
      ok: true,
      data: { path: "a.txt", created: true, bytes: 8, lines_added: 2, lines_removed: 0 },
      summary: "created, +2 −0",
    },
    text: "one\ntwo\n",
  });
});

Deno.test("write_file counts the lines that changed in a file that it replaces", async () => {
  const files = new MemoryFiles({ "a.txt": "one\ntwo\nthree\n" });
  assertEquals(await write(files, { path: "a.txt", content: "one\n2\nthree\nfour\n" }), {
    outcome: {
      ok: true,
      data: { path: "a.txt", created: false, bytes: 17, lines_added: 2, lines_removed: 1 },
      summary: "+2 −1",
    },
    text: "one\n2\nthree\nfour\n",
  });
});

Deno.test("write_file keeps CRLF line ends and a byte-order mark", async () => {
  const files = new MemoryFiles({ "a.ini": "\ufeff[a]\r\nb=1\r\n" });
  const { outcome, text } = await write(files, { path: "a.ini", content: "[a]\nb=2\n" });
  assertEquals(text, "\ufeff[a]\r\nb=2\r\n");
  assertEquals(outcome, {
    ok: true,
    data: {
      path: "a.ini",
      created: false,
      bytes: 13,
      lines_added: 1,
      lines_removed: 1,
      note: "The CRLF line ends of the file were kept.",
    },
    summary: "+1 −1",
  });
});

Deno.test("write_file writes the line ends that the content brings", async () => {
  const files = new MemoryFiles({ "a.txt": "a\nb\n", "b.txt": "a\r\nb\r\n" });
  const toLf = await write(files, { path: "a.txt", content: "a\r\nb\r\n" });
  const mixed = await write(files, { path: "b.txt", content: "a\r\nb\n" });
  assertEquals([toLf.text, mixed.text], ["a\r\nb\r\n", "a\r\nb\n"]);
});

Deno.test("write_file shows what would change and changes nothing", async () => {
  const files = new MemoryFiles({ "a.txt": "one\ntwo\nthree\n" });
  assertEquals(
    await preview(files, { path: "a.txt", content: "one\n2\nthree\n" }),
    "@@ -1,3 +1,3 @@\n one\n-two\n+2\n three",
  );
  assertEquals(files.text("a.txt"), "one\ntwo\nthree\n");
  assertEquals(
    await preview(files, { path: "b.txt", content: "x\ny\n" }),
    "A new file of 2 lines:\n+x\n+y",
  );
  const same = { path: "a.txt", content: "one\ntwo\nthree\n" };
  assertEquals(await preview(files, same), "Nothing would change.");
});

Deno.test("write_file bounds what it shows", async () => {
  const content = "x".repeat(500) + "\n" + "line\n".repeat(1000);
  const shown = (await preview(new MemoryFiles({}), { path: "a", content }) ?? "").split("\n");
  assertEquals([shown.length, shown[1]?.length, shown.at(-1)], [201, 401, "… 802 more lines …"]);
});

Deno.test("write_file replaces no binary and no device", async () => {
  const files = new MemoryFiles({ "a.bin": new Uint8Array([0x7f, 0x45, 0, 1]) });
  const { outcome } = await write(files, { path: "a.bin", content: "x" });
  assertEquals(outcome, {
    ok: false,
    error: {
      code: "binary",
      message: '"a.bin" is not a text file',
      hint: "Use a program made for its format.",
      retriable: false,
    },
  });
  const device = await createWriteFile({ files: realFiles })
    .run({ path: "/dev/null", content: "x" }, CONTEXT);
  assertEquals(device.ok ? null : device.error.code, "not_file");
});

Deno.test("write_file refuses a path that a link leads elsewhere, and says where", () =>
  inTempDir(async (directory) => {
    await Deno.mkdir(`${directory}/real`);
    await Deno.symlink(`${directory}/real`, `${directory}/link`);
    const tool = createWriteFile({ files: realFiles });
    const outcome = await tool.run({ path: `${directory}/link/new`, content: "x" }, CONTEXT);
    assertEquals(outcome, {
      ok: false,
      error: {
        code: "is_link",
        message: `"${directory}/link/new" leads over a symbolic link to "${directory}/real/new"`,
        hint: `If it is meant, name "${directory}/real/new" itself, so that the policy judges ` +
          "that path.",
        retriable: false,
      },
    });
    assertEquals([...Deno.readDirSync(`${directory}/real`)], []);
  }));

Deno.test("write_file does not take ~ for a home that the policy would not mean", async () => {
  const { outcome } = await write(new MemoryFiles({}), { path: "~/x", content: "" });
  assertEquals(outcome.ok ? null : outcome.error.message, '"~/x" is not expanded');
});

Deno.test("write_file says how a missing directory comes about", () =>
  inTempDir(async (directory) => {
    const tool = createWriteFile({ files: realFiles });
    const path = `${directory}/a/b`;
    assertEquals(await tool.run({ path, content: "x" }, CONTEXT), {
      ok: false,
      error: {
        code: "not_found",
        message: `"${directory}/a" does not exist`,
        hint: "Make the directory, or set make_parents.",
        retriable: false,
      },
    });
    await tool.run({ path, content: "x", make_parents: true }, CONTEXT);
    assertEquals(await Deno.readTextFile(path), "x");
  }));

Deno.test("write_file takes names as they are", () =>
  inTempDir(async (directory) => {
    const tool = createWriteFile({ files: realFiles });
    const names = ["-rf", "two words", "two\nlines", "端口", "*", "a\\b"];
    for (const name of names) {
      await tool.run({ path: `${directory}/${name}`, content: name }, CONTEXT);
    }
    const written = [...Deno.readDirSync(directory)].map(({ name }) => name);
    assertEquals(written.toSorted(), names.toSorted());
  }));

Deno.test("write_file says what it is about to touch", () => {
  const tool = createWriteFile({ files: new MemoryFiles({}) });
  const args = { path: "a.txt", content: "one\n" };
  assertEquals(tool.subjects(args), [{ kind: "path", access: "write", path: "a.txt" }]);
  assertEquals(tool.brief(args), "a.txt (4 characters)");
});
