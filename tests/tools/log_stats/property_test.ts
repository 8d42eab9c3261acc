import { assertEquals } from "@std/assert";
import fc from "fast-check";
import type { LogStatsArgs } from "../../../tools/log_stats/query.ts";
import { gzip, stats } from "./_stats.ts";

/** What a line of a generated log says, or a text that is no entry. */
type Line =
  | {
    readonly seconds: number;
    readonly path: string;
    readonly status: number;
    readonly ms: number;
  }
  | string;

const MONTH = "10/Mar/2026";

/** 08:00 is 00:00 in UTC. */
const ZONE_SECONDS = 8 * 3600;

const path = fc.oneof(
  fc.constantFrom("/", "/api/cart", "/api/cart?x=1", "/订单/列表"),
  fc.nat(99).map((id) => `/api/order/${id}`),
  fc.nat(99).map((id) => `/api/order/${id}/items?page=${id}`),
);

const line: fc.Arbitrary<Line> = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      seconds: fc.integer({ min: ZONE_SECONDS, max: ZONE_SECONDS + 4 * 3600 }),
      path,
      status: fc.constantFrom(200, 201, 304, 404, 500, 502, 503),
      ms: fc.nat(5000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom("broken", "203.0.113.7 - - [10/Mar", "{broken", "\\x00"),
  },
);

const args: fc.Arbitrary<Omit<LogStatsArgs, "paths">> = fc.record({
  last: fc.constantFrom("1m", "30m", "1h", "90m", "1d"),
  status: fc.constantFrom("5xx", "404,500-502", "2xx"),
  text: fc.constantFrom("/API/", "订单", "5", "nirgends"),
  group_by: fc.constantFrom(["path"], ["endpoint", "status"], ["status_class"], ["hour"]),
  normalize: fc.boolean(),
  percentiles_of: fc.constant("duration"),
}, { requiredKeys: ["group_by"] });

function written(each: Line): string {
  if (typeof each === "string") return each;
  const time = new Date(each.seconds * 1000).toISOString().slice(11, 19);
  const seconds = (each.ms / 1000).toFixed(3);
  return `203.0.113.7 - - [${MONTH}:${time} +0800] "GET ${each.path} HTTP/1.1" ${each.status} 5 "-" "x" ${seconds}`;
}

type Entry = Exclude<Line, string>;

function keyOf(entry: Entry, query: Omit<LogStatsArgs, "paths">): string {
  const shown = query.normalize
    ? entry.path.replace(/\?.*/, "").replaceAll(/\/\d+/g, "/:id")
    : entry.path;
  const values: Record<string, string> = {
    path: shown,
    endpoint: `GET ${shown}`,
    status: String(entry.status),
    status_class: `${String(entry.status)[0]}xx`,
    hour: `2026-03-10T${String(Math.floor(entry.seconds / 3600)).padStart(2, "0")}`,
  };
  return (query.group_by ?? []).map((name) => values[name]).join(" | ");
}

function hasStatus(entry: Entry, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  if (wanted.endsWith("xx")) return String(entry.status)[0] === wanted[0];
  return entry.status === 404 || (entry.status >= 500 && entry.status <= 502);
}

function isMatch(entry: Entry, { status, text = "" }: Omit<LogStatsArgs, "paths">): boolean {
  return hasStatus(entry, status) && written(entry).toLowerCase().includes(text.toLowerCase());
}

const SPANS: Readonly<Record<string, number>> = {
  "1m": 60,
  "30m": 1800,
  "1h": 3600,
  "90m": 5400,
  "1d": 86_400,
};

function countBy(entries: readonly Entry[], query: Omit<LogStatsArgs, "paths">) {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const key = keyOf(entry, query);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The same counts, computed from what was generated and in the plainest way. */
function naive(lines: readonly Line[], query: Omit<LogStatsArgs, "paths">) {
  const entries = lines.filter((each) => typeof each !== "string");
  const newest = Math.max(...entries.map(({ seconds }) => seconds));
  const span = query.last === undefined ? Infinity : SPANS[query.last] ?? 0;
  const within = (from: number, to: number) =>
    entries.filter(({ seconds }) => seconds > newest - from && seconds <= newest - to);
  const inWindow = within(span, 0);
  const matched = inWindow.filter((entry) => isMatch(entry, query));
  const before = query.last === undefined ? [] : within(2 * span, span)
    .filter((entry) => isMatch(entry, query));
  return {
    read: lines.length,
    not_parsed: lines.length - entries.length,
    in_window: query.last === undefined ? null : inWindow.length,
    matched: matched.length,
    matched_before: query.last === undefined ? null : before.length,
    now: countBy(matched, query),
    before: countBy(before, query),
    slowest: Math.max(...matched.map(({ ms }) => ms / 1000)),
  };
}

/** What the tool says, in the same shape. */
async function counted(
  files: Readonly<Record<string, string | Uint8Array>>,
  query: Omit<LogStatsArgs, "paths">,
  pieceBytes: number,
) {
  const data = await stats(files, { ...query, top: 60 }, { pieceBytes });
  const { lines, rows, columns, percentiles } = JSON.parse(JSON.stringify(data));
  const keys = (query.group_by ?? []).length;
  const rowsOf = (column: string): Map<string, number> => {
    const at = columns.indexOf(column);
    const found: [string, number][] = rows.map((row: readonly (string | number)[]) => [
      row.slice(0, keys).join(" | "),
      at < 0 ? 0 : row[at],
    ]);
    return new Map(found.filter(([, count]) => count > 0));
  };
  return {
    read: lines.read,
    not_parsed: lines.not_parsed,
    in_window: lines.in_window ?? null,
    matched: lines.matched,
    matched_before: lines.matched_before ?? null,
    now: rowsOf("count"),
    before: rowsOf("before"),
    slowest: percentiles?.max ?? null,
  };
}

Deno.test("log_stats counts what a naive implementation counts, on any log", async () => {
  const lines = fc.array(line, { minLength: 1, maxLength: 60 })
    .filter((all) => all.some((each) => typeof each !== "string"));
  const property = fc.asyncProperty(
    lines,
    args,
    fc.integer({ min: 20, max: 400 }),
    fc.constantFrom("\n", "\r\n"),
    fc.boolean(),
    async (all, query, pieceBytes, end, zipped) => {
      const half = Math.floor(all.length / 2);
      const text = (some: readonly Line[]) => some.map((each) => written(each) + end).join("");
      const parts = [all.slice(0, half), all.slice(half)].filter((part) =>
        part.some((each) => typeof each !== "string")
      );
      // A file without any entry is left out as a whole.
      const kept = parts.flat();
      const files: Record<string, string | Uint8Array> = {};
      for (const [i, part] of parts.entries()) {
        files[`${i}.log`] = zipped && i === 0 ? await gzip(text(part)) : text(part);
      }
      const expected = naive(kept, query);
      const actual = await counted(files, query, pieceBytes);
      const groupsBefore = new Map([...expected.before].filter(([key]) => expected.now.has(key)));
      const slowest = query.percentiles_of && expected.matched > 0 ? expected.slowest : null;
      assertEquals(actual, { ...expected, before: groupsBefore, slowest });
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
