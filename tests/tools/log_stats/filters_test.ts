import { assertEquals } from "@std/assert";
import { access, only, statsOf } from "./_stats.ts";

const LOG = [
  access("12:00:00", "GET /a HTTP/1.1", 200),
  access("13:07:15", "GET /b HTTP/1.1", 404),
  access("13:07:16", "GET /c HTTP/1.1", 500),
  access("14:00:00", "GET /d HTTP/1.1", 503),
  access("14:07:15", "GET /Timeout HTTP/1.1", 200),
];

const LEVELS = ["debug", "INFO", "warning", "error", "crit"].map((level) =>
  `{"time":"2026-03-10T14:00:00Z","level":"${level}"}`
);

/** The paths that a query matches. */
async function pathsOf(args: Parameters<typeof statsOf>[1]) {
  const { rows } = await statsOf(LOG, { group_by: ["path"], ...args });
  return Array.isArray(rows) ? rows.map((row) => Array.isArray(row) ? row[0] : row) : rows;
}

Deno.test("log_stats counts last back from the newest entry, which is in", async () => {
  const data = await statsOf(LOG, { last: "1h" });
  assertEquals(only(data, "lines", "window", "compared_with"), {
    lines: {
      read: 5,
      not_parsed: 0,
      in_window: 3,
      matched: 3,
      matched_before: 1,
      change_pct: 200,
    },
    window: { after: "2026-03-10T13:07:15Z", through: "2026-03-10T14:07:15Z" },
    compared_with: "the same length of time before",
  });
  assertEquals(await pathsOf({ last: "1h" }), ["/c", "/d", "/Timeout"]);
});

Deno.test("log_stats counts last back from another end, if there is one", async () => {
  assertEquals(await pathsOf({ last: "1h", to: "now" }), ["/d", "/Timeout"]);
  assertEquals(await pathsOf({ last: "60 min", to: "2026-03-10T14:00" }), ["/b", "/c"]);
});

Deno.test("log_stats takes from and leaves out to", async () => {
  assertEquals(await pathsOf({ from: "2026-03-10T13:07:15", to: "2026-03-10 14:00" }), [
    "/b",
    "/c",
  ]);
  assertEquals(await pathsOf({ from: "2026-03-10T14:00:00Z" }), ["/d", "/Timeout"]);
  assertEquals(await pathsOf({ to: "2026-03-10T20:00:00+08:00" }), []);
  assertEquals(await pathsOf({ to: "2026-03-10T20:00:01+08:00" }), ["/a"]);
});

Deno.test("log_stats reads times without a zone in the zone of the log", async () => {
  const lines = LOG.map((line) => line.replace("+0000", "-0330"));
  const data = await statsOf(lines, { from: "2026-03-10T14:00", group_by: ["path", "hour"] });
  assertEquals(only(data, "covers", "window", "rows"), {
    covers: { first: "2026-03-10T12:00:00-03:30", last: "2026-03-10T14:07:15-03:30" },
    window: { from: "2026-03-10T14:00:00-03:30", before: null },
    rows: [["/d", "2026-03-10T14", 1, 50], ["/Timeout", "2026-03-10T14", 1, 50]],
  });
});

Deno.test("log_stats reads times of a log without a zone in the zone of this machine", async () => {
  const lines = ["2026-03-10 14:00:00 INFO a", "2026-03-10 14:00:01 INFO b"];
  const data = await statsOf(lines, { from: "2026-03-10T14:00:01" });
  assertEquals(only(data, "lines"), {
    lines: { read: 2, not_parsed: 0, in_window: 1, matched: 1 },
  });
  const ms = new Date(2026, 2, 10, 14, 0, 1).getTime();
  const same = await statsOf(lines, { from: new Date(ms).toISOString() });
  assertEquals(same, data);
});

Deno.test("log_stats filters by status codes and classes", async () => {
  assertEquals(await pathsOf({ status: "5xx" }), ["/c", "/d"]);
  assertEquals(await pathsOf({ status: "404, 500-502" }), ["/b", "/c"]);
  assertEquals(await pathsOf({ status: "3XX" }), []);
});

Deno.test("log_stats filters by level and worse, whatever it is called", async () => {
  const matched = async (level: "info" | "warn" | "fatal") =>
    only(await statsOf(LEVELS, { level, group_by: ["level"] }), "rows");
  assertEquals(await matched("fatal"), { rows: [["fatal", 1, 100]] });
  assertEquals(await matched("warn"), {
    rows: [["warn", 1, 33.3], ["error", 1, 33.3], ["fatal", 1, 33.3]],
  });
});

Deno.test("log_stats finds a text in any case, and only within a line", async () => {
  assertEquals(await pathsOf({ text: "timeOUT" }), ["/Timeout"]);
  assertEquals(await pathsOf({ text: "GET /c" }), ["/c"]);
  assertEquals(await pathsOf({ text: "0.010\n203" }), []);
  assertEquals(await pathsOf({ text: "203.0.113.7" }), ["/a", "/b", "/c", "/d", "/Timeout"]);
});

Deno.test("log_stats finds Chinese text, however JSON writes it", async () => {
  const lines = ['{"msg":"支付 Fehler"}', '{"msg":"\\u652f\\u4ed8 fehler"}', '{"msg":"支"}'];
  const data = await statsOf(lines, { text: "支付 fehler" });
  assertEquals(only(data, "lines"), {
    lines: { read: 3, not_parsed: 0, without_time: 3, matched: 2 },
  });
});

Deno.test("log_stats joins conditions", async () => {
  assertEquals(await pathsOf({ status: "5xx", text: "/d", last: "2h" }), ["/d"]);
});

Deno.test("log_stats treats an empty text as none", async () => {
  const data = await statsOf(LOG, {
    last: "",
    from: "",
    to: "",
    status: "",
    text: "",
    pattern: "",
  });
  assertEquals(only(data, "lines"), { lines: { read: 5, not_parsed: 0, matched: 5 } });
});

Deno.test("log_stats says what is wrong with its arguments", async () => {
  const said = async (args: Parameters<typeof statsOf>[1]) => {
    const { error } = await statsOf(LOG, args);
    return error;
  };
  const invalid = (message: string, hint: string) => ({
    code: "invalid_arguments",
    message,
    hint,
    retriable: false,
  });
  assertEquals(
    await said({ last: "soon" }),
    invalid('"last" is "soon", which is no length of time', "Write it like 15m, 1h or 7d."),
  );
  assertEquals(
    await said({ last: "1h", from: "2026-03-10" }),
    invalid(
      '"last" and "from" exclude each other',
      'Give "last" (and "to", if not to the newest entry), or "from" and "to".',
    ),
  );
  assertEquals(
    await said({ from: "2026-03-11", to: "2026-03-10" }),
    invalid('"from" is not before "to"', 'Give a "from" that is before "to".'),
  );
  assertEquals(
    await said({ to: "gestern" }),
    invalid(
      '"to" is "gestern", which is no time',
      'Write it like 2026-03-10T14:00 or 2026-03-10T14:00:00+02:00, or "now".',
    ),
  );
  assertEquals(
    await said({ status: "bad" }),
    invalid('"status" holds "bad", which is no status', "Write it like 5xx, 404 or 500-504."),
  );
  assertEquals(await said({ pattern: "(?=x)" }), {
    code: "invalid_pattern",
    message:
      '"pattern" can\'t be used: error parsing regexp: invalid or unsupported Perl syntax: `(?=`',
    hint: "Use RE2 syntax: no look-around, no back-references.",
    retriable: false,
  });
  assertEquals(await said({ group_by: ["colour"] }), {
    code: "unknown_field",
    message: 'No entry has a field "colour"; there are ip, user, request, method, path, ' +
      "protocol, status, bytes, referrer, agent, duration, host",
    hint: "Use one of these, or filter by text.",
    retriable: false,
  });
  assertEquals(await said({ level: "error" }), {
    code: "unknown_field",
    message: 'No entry has a field "level"; there are ip, user, request, method, path, ' +
      "protocol, status, bytes, referrer, agent, duration, host",
    hint: "Use one of these, or filter by text.",
    retriable: false,
  });
});
