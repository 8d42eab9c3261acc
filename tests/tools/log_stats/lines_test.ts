import { assertEquals } from "@std/assert";
import { access, only, stats, statsOf } from "./_stats.ts";

const LINES = [
  access("14:00:00", "GET /一 HTTP/1.1", 200),
  access("14:00:01", "GET /二 HTTP/1.1", 200),
];

const EXPECTED = {
  lines: { read: 2, not_parsed: 0, matched: 2 },
  rows: [["/一", 1, 50], ["/二", 1, 50]],
};

Deno.test("log_stats reads any line ends, a byte order mark, and a last line without one", async () => {
  for (
    const text of [
      LINES.join("\n"),
      `\ufeff${LINES.join("\n")}`,
      `${LINES.join("\r\n")}\r\n`,
      `\n\n${LINES.join("\n\n\r\n")}\n\n`,
    ]
  ) {
    const data = await stats({ "a.log": text }, { group_by: ["path"] });
    assertEquals(only(data, "lines", "rows"), EXPECTED);
  }
});

Deno.test("log_stats reads JSON behind a byte order mark", async () => {
  const data = await stats({ "a.log": '\ufeff{"a":1}\n{"a":2}\n' });
  assertEquals(only(data, "formats", "lines"), {
    formats: { json: 1 },
    lines: { read: 2, not_parsed: 0, without_time: 2, matched: 2 },
  });
});

Deno.test("log_stats gives the same wherever its pieces end", async () => {
  const text = LINES.join("\r\n");
  for (const pieceBytes of [1, 2, 3, 7, 50, 91, 92, 93, 94, 1000]) {
    const data = await stats({ "a.log": text }, { group_by: ["path"], text: "GET /" }, {
      pieceBytes,
    });
    assertEquals(only(data, "lines", "rows"), EXPECTED);
  }
});

Deno.test("log_stats counts broken lines and shows some", async () => {
  const [first = "", second = ""] = LINES;
  const broken = [
    first.slice(0, 40),
    second.slice(0, -60),
    first.replace(" 200 ", " zwei "),
    first.replace("10/Mar", "99/Mar"),
    "\ufffd\u0001",
  ];
  const data = await statsOf([first, ...broken, second]);
  assertEquals(only(data, "lines", "not_parsed_samples"), {
    lines: { read: 7, not_parsed: 5, matched: 2 },
    not_parsed_samples: [first.slice(0, 40), first.replace("10/Mar", "99/Mar")],
  });
});

Deno.test("log_stats gives zeros for an empty file", async () => {
  const expected = { files: 1, formats: {}, lines: { read: 0, not_parsed: 0, matched: 0 } };
  assertEquals(await stats({ "a.log": "" }), expected);
  assertEquals(await stats({ "a.log": "" }, { group_by: ["path"], percentiles_of: "duration" }), {
    ...expected,
    percentiles: {
      field: "duration",
      values: 0,
      p50: null,
      p90: null,
      p99: null,
      max: null,
      error_at_most: "0.2 %",
    },
    groups: 0,
    columns: ["path", "count", "share_pct", "p50", "p90", "p99", "max"],
    rows: [],
  });
});

Deno.test("log_stats reads a log that is not in order of time twice if it must", async () => {
  const filler = Array.from({ length: 4000 }, () => access("12:00:00", "GET /old HTTP/1.1", 200));
  const newest = access("14:00:00", "GET /new HTTP/1.1", 200);
  const expected = {
    read: 4001,
    not_parsed: 0,
    in_window: 1,
    matched: 1,
    matched_before: 0,
    change_pct: null,
  };
  const sorted = await statsOf([...filler, newest], { last: "1h" });
  assertEquals(only(sorted, "lines", "notes"), { lines: expected, notes: null });
  const unsorted = await statsOf([newest, ...filler], { last: "1h" });
  assertEquals(only(unsorted, "lines", "window", "notes"), {
    lines: expected,
    window: { after: "2026-03-10T13:00:00Z", through: "2026-03-10T14:00:00Z" },
    notes: ["The entries are not in order of time, so all was read twice."],
  });
});

Deno.test("log_stats takes times far in the future for mistakes", async () => {
  const lines = [...LINES, access("14:00:02", "GET /三 HTTP/1.1", 200).replace("2026", "2099")];
  const data = await statsOf(lines, { last: "1h" });
  assertEquals(only(data, "window", "covers"), {
    window: { after: "2026-03-10T13:00:01Z", through: "2026-03-10T14:00:01Z" },
    covers: { first: "2026-03-10T14:00:00Z", last: "2099-03-10T14:00:02Z" },
  });
});

Deno.test("log_stats counts lines of a megabyte, and does not parse longer ones", async () => {
  const long = (bytes: number) => access("14:00:00", `GET /${"x".repeat(bytes)} HTTP/1.1`, 200);
  const data = await statsOf([
    ...LINES,
    long(1_000_000),
    long(1_100_000),
    long(3_000_000),
    ...LINES,
  ]);
  assertEquals(only(data, "lines"), { lines: { read: 7, not_parsed: 2, matched: 5 } });
});

Deno.test("log_stats shows samples from all over the log", async () => {
  const lines = Array.from(
    { length: 1000 },
    (_, i) => `{"n":${i + 1},"text":"${"长".repeat(400)}"}`,
  );
  const { samples } = await statsOf(lines, { samples: 3 });
  const shown = Array.isArray(samples) ? samples.map(String) : [];
  assertEquals(shown.map((line) => line.slice(0, 11)), [
    '{"n":1,"tex',
    '{"n":384,"t',
    '{"n":768,"t',
  ]);
  assertEquals(shown.map((line) => line.length), [301, 301, 301]);
});
