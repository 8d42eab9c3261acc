import { assertEquals } from "@std/assert";
import { realFiles } from "../../lib/real/files.ts";
import type { Files } from "../../lib/ports.ts";
import type { ToolOutcome } from "../../lib/types.ts";
import { createReadFile, type ReadFileArgs } from "../../tools/read_file.ts";
import { CONTEXT, MemoryFiles } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";

const LINES = Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`);

function read(args: ReadFileArgs, files: Files): Promise<ToolOutcome> {
  return createReadFile({ files }).run(args, CONTEXT);
}

/** Reads lines of a file that holds this. */
function readFrom(content: string, range: Omit<ReadFileArgs, "path"> = {}): Promise<ToolOutcome> {
  return read({ path: "f", ...range }, new MemoryFiles({ f: content }));
}

Deno.test("read_file gives a whole short file", async () => {
  assertEquals(await readFrom("one\ntwo\r\n三"), {
    ok: true,
    data: { content: "one\ntwo\n三\n", start_line: 1, end_line: 3, total_lines: 3 },
    summary: "lines 1–3 of 3",
    truncated: [],
  });
});

Deno.test("read_file gives a range, and says how long the file is", async () => {
  assertEquals(await readFrom(LINES.join("\n"), { start_line: 10, end_line: 11 }), {
    ok: true,
    data: { content: "line 10\nline 11\n", start_line: 10, end_line: 11, total_lines: 1000 },
    summary: "lines 10–11 of 1000",
    truncated: [],
  });
});

Deno.test("read_file gives 400 lines where no end is asked for", async () => {
  const outcome = await readFrom(LINES.join("\n"), { start_line: 601 });
  assertEquals(outcome, {
    ok: true,
    data: {
      content: LINES.slice(600).map((line) => `${line}\n`).join(""),
      start_line: 601,
      end_line: 1000,
      total_lines: 1000,
    },
    summary: "lines 601–1000 of 1000",
    truncated: [],
  });
});

Deno.test("read_file ends a range at the end of the file", async () => {
  const outcome = await readFrom("a\nb\n", { start_line: 2, end_line: 99 });
  assertEquals(outcome.ok && outcome.data, {
    content: "b\n",
    start_line: 2,
    end_line: 2,
    total_lines: 2,
  });
});

Deno.test("read_file calls an empty file empty", async () => {
  assertEquals(await readFrom(""), {
    ok: true,
    data: { content: "", start_line: 1, end_line: 0, total_lines: 0 },
    summary: "empty",
    truncated: [],
  });
});

Deno.test("read_file refuses a range beyond the end or backwards", async () => {
  assertEquals(await readFrom("a\nb\n", { start_line: 3 }), {
    ok: false,
    error: {
      code: "beyond_end",
      message: '"f" has 2 lines; there is no line 3',
      hint: "Ask for lines 1 to 2.",
      retriable: false,
    },
  });
  assertEquals(await readFrom("a\n", { start_line: 3, end_line: 2 }), {
    ok: false,
    error: {
      code: "invalid_arguments",
      message: "end_line 2 is before start_line 3",
      hint: "Give a range that goes forward.",
      retriable: false,
    },
  });
});

Deno.test("read_file keeps head and tail of a long range, and says what is missing", async () => {
  const lines = Array.from({ length: 400 }, (_, index) => `${index}`.padStart(99, "."));
  const outcome = await readFrom(lines.join("\n"));
  const content = outcome.ok ? String(outcome.data["content"]) : "";
  assertEquals([content.startsWith(lines[0] ?? "?"), content.endsWith(`${lines.at(-1)}\n`)], [
    true,
    true,
  ]);
  assertEquals(outcome.ok && outcome.truncated, [
    {
      field: "content",
      total_chars: 40_000,
      omitted_chars: 33_500,
      omitted_lines: 335,
      read_on: "Ask for a shorter range of lines.",
    },
  ]);
});

Deno.test("read_file keeps a line of trouble from the middle, by its number in the file", async () => {
  const lines = Array.from({ length: 900 }, (_, at) => `${at + 1}`.padStart(99, "."));
  lines[699] = "FATAL: disk is full";
  const outcome = await readFrom(lines.join("\n"), { start_line: 500, end_line: 900 });
  const content = outcome.ok ? String(outcome.data["content"]) : "";
  assertEquals(content.includes("\n700: FATAL: disk is full\n"), true);
});

Deno.test("read_file gives a very long line in part, and says how much is missing", async () => {
  const outcome = await readFrom(`${"x".repeat(5000)}\nnext\n`);
  const line = `${"x".repeat(1500)} [… 3,000 characters left out here …] ${"x".repeat(500)}`;
  assertEquals(outcome.ok && outcome.data["content"], `${line}\nnext\n`);
});

Deno.test("read_file describes its call in a few words", () => {
  const { brief, subjects } = createReadFile({ files: new MemoryFiles({}) });
  const args = { path: "a" };
  assertEquals(
    [brief(args), brief({ ...args, start_line: 3 }), brief({ ...args, end_line: 9 })],
    ["a", "a 3–", "a 1–9"],
  );
  assertEquals(subjects(args), [{ kind: "path", access: "read", path: "a" }]);
});

/** The codes and messages that reading real paths gives. */
async function failures(directory: string, ...names: readonly string[]): Promise<string[]> {
  const outcomes = names.map((name) => read({ path: `${directory}/${name}` }, realFiles));
  return (await Promise.all(outcomes)).map((outcome) =>
    outcome.ok
      ? "read"
      : `${outcome.error.code}: ${outcome.error.message}`.replace(directory, "DIR")
  );
}

Deno.test("read_file reads real files, whatever their names", async () => {
  const names = ["-rf", "two\nlines", "a b", "日志.log", '"quoted"', "$(id)"];
  const files = Object.fromEntries(names.map((name) => [name, `in ${name}`]));
  await inTempDir(files, async (directory) => {
    assertEquals(await failures(directory, ...names), names.map(() => "read"));
  });
});

Deno.test("read_file says why a real path can't be read", async () => {
  await inTempDir({ "sub/text": "a", binary: new Uint8Array([1, 0, 2]) }, async (directory) => {
    await new Deno.Command("mkfifo", { args: [`${directory}/pipe`] }).output();
    await Deno.symlink("nowhere", `${directory}/dangling`);
    assertEquals(
      await failures(directory, "gone", "sub", "sub/text/below", "binary", "pipe", "dangling"),
      [
        'not_found: "DIR/gone" does not exist',
        'is_directory: "DIR/sub" is a directory',
        'not_directory: "DIR/sub/text/below" is not a directory',
        'binary: "DIR/binary" is not a text file',
        'unreadable: "DIR/pipe" could not be read (it is a pipe, a socket or a device)',
        'not_found: "DIR/dangling" does not exist',
      ],
    );
  });
});

Deno.test("read_file counts the lines of a file that is larger than one read", async () => {
  const line = "磁盘空间不足 disk full\n";
  await inTempDir({ f: line.repeat(20_000) }, async (directory) => {
    const args = { path: `${directory}/f`, start_line: 19_999 };
    assertEquals(await read(args, realFiles), {
      ok: true,
      data: {
        content: line.repeat(2),
        start_line: 19_999,
        end_line: 20_000,
        total_lines: 20_000,
      },
      summary: "lines 19999–20000 of 20000",
      truncated: [],
    });
  });
});
