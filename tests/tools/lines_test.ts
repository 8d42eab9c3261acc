import { assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { FileError } from "../../lib/ports.ts";
import { BinaryFileError, type Line, readLines } from "../../tools/_lines.ts";
import { MemoryFiles, NEVER } from "../fakes.ts";

/** The lines of a file that comes in pieces of so many bytes. */
function linesOf(
  content: string | Uint8Array,
  options: { pieceBytes?: number; maxChars?: number } = {},
): Promise<Line[]> {
  const files = new MemoryFiles({ f: content }, options.pieceBytes ?? 64);
  const maxChars = options.maxChars ?? 100;
  return Array.fromAsync(readLines(files, "f", { signal: NEVER, maxChars }));
}

async function textsOf(content: string | Uint8Array, pieceBytes = 64): Promise<string[]> {
  return (await linesOf(content, { pieceBytes })).map(({ text }) => text);
}

Deno.test("readLines() gives lines without their line ends", async () => {
  assertEquals(await linesOf("a\nb\n"), [
    { text: "a", omittedChars: 0 },
    { text: "b", omittedChars: 0 },
  ]);
});

Deno.test("readLines() takes a last line without a line end for a line", async () => {
  assertEquals([await textsOf("a\n\nb"), await textsOf(""), await textsOf("\n")], [
    ["a", "", "b"],
    [],
    [""],
  ]);
});

Deno.test("readLines() takes CRLF for a line end, and a lone return for text", async () => {
  assertEquals(await textsOf("a\r\n\r\nb\rc\r\n"), ["a", "", "b\rc"]);
});

Deno.test("readLines() leaves a byte order mark out", async () => {
  assertEquals(await textsOf("\ufeffa\n"), ["a"]);
});

Deno.test("readLines() gives a long line in part, and counts the rest", async () => {
  const line = "x".repeat(250);
  for (const end of ["\n", "\r\n", ""]) {
    assertEquals(await linesOf(`${line}${end}`), [
      {
        text: `${"x".repeat(75)} [… 150 characters left out here …] ${"x".repeat(25)}`,
        omittedChars: 150,
      },
    ]);
    assertEquals(await linesOf(`${"y".repeat(100)}${end}`), [
      { text: "y".repeat(100), omittedChars: 0 },
    ]);
  }
});

Deno.test("readLines() cuts a long line between characters, and counts exactly", async () => {
  assertEquals(await linesOf(`${"x".repeat(74)}😀😁${"x".repeat(100)}\n`), [
    {
      text: `${"x".repeat(74)} [… 79 characters left out here …] ${"x".repeat(25)}`,
      omittedChars: 79,
    },
  ]);
});

Deno.test("readLines() refuses a file with a NUL byte", async () => {
  const error = await assertRejects(() => linesOf("ELF\u0000\u0001"), BinaryFileError);
  assertEquals(error.message, '"f" is not a text file');
});

Deno.test("readLines() reads text of another encoding, and says how", async () => {
  const notes: string[] = [];
  const files = new MemoryFiles({ f: new Uint8Array([0x63, 0x61, 0x66, 0xe9, 0x0a]) });
  const options = { signal: NEVER, maxChars: 100, onEncoding: (note: string) => notes.push(note) };
  assertEquals(await Array.fromAsync(readLines(files, "f", options)), [
    { text: "café", omittedChars: 0 },
  ]);
  assertEquals(notes, ["not UTF-8; decoded as ISO-8859-1, a guess"]);
});

Deno.test("readLines() says that a file is not there", async () => {
  const reading = readLines(new MemoryFiles({}), "f", { signal: NEVER, maxChars: 10 });
  const error = await assertRejects(() => Array.fromAsync(reading), FileError);
  assertEquals(error.message, '"f" does not exist');
});

Deno.test("readLines() gives the same wherever reads are cut", async () => {
  const part = fc.constantFrom("a", "\n", "\r\n", "\r", "磁盘", "😀", "é", "x".repeat(120));
  const content = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""));
  const pieceBytes = fc.integer({ min: 1, max: 9 });
  await fc.assert(fc.asyncProperty(content, pieceBytes, async (text, size) => {
    assertEquals(
      await linesOf(text, { pieceBytes: size }),
      await linesOf(text, { pieceBytes: 1e6 }),
    );
  }));
});
