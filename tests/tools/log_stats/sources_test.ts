import { assertEquals } from "@std/assert";
import { matchesName, splitPattern } from "../../../tools/log_stats/glob.ts";
import { createLogStats } from "../../../tools/log_stats.ts";
import { CONTEXT, FakeClock, MemoryFiles } from "../../fakes.ts";
import { access, gzip, only, stats } from "./_stats.ts";

const LINE = `${access("14:00:00", "GET / HTTP/1.1", 200)}\n`;

const FILES = {
  "logs/a.log": LINE,
  "logs/b.log": LINE.repeat(2),
  "logs/b.log.1": LINE.repeat(4),
  "logs/.hidden.log": LINE.repeat(8),
  "logs/deep/c.log": LINE.repeat(16),
  "logs/deep/er/d.log": LINE.repeat(32),
};

/** How many lines paths stand for. */
async function countOf(...paths: readonly string[]) {
  const data = await stats(FILES, { paths });
  return data["error"] ?? only(data, "files", "lines");
}

const lines = (files: number, read: number) => ({
  files,
  lines: { read, not_parsed: 0, matched: read },
});

Deno.test("log_stats reads files, directories and patterns, each file once", async () => {
  assertEquals(await countOf("logs/a.log"), lines(1, 1));
  assertEquals(await countOf("logs"), lines(6, 63));
  assertEquals(await countOf("logs/*.log"), lines(2, 3));
  assertEquals(await countOf("/work/logs/[ab].log*"), lines(3, 7));
  assertEquals(await countOf("logs/**/*.log"), lines(4, 51));
  assertEquals(await countOf("logs/*/{c,d}.log"), lines(1, 16));
  assertEquals(await countOf("*/a.log", "logs/a.log", "./logs/a.log"), lines(1, 1));
});

Deno.test("log_stats says what it does not find", async () => {
  const notFound = (message: string) => ({
    code: "not_found",
    message,
    hint: "Look with list_files at what is there.",
    retriable: false,
  });
  assertEquals(await countOf("logs/z.log"), notFound('"logs/z.log" does not exist'));
  assertEquals(await countOf("logs/*.txt"), notFound('No file matches "logs/*.txt"'));
  assertEquals(await countOf(), notFound("There are no files"));
  assertEquals(await countOf("logs/*/../../../etc/passwd"), {
    code: "invalid_arguments",
    message: '"logs/*/../../../etc/passwd" has .. behind a wildcard',
    hint: "Write the directory before the first wildcard.",
    retriable: false,
  });
});

Deno.test("log_stats leaves out what the policy forbids, and says so", async () => {
  const context = {
    ...CONTEXT,
    mayRead: (path: string) => Promise.resolve(!path.endsWith("b.log")),
  };
  const data = await stats(FILES, { paths: ["logs/*.log"] }, { context });
  assertEquals(only(data, "files", "lines", "skipped"), {
    ...lines(1, 1),
    skipped: ["logs/b.log: the policy forbids it"],
  });
});

Deno.test("log_stats leaves out what is no log, and says so", async () => {
  const data = await stats({
    "d/a.log": LINE,
    "d/notes": "nur Text\n",
    "d/wtmp": new Uint8Array([1, 0, 2]),
    "d/x.zst": new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 1]),
  }, { paths: ["d"] });
  assertEquals(only(data, "files", "lines", "skipped"), {
    ...lines(1, 1),
    skipped: [
      "d/notes: format not recognised",
      "d/wtmp: not a text file",
      "d/x.zst: compressed with zstd",
    ],
  });
});

Deno.test("log_stats reads gzip, whatever its name, of one member or several", async () => {
  const one = await gzip(LINE.repeat(3));
  const two = Uint8Array.from([...one, ...await gzip(LINE)]);
  const data = await stats({ "a.gz": one, "b.log": two, "c.log": LINE }, { last: "1h" });
  assertEquals(only(data, "files", "lines"), {
    files: 3,
    lines: {
      read: 8,
      not_parsed: 0,
      in_window: 8,
      matched: 8,
      matched_before: 0,
      change_pct: null,
    },
  });
});

Deno.test("log_stats counts a gzipped file that is cut off as far as it goes", async () => {
  const many = Array.from(
    { length: 20_000 },
    (_, i) => access("14:00:00", `GET /${Math.imul(i, 2_654_435_761)} HTTP/1.1`, 200),
  );
  const whole = await gzip(many.join("\n"));
  const data = await stats({ "a.gz": whole.slice(0, whole.length / 2) });
  const { lines } = data;
  const read = typeof lines === "object" && lines !== null && "read" in lines ? lines.read : 0;
  assertEquals(only(data, "skipped"), {
    skipped: ["a.gz: broken gzip, counted as far as it goes"],
  });
  assertEquals(Number(read) > 5000 && Number(read) < 15_000, true);
});

Deno.test("log_stats judges the directory before a wildcard, and the paths that it is given", () => {
  const tool = createLogStats({ files: new MemoryFiles({}), clock: new FakeClock() });
  const judged = (...paths: readonly string[]) =>
    tool.subjects({ paths }).map((subject) => subject.kind === "path" ? subject.path : "");
  assertEquals(
    judged("/var/log/nginx/*.log", "/*.log", "*.log", "a.log", "../x/**/y", "/var/log"),
    ["/var/log/nginx", "/", ".", "a.log", "../x", "/var/log"],
  );
});

Deno.test("log_stats stops when it is told to, with what it has", async () => {
  const controller = new AbortController();
  const files = new MemoryFiles({ "a.log": LINE.repeat(1000) }, LINE.length * 10);
  const read = files.read.bind(files);
  let pieces = 0;
  files.read = async function* (...args) {
    for await (const piece of read(...args)) {
      if (++pieces === 140) controller.abort();
      yield piece;
    }
  };
  const tool = createLogStats({ files, clock: new FakeClock() });
  const context = { ...CONTEXT, signal: controller.signal };
  const outcome = await tool.run({ paths: ["a.log"], samples: 0 }, context);
  assertEquals(outcome.ok && only(outcome.data, "notes"), {
    notes: ["Stopped before the end: these counts are of a part only."],
  });
});

Deno.test("splitPattern() stops before the first wildcard", () => {
  assertEquals(splitPattern("/var/log/*/x/[ab].log"), {
    base: "/var/log",
    levels: ["*", "x", "[ab].log"],
  });
  assertEquals(splitPattern("./a/**/**//*.log"), { base: "./a", levels: ["**", "*.log"] });
  assertEquals(splitPattern("/var/log"), { base: "/var/log", levels: [] });
});

Deno.test("matchesName() knows *, ?, sets, ranges and alternatives", () => {
  const fits = (pattern: string, ...names: readonly string[]) =>
    names.filter((name) => matchesName(pattern, name));
  const names = ["a.log", "b.log", "a.log.1", "A.log", ".a.log", "ab.log", "日志.log"];
  assertEquals(fits("*.log", ...names), ["a.log", "b.log", "A.log", "ab.log", "日志.log"]);
  assertEquals(fits("?.log", ...names), ["a.log", "b.log", "A.log"]);
  assertEquals(fits("[a-c].log", ...names), ["a.log", "b.log"]);
  assertEquals(fits("[!a].log", ...names), ["b.log", "A.log"]);
  assertEquals(fits("{a,ab}.log{,.1}", ...names), ["a.log", "a.log.1", "ab.log"]);
  assertEquals(fits(".*", ...names), [".a.log"]);
  assertEquals(fits("[", "[", "a"), ["["]);
});

Deno.test("matchesName() takes no time for patterns that others hang on", () => {
  assertEquals(matchesName("*a".repeat(100) + "b", "a".repeat(5000)), false);
});
