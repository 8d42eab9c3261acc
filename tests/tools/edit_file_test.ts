import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { replaceOnce } from "../../tools/_edit.ts";
import { decodeText, encodeText } from "../../tools/_text.ts";
import { createEditFile } from "../../tools/edit_file.ts";
import { CONTEXT, MemoryFiles } from "../fakes.ts";

const CONFIG = "server {\n  port 80;\n}\nserver {\n  port 80;\n}\n";

/** Edits a file that holds this, and gives its text, or the failure's code and message. */
async function edit(
  content: string | Uint8Array,
  oldText: string,
  newText: string,
): Promise<string | null> {
  const files = new MemoryFiles({ "f": content });
  const args = { path: "f", old_text: oldText, new_text: newText };
  const outcome = await createEditFile({ files }).run(args, CONTEXT);
  return outcome.ok ? files.text("f") : `${outcome.error.code}: ${outcome.error.message}`;
}

Deno.test("edit_file replaces a passage that is there once", async () => {
  const files = new MemoryFiles({ "f": "a\nb\nc\n" });
  const args = { path: "f", old_text: "b\n", new_text: "B\nB2\n" };
  const tool = createEditFile({ files });
  assertEquals(await tool.preview?.(args), "@@ -1,3 +1,4 @@\n a\n-b\n+B\n+B2\n c");
  assertEquals(await tool.run(args, CONTEXT), {
    ok: true,
    data: { path: "f", created: false, bytes: 9, lines_added: 2, lines_removed: 1 },
    summary: "+2 −1",
  });
  assertEquals(files.text("f"), "a\nB\nB2\nc\n");
});

Deno.test("edit_file says how often a passage is there, and where", async () => {
  assertEquals(
    await edit(CONFIG, "port 80;", "port 81;"),
    'ambiguous: "f": old_text is in the file 2 times, at lines 2, 5',
  );
  assertEquals(
    await edit("x\n".repeat(9), "x", "y"),
    'ambiguous: "f": old_text is in the file 9 times, at lines 1, 2, 3, 4, 5 and 4 more',
  );
  assertEquals(
    await edit("aaa", "aa", "b"),
    'ambiguous: "f": old_text is in the file 2 times, at lines 1, 1',
  );
});

Deno.test("edit_file says near which line a passage may be meant", async () => {
  assertEquals(
    await edit("a\nlisten_address = 0.0.0.0\n", "listen_adress = 0.0.0.0", "x"),
    'not_found: "f": old_text is not in the file, but line 2 is like its first one: ' +
      '"listen_address = 0.0.0.0"',
  );
  assertEquals(
    await edit("if (a) {\n\treturn;\n}\n", "if (a) {\n  return;\n}", "x"),
    'not_found: "f": old_text is not in the file, except with other white space, near line 1',
  );
  assertEquals(
    await edit("a\nb\n", "nothing of the kind", "x"),
    'not_found: "f": old_text is not in the file, and no line is like its first one',
  );
});

Deno.test("edit_file keeps the line ends of a CRLF file", async () => {
  assertEquals(await edit("a\r\nb\r\nc\r\n", "a\nb\n", "1\n2\n3\n"), "1\r\n2\r\n3\r\nc\r\n");
  assertEquals(await edit("a\r\nb\r\n", "b", "1\n2"), "a\r\n1\r\n2\r\n");
  assertEquals(await edit("a\nb\n", "a\r\nb", "1\r\n2"), "1\n2\n");
});

Deno.test("edit_file leaves mixed line ends elsewhere as they are", async () => {
  assertEquals(await edit("a\r\nb\nc\r\nd\n", "c\nd", "C\nD"), "a\r\nb\nC\r\nD\n");
});

Deno.test("edit_file keeps encoding and byte-order mark", async () => {
  const utf16 = encodeText("端口\r\n80\r\n", { encoding: "utf-16le", mark: true });
  const files = new MemoryFiles({ "f": utf16 ?? "", "g": new Uint8Array([0xe9, 0x20, 0x80]) });
  const tool = createEditFile({ files });
  await tool.run({ path: "f", old_text: "80", new_text: "八十\n" }, CONTEXT);
  await tool.run({ path: "g", old_text: "é", new_text: "è" }, CONTEXT);
  const read = async (path: string) => decodeText((await Array.fromAsync(files.read(path)))[0]!);
  assertEquals(await read("f"), {
    text: "端口\r\n八十\r\n\r\n",
    encoding: "utf-16le",
    mark: true,
  });
  assertEquals(await Array.fromAsync(files.read("g")), [new Uint8Array([0xe8, 0x20, 0x80])]);
});

Deno.test("edit_file writes no character that the file's encoding has not", async () => {
  assertEquals(
    await edit(new Uint8Array([0xe9]), "é", "端"),
    'not_encodable: "f" is not UTF-8, and new_text has characters beyond ISO-8859-1',
  );
});

Deno.test("edit_file changes neither what is missing, nor binary, nor the same", async () => {
  const files = new MemoryFiles({});
  const args = { path: "f", old_text: "a", new_text: "b" };
  const missing = await createEditFile({ files }).run(args, CONTEXT);
  assertEquals(missing.ok ? null : missing.error.hint, "Use write_file for a new file.");
  assertEquals(
    await edit(new Uint8Array([1, 0]), "a", "b"),
    'binary: "f" is not a text file',
  );
  assertEquals(await edit("a", "a", "a"), "no_change: old_text and new_text are the same");
});

Deno.test("edit_file says what it is about to touch", () => {
  const tool = createEditFile({ files: new MemoryFiles({}) });
  assertEquals(tool.subjects({ path: "f", old_text: "a", new_text: "b" }), [
    { kind: "path", access: "read", path: "f" },
    { kind: "path", access: "write", path: "f" },
  ]);
});

const lines = fc.array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "中"), { maxLength: 30 })
  .map((parts) => parts.join(""));

Deno.test("replaceOnce() undone gives the text that was there, byte for byte", () => {
  fc.assert(fc.property(lines, lines, (before, after) => {
    const text = `${before}[old]${after}`;
    const edited = replaceOnce(text, "[old]", "[new]");
    const back = edited.ok ? replaceOnce(edited.text, "[new]", "[old]") : edited;
    assertEquals(back, { ok: true, text });
  }));
});

Deno.test("decodeText() and encodeText() keep every byte of what is text", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
    const file = decodeText(bytes);
    if (file !== null) assertEquals(encodeText(file.text, file), bytes);
  }));
});
