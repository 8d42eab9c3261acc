import { assertEquals, assertRejects } from "@std/assert";
import { openResultFile } from "../../lib/cli/batch_file.ts";
import { UsageError } from "../../lib/cli/failure.ts";
import { failedResult } from "../../lib/cli/render.ts";
import type { StopReason } from "../../lib/events.ts";
import { MemoryFiles, NEVER } from "../fakes.ts";

const FAILED = failedResult("run1", { code: "x", message: "磁", hint: "" }, null);

function line(id: string, stop_reason: StopReason): string {
  return JSON.stringify({ id, ...FAILED, stop_reason });
}

/** What is known of a file's tasks, and what it holds after one more line. */
async function opened(text: string | null, pieceBytes?: number) {
  const files = new MemoryFiles(text === null ? {} : { "out.jsonl": text }, pieceBytes);
  const file = await openResultFile("out.jsonl", files, NEVER);
  file.add("next");
  file.close();
  return { answered: [...file.answered], torn: file.torn, text: files.text("out.jsonl") };
}

const WHOLE = `${line("a", "answered")}\n${line("b", "step_limit")}\n\n${line("c", "answered")}\n`;

Deno.test("openResultFile() tells which tasks are answered, and adds lines", async () => {
  assertEquals([await opened(null), await opened(""), await opened(WHOLE)], [
    { answered: [], torn: false, text: "next\n" },
    { answered: [], torn: false, text: "next\n" },
    { answered: ["a", "c"], torn: false, text: `${WHOLE}next\n` },
  ]);
});

Deno.test("openResultFile() drops a last line that was torn at any byte, and no whole one", async () => {
  const bytes = new TextEncoder().encode(WHOLE);
  const last = new TextEncoder().encode(`${line("c", "answered")}\n`).length;
  const kept = `${line("a", "answered")}\n${line("b", "step_limit")}\n\n`;
  for (let length = bytes.length - last + 1; length < bytes.length - 1; length++) {
    const files = new MemoryFiles({ "out.jsonl": bytes.slice(0, length) });
    const file = await openResultFile("out.jsonl", files, NEVER);
    assertEquals([[...file.answered], file.torn, files.text("out.jsonl")], [["a"], true, kept]);
  }
  assertEquals(await opened(WHOLE.slice(0, -1)), {
    answered: ["a", "c"],
    torn: false,
    text: `${WHOLE}next\n`,
  });
});

Deno.test("openResultFile() drops zeros at the end, as a power cut leaves them", async () => {
  assertEquals(await opened(`${WHOLE}{"id":"d"\0\0\0`), {
    answered: ["a", "c"],
    torn: true,
    text: `${WHOLE}next\n`,
  });
});

Deno.test("openResultFile() reads lines however the file is cut into pieces", async () => {
  for (const pieceBytes of [1, 7, 64, 1000]) {
    assertEquals((await opened(WHOLE, pieceBytes)).answered, ["a", "c"]);
  }
});

Deno.test("openResultFile() touches no file that holds anything else", async () => {
  for (const text of ["notes", "notes\n", '{"task": "x"}\n', `${WHOLE}notes`, '{"id":1}\n']) {
    const files = new MemoryFiles({ "out.jsonl": text });
    await assertRejects(() => openResultFile("out.jsonl", files, NEVER), UsageError);
    assertEquals(files.text("out.jsonl"), text);
  }
});

Deno.test("openResultFile() leaves a file alone that another process has, torn as it may be", async () => {
  const torn = WHOLE.slice(0, -100);
  const files = new MemoryFiles({ "out.jsonl": torn });
  files.free = () => false;
  const error = await assertRejects(() => openResultFile("out.jsonl", files, NEVER), UsageError);
  assertEquals([error.message, files.text("out.jsonl")], [
    'The file of results "out.jsonl" is in use by another rein batch',
    torn,
  ]);
});
