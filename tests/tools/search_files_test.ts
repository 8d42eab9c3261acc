import { assertEquals } from "@std/assert";
import type { Files } from "../../lib/ports.ts";
import { realFiles } from "../../lib/real/files.ts";
import type { ToolContext, ToolOutcome } from "../../lib/types.ts";
import { createSearchFiles, type SearchFilesArgs } from "../../tools/search_files.ts";
import { CONTEXT, MemoryFiles } from "../fakes.ts";
import { inTempDir } from "../_temp.ts";

function search(
  args: SearchFilesArgs,
  files: Files,
  context: ToolContext = CONTEXT,
): Promise<ToolOutcome> {
  return createSearchFiles({ files }).run(args, context);
}

/** What is found in a file that holds this. */
async function found(pattern: string, content: string): Promise<string> {
  const outcome = await search({ pattern, path: "f" }, new MemoryFiles({ f: content }));
  return outcome.ok ? String(outcome.data["matches"]) : outcome.error.code;
}

const FILES = new MemoryFiles({
  "a.log": "ok\nERROR one\nok\n",
  "sub/b.log": "error two\r\nERROR 三\r\n",
  ".git/c": "ERROR in history",
  "node_modules/d": "ERROR of others",
  binary: "ERROR\u0000",
});

Deno.test("search_files finds lines in all text files below a directory", async () => {
  assertEquals(await search({ pattern: "ERROR" }, FILES), {
    ok: true,
    data: {
      matches: "./a.log:2: ERROR one\n./sub/b.log:2: ERROR 三",
      total_matches: 2,
      files: 3,
      skipped: 1,
    },
    summary: "2 matches",
  });
});

Deno.test("search_files ignores case where it is asked to", async () => {
  const outcome = await search({ pattern: "^error", path: "sub", ignore_case: true }, FILES);
  assertEquals(
    outcome.ok && outcome.data["matches"],
    "sub/b.log:1: error two\nsub/b.log:2: ERROR 三",
  );
});

Deno.test("search_files searches one file, even among what it skips", async () => {
  const outcome = await search({ pattern: "history$", path: ".git/c" }, FILES);
  assertEquals(outcome, {
    ok: true,
    data: { matches: ".git/c:1: ERROR in history", total_matches: 1, files: 1, skipped: 0 },
    summary: "1 match",
  });
});

Deno.test("search_files lists the first matches and counts all", async () => {
  const files = new MemoryFiles({ f: "x\n".repeat(100) });
  assertEquals(await search({ pattern: "x", path: "f", max_matches: 2 }, files), {
    ok: true,
    data: {
      matches: "f:1: x\nf:2: x",
      total_matches: 100,
      files: 1,
      skipped: 0,
      note: "The first 2 are listed.",
    },
    summary: "100 matches",
  });
});

Deno.test("search_files finds what stands far behind in a very long line, and shows it", async () => {
  const line = `${"a".repeat(5000)}😀FATAL: disk full${"b".repeat(5000)}`;
  assertEquals(
    await found("FATAL", line),
    `f:1: …${"a".repeat(98)}😀FATAL: disk full${"b".repeat(183)}…`,
  );
});

Deno.test("search_files never finds words of its own notes", async () => {
  assertEquals(await found("left out|characters", "x".repeat(5000)), "");
});

Deno.test("search_files says that a line is too long to be searched whole", async () => {
  const files = new MemoryFiles({
    f: `${"x".repeat(900_000)}needle${"x".repeat(900_000)}\nneedle\n`,
  });
  const outcome = await search({ pattern: "needle", path: "f" }, files);
  assertEquals(outcome.ok && outcome.data, {
    matches: "f:2: needle",
    total_matches: 1,
    files: 1,
    skipped: 0,
    note: "1 very long lines were searched in part.",
  });
});

Deno.test("search_files shows the beginning of a long line that matches early", async () => {
  assertEquals(await found("^😀", `😀${"中".repeat(400)}`), `f:1: 😀${"中".repeat(297)}…`);
});

Deno.test("search_files can't be hung by a pattern", async () => {
  assertEquals(await found("(a+)+$", `${"a".repeat(5000)}b`), "");
});

Deno.test("search_files refuses a pattern that is none", async () => {
  const outcomes = ["(", "(?=x)", "\\1"].map((pattern) => search({ pattern }, FILES));
  assertEquals(
    (await Promise.all(outcomes)).map((outcome) => outcome.ok ? "ok" : outcome.error.code),
    ["invalid_pattern", "invalid_pattern", "invalid_pattern"],
  );
});

Deno.test("search_files does not read what the policy does not allow", async () => {
  const context = { ...CONTEXT, mayRead: (path: string) => Promise.resolve(!path.includes("sub")) };
  assertEquals(await search({ pattern: "ERROR" }, FILES, context), {
    ok: true,
    data: { matches: "./a.log:2: ERROR one", total_matches: 1, files: 2, skipped: 2 },
    summary: "1 match",
  });
});

Deno.test("search_files says why a path can't be searched", async () => {
  assertEquals(await search({ pattern: "x", path: "gone" }, FILES), {
    ok: false,
    error: {
      code: "not_found",
      message: '"gone" does not exist',
      hint: "Look with list_files at what is there.",
      retriable: false,
    },
  });
});

Deno.test("search_files stops when its time is over, with what it has", async () => {
  const context = { ...CONTEXT, signal: AbortSignal.abort(new Error("Late")) };
  assertEquals(await search({ pattern: "x" }, FILES, context), {
    ok: true,
    data: { matches: "", total_matches: 0, files: 0, skipped: 0 },
    summary: "0 matches",
  });
});

Deno.test("search_files searches real files, whatever their names, and follows no link", async () => {
  const files = {
    "-e": "hit\n",
    "two\nlines": "hit\n",
    "日志.log": "未命中\nhit 命中\r\n",
    "s/x": "no",
  };
  await inTempDir(files, async (directory) => {
    await Deno.symlink("..", `${directory}/s/up`);
    await new Deno.Command("mkfifo", { args: [`${directory}/pipe`] }).output();
    const outcome = await search({ pattern: "hit", path: directory }, realFiles);
    const data = outcome.ok ? outcome.data : {};
    assertEquals(
      { ...data, matches: String(data["matches"]).replaceAll(directory, "DIR").split("\n") },
      {
        matches: ["DIR/-e:1: hit", '"DIR/two\\nlines":1: hit', "DIR/日志.log:2: hit 命中"],
        total_matches: 3,
        files: 4,
        skipped: 0,
      },
    );
  });
});
