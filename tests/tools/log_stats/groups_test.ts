import { assertEquals } from "@std/assert";
import { Counts, Groups, NO_GROUP } from "../../../tools/log_stats/groups.ts";
import { access, only, statsOf } from "./_stats.ts";

/** Lines of a time and a path, each as often as it says. */
function hits(...counts: readonly (readonly [time: string, path: string, count: number])[]) {
  return counts.flatMap(([time, path, count]) =>
    Array.from({ length: count }, () => access(time, `GET ${path} HTTP/1.1`, 200))
  );
}

const LOG = hits(
  ["13:00:01", "/gone", 3],
  ["13:30:00", "/a", 4],
  ["13:30:00", "/b", 2],
  ["14:30:00", "/a", 6],
  ["14:30:00", "/b", 1],
  ["14:59:59", "/new", 3],
);

Deno.test("log_stats lists the largest groups with their share", async () => {
  const data = await statsOf(LOG, { group_by: ["path"], top: 2 });
  assertEquals(only(data, "groups", "columns", "rows"), {
    groups: 4,
    columns: ["path", "count", "share_pct"],
    rows: [["/a", 10, 52.6], ["/gone", 3, 15.8]],
  });
});

Deno.test("log_stats compares every group with the window before", async () => {
  const data = await statsOf(LOG, { group_by: ["path"], last: "1h" });
  assertEquals(only(data, "lines", "groups", "columns", "rows", "notes"), {
    lines: {
      read: 19,
      not_parsed: 0,
      in_window: 10,
      matched: 10,
      matched_before: 9,
      change_pct: 11.1,
    },
    groups: 3,
    columns: ["path", "count", "share_pct", "before", "change_pct"],
    rows: [["/a", 6, 60, 4, 50], ["/new", 3, 30, 0, null], ["/b", 1, 10, 2, -50]],
    notes: null,
  });
  assertEquals(only(await statsOf(LOG, { last: "90m" }), "notes"), {
    notes: ["The window before is not covered from its beginning; before counts too little."],
  });
});

Deno.test("log_stats compares nothing with a window that is open on one side", async () => {
  const data = await statsOf(LOG, { group_by: ["path"], from: "2026-03-10T14:00" });
  assertEquals(only(data, "columns", "rows"), {
    columns: ["path", "count", "share_pct"],
    rows: [["/a", 6, 60], ["/new", 3, 30], ["/b", 1, 10]],
  });
});

Deno.test("log_stats groups by several fields at once", async () => {
  const data = await statsOf(LOG, { group_by: ["method", "path", "status_class"], top: 1 });
  assertEquals(only(data, "groups", "columns", "rows"), {
    groups: 4,
    columns: ["method", "path", "status_class", "count", "share_pct"],
    rows: [["GET", "/a", "2xx", 10, 52.6]],
  });
});

Deno.test("log_stats lists groups of time in the order of time", async () => {
  const data = await statsOf(LOG, { group_by: ["minute"] });
  assertEquals(only(data, "rows"), {
    rows: [
      ["2026-03-10T13:00", 3, 15.8],
      ["2026-03-10T13:30", 6, 31.6],
      ["2026-03-10T14:30", 7, 36.8],
      ["2026-03-10T14:59", 3, 15.8],
    ],
  });
});

Deno.test("log_stats joins endpoints that differ in ids and queries only, when asked", async () => {
  const lines = hits(
    ["14:00:00", "/api/order/123", 1],
    ["14:00:00", "/api/order/456?x=1", 1],
    ["14:00:00", "/api/order/0190163d-8694-739b-aea5-966c26f8ad91", 1],
  );
  const joined = await statsOf(lines, { group_by: ["endpoint"], normalize: true });
  assertEquals(only(joined, "rows"), { rows: [["GET /api/order/:id", 3, 100]] });
  assertEquals(only(await statsOf(lines, { group_by: ["endpoint"] }), "groups"), { groups: 3 });
});

Deno.test("log_stats cuts long values between characters", async () => {
  const data = await statsOf(hits(["14:00:00", `/${"订".repeat(200)}`, 1]), { group_by: ["path"] });
  assertEquals(only(data, "rows"), { rows: [[`/${"订".repeat(52)}…`, 1, 100]] });
});

Deno.test("log_stats keeps its data short, whatever is in the log", async () => {
  const long = Array.from(
    { length: 60 },
    (_, i) => hits(["14:00:00", `/${i}${"x".repeat(200)}`, 1]),
  );
  const data = await statsOf(long.flat(), { group_by: ["path", "request"], top: 60, samples: 10 });
  assertEquals(JSON.stringify(data).length <= 6000, true);
  const { rows, samples, rows_not_shown } = data;
  assertEquals(
    [Array.isArray(rows) && rows.length + Number(rows_not_shown), Array.isArray(samples)],
    [60, true],
  );
});

Deno.test("log_stats says how many entries are in no group beyond the most", async () => {
  const lines = Array.from(
    { length: 100_002 },
    (_, i) => access("14:00:00", `GET /${i} HTTP/1.1`, 200),
  );
  const data = await statsOf(lines, { group_by: ["path"], top: 1 });
  assertEquals(only(data, "lines", "groups", "rows", "notes"), {
    lines: { read: 100_002, not_parsed: 0, matched: 100_002 },
    groups: 100_000,
    rows: [["/0", 1, 0]],
    notes: [
      "More than 100000 groups: 2 entries of later ones are in no row. Use normalize, or fewer fields.",
    ],
  });
});

Deno.test("Groups gives the same number to the same bytes, and none beyond the most", () => {
  const groups = new Groups(5000);
  const find = (i: number) => {
    const key = new TextEncoder().encode(`key ${i} ${"x".repeat(i % 50)}`);
    return groups.find(key, key.length);
  };
  const numbers = Array.from({ length: 5000 }, (_, i) => find(i));
  assertEquals(numbers, Array.from({ length: 5000 }, (_, i) => i));
  assertEquals(Array.from({ length: 5000 }, (_, i) => find(i)), numbers);
  assertEquals([find(5000), groups.size], [NO_GROUP, 5000]);
  assertEquals(groups.values(4999), [`key 4999 ${"x".repeat(49)}`]);
});

Deno.test("Counts counts groups in any order", () => {
  const counts = new Counts();
  for (const group of [5000, 0, 5000, 99_999]) counts.add(group);
  assertEquals([0, 1, 5000, 99_999, 1e6].map((group) => counts.of(group)), [1, 0, 2, 1, 0]);
});
