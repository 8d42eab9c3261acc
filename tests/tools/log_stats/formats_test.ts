import { assertEquals } from "@std/assert";
import { access, only, stats, statsOf } from "./_stats.ts";

/** The rows of a call that groups by these fields, with the format that was recognised. */
async function rowsBy(lines: readonly string[], ...group_by: readonly string[]) {
  return only(await statsOf(lines, { group_by }), "formats", "rows");
}

Deno.test("log_stats reads every field of a combined access log", async () => {
  const line =
    '203.0.113.7 - 王芳 [10/Mar/2026:14:07:16 +0800] "GET /a b?x=1 HTTP/1.1" 503 157 "https://shop.example/" "a \\"b\\" c" 0.042';
  for (
    const [field, value] of Object.entries({
      ip: "203.0.113.7",
      remote_addr: "203.0.113.7",
      user: "王芳",
      request: "GET /a b?x=1 HTTP/1.1",
      method: "GET",
      path: "/a b?x=1",
      protocol: "HTTP/1.1",
      endpoint: "GET /a b?x=1",
      status: "503",
      status_class: "5xx",
      bytes: "157",
      referrer: "https://shop.example/",
      http_user_agent: 'a \\"b\\" c',
      request_time: "0.042",
      minute: "2026-03-10T14:07",
      hour: "2026-03-10T14",
      day: "2026-03-10",
    })
  ) {
    assertEquals(await rowsBy([line], field), { formats: { access: 1 }, rows: [[value, 1, 100]] });
  }
});

Deno.test("log_stats reads common logs, virtual hosts in front and more fields behind", async () => {
  const common = '::1 - - [10/Mar/2026:14:07:16 +0000] "GET / HTTP/1.0" 200 -';
  const hosted = `shop.example:443 ${access("14:07:17", "GET / HTTP/2.0", 200, '5 "-" "-"')}`;
  const timed = access("14:07:18", "GET / HTTP/2.0", 200, '5 "-" "-" "-" rt=0.250 uct="0.000"');
  const data = await statsOf([common, hosted, timed], { group_by: ["ip", "host", "duration"] });
  assertEquals(only(data, "lines", "rows"), {
    lines: { read: 3, not_parsed: 0, matched: 3 },
    rows: [
      ["::1", null, null, 1, 33.3],
      ["203.0.113.7", "shop.example:443", null, 1, 33.3],
      ["203.0.113.7", null, "0.250", 1, 33.3],
    ],
  });
});

Deno.test("log_stats counts malformed requests under no endpoint", async () => {
  const lines = [
    access("14:07:16", "", 408),
    access("14:07:16", "\\x16\\x03 502 ", 400),
    access("14:07:16", "-", 400),
  ];
  assertEquals(await rowsBy(lines, "endpoint", "status"), {
    formats: { access: 1 },
    rows: [[null, "408", 1, 33.3], ["\\x16\\x03 502", "400", 1, 33.3], [null, "400", 1, 33.3]],
  });
});

Deno.test("log_stats reads JSON lines, nested fields and other names for the same", async () => {
  const lines = [
    '{"@timestamp":"2026-03-10T14:07:16.5+08:00","severity":"ERROR","msg":"数据库","http":{"status":503}}',
    '{"ts":1773151637.25,"level":30,"message":"ok","status_code":200}',
  ];
  const data = await statsOf(lines, { group_by: ["level", "message", "http.status"] });
  assertEquals(only(data, "formats", "covers", "rows"), {
    formats: { json: 1 },
    covers: { first: "2026-03-10T06:07:16.500Z", last: "2026-03-10T14:07:17.250Z" },
    rows: [["error", "数据库", "503", 1, 50], ["info", "ok", "200", 1, 50]],
  });
});

Deno.test("log_stats reads journalctl -o json", async () => {
  const lines = [
    '{"__REALTIME_TIMESTAMP":"1773151636123456","PRIORITY":"3","_SYSTEMD_UNIT":"app.service","MESSAGE":[228,184,173]}',
  ];
  assertEquals(await rowsBy(lines, "level", "unit", "message", "minute"), {
    formats: { json: 1 },
    rows: [["error", "app.service", "中", "2026-03-10T14:07", 1, 100]],
  });
});

Deno.test("log_stats reads journal exports, with binary fields and an open last entry", async () => {
  const encoder = new TextEncoder();
  const message = encoder.encode("two\nlines");
  const size = new Uint8Array(8);
  size[0] = message.length;
  const parts = [
    encoder.encode("__CURSOR=s=1\n__REALTIME_TIMESTAMP=1773151636123456\nPRIORITY=4\nMESSAGE\n"),
    size,
    message,
    encoder.encode("\n_COMM=a\n\n__CURSOR=s=2\n__REALTIME_TIMESTAMP=1773151637000000\n"),
    encoder.encode("PRIORITY=6\nMESSAGE=key=value"),
  ];
  const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
  const data = await stats({ "j.export": bytes }, { group_by: ["level", "message"], samples: 2 });
  assertEquals(only(data, "formats", "lines", "rows", "samples"), {
    formats: { journal: 1 },
    lines: { read: 2, not_parsed: 0, matched: 2 },
    rows: [["warn", "two\nlines", 1, 50], ["info", "key=value", 1, 50]],
    samples: ["2026-03-10T14:07:16.123Z two\nlines", "2026-03-10T14:07:17Z key=value"],
  });
});

Deno.test("log_stats reads logfmt, with quotes, escapes and bare words", async () => {
  const lines = [
    'time=2026-03-10T14:07:16Z level=warning msg="said \\"no\\"" ok path=/a',
    "ts=2026-03-10T14:07:17Z lvl=info msg=慢 path=",
  ];
  assertEquals(await rowsBy(lines, "level", "message", "path"), {
    formats: { logfmt: 1 },
    rows: [["warn", 'said "no"', "/a", 1, 50], ["info", "慢", "", 1, 50]],
  });
});

Deno.test("log_stats reads syslog of RFC 5424, of RFC 3164, and as rsyslog files it", async () => {
  const lines = [
    '<165>1 2026-03-10T14:07:16.003Z host1 app 1370 ID47 [e@1 s="A ] b"][f@2] An event',
    "<34>Mar 10 14:07:16 host2 su[12]: failed",
    "Mar  9 14:07:16 host2 kernel: oops",
    "2026-03-10T14:07:16.123456+00:00 host3 CRON[5]: (root) CMD",
    "<13>1 2026-03-10T14:07:16Z host4 app - - - text",
  ];
  assertEquals(await rowsBy(lines, "level", "host", "app", "pid", "message"), {
    formats: { syslog: 1 },
    rows: [
      ["notice", "host1", "app", "1370", "An event", 1, 20],
      ["fatal", "host2", "su", "12", "failed", 1, 20],
      [null, "host2", "kernel", null, "oops", 1, 20],
      [null, "host3", "CRON", "5", "(root) CMD", 1, 20],
      ["notice", "host4", "app", null, "text", 1, 20],
    ],
  });
});

Deno.test("log_stats gives a time without a year the last one that has been", async () => {
  const lines = ["Mar 10 14:07:16 h app: a", "Dec 31 23:59:59 h app: b"];
  assertEquals(await rowsBy(lines, "day", "message"), {
    formats: { syslog: 1 },
    rows: [["2025-12-31", "b", 1, 50], ["2026-03-10", "a", 1, 50]],
  });
});

Deno.test("log_stats reads any lines that begin with a time", async () => {
  const lines = [
    "2026/03/10 14:07:16 [error] 123#0: *1 connect() failed",
    "[Tue Mar 10 14:07:16.123456 2026] [core:warn] [pid 1] x",
    "2026-03-10 14:07:16,123 FATAL [main] c.e.Foo - bar",
    "2026-03-10 14:07:16.123 UTC [9] ERROR:  deadlock detected",
    "2026-03-10T14:07:16Z INFO main: started",
    "    at com.example.Foo(Foo.java:1)",
  ];
  const data = await statsOf(lines, { group_by: ["level"] });
  assertEquals(only(data, "formats", "lines", "not_parsed_samples", "rows"), {
    formats: { plain: 1 },
    lines: { read: 6, not_parsed: 1, matched: 5 },
    not_parsed_samples: ["    at com.example.Foo(Foo.java:1)"],
    rows: [["error", 2, 40], ["warn", 1, 20], ["fatal", 1, 20], ["info", 1, 20]],
  });
});

Deno.test("log_stats takes a pattern with named groups", async () => {
  const lines = ["10.03.26 | 2026-03-10 14:07:16 | 支付 | 12 ms", "nothing"];
  const data = await statsOf(lines, {
    pattern: String.raw`\| (?P<time>[\d-]+ [\d:]+) \| (?P<app>\S+) \| (?P<took>\d+) ms`,
    group_by: ["service", "minute"],
    percentiles_of: "duration",
  });
  assertEquals(only(data, "formats", "lines", "rows"), {
    formats: { pattern: 1 },
    lines: { read: 2, not_parsed: 1, matched: 1 },
    rows: [["支付", "2026-03-10T14:07", 1, 100, 12, 12, 12, 12]],
  });
});

Deno.test("log_stats can't be made to hang by a pattern", async () => {
  const data = await statsOf([`${"a".repeat(50_000)}!`], { pattern: "^(?P<x>(a+)+)$" });
  assertEquals(only(data, "lines"), { lines: { read: 1, not_parsed: 1, matched: 0 } });
});

Deno.test("log_stats recognises each file on its own", async () => {
  const data = await stats({
    "a.log": access("14:07:16", "GET / HTTP/1.1", 200),
    "b.log": '{"time":"2026-03-10T14:07:16Z","status":200}\n',
    "c.log": "",
  }, { group_by: ["status"] });
  assertEquals(only(data, "files", "formats", "rows"), {
    files: 3,
    formats: { access: 1, json: 1 },
    rows: [["200", 2, 100]],
  });
});

Deno.test("log_stats says how a format begins that it does not know", async () => {
  assertEquals(await statsOf(["dies ist kein Protokoll", "gar keins"]), {
    error: {
      code: "unknown_format",
      message: 'The format of "a.log" is not recognised; it begins "dies ist kein Protokoll"',
      hint: "Give a pattern with named groups that fits such a line.",
      retriable: false,
    },
  });
});
