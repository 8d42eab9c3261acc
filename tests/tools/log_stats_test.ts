import { assertEquals } from "@std/assert";
import { generateLog } from "../../demo/log.ts";
import { createLogStats } from "../../tools/log_stats.ts";
import { CONTEXT, FakeClock, MemoryFiles } from "../fakes.ts";
import { compareHours, parseLog } from "../demo/_figures.ts";

const LOG = generateLog();
const files = new MemoryFiles({ "access.log": LOG });
const tool = createLogStats({ files, clock: new FakeClock(Date.UTC(2026, 2, 10, 15)) });

Deno.test("log_stats answers the demo's question in one call", async () => {
  const outcome = await tool.run({
    paths: ["access.log"],
    status: "5xx",
    last: "1h",
    group_by: ["endpoint"],
    normalize: true,
    samples: 1,
  }, CONTEXT);
  const expected = compareHours(parseLog(LOG)).filter(({ lastHour }) => lastHour > 0);
  const total = expected.reduce((sum, { lastHour }) => sum + lastHour, 0);
  const percent = (part: number, whole: number) => Math.round(1000 * part / whole) / 10;
  assertEquals(
    outcome.ok && outcome.data["rows"],
    expected.map(({ endpoint, lastHour, hourBefore }) => [
      ...[endpoint, lastHour, percent(lastHour, total)],
      ...[hourBefore, hourBefore === 0 ? null : percent(lastHour - hourBefore, hourBefore)],
    ]),
  );
  assertEquals([outcome.ok && outcome.summary, JSON.stringify(outcome).length < 1500], [
    "447 of 24973 entries",
    true,
  ]);
});

Deno.test("log_stats says in a few words what it is about to count", () => {
  assertEquals(tool.brief({ paths: ["a.log", "b/"] }), "a.log b/");
  assertEquals(
    tool.brief({
      paths: ["a.log"],
      status: "5xx",
      level: "error",
      text: "x y",
      group_by: ["path", "hour"],
      percentiles_of: "duration",
      last: "1h",
      to: "now",
      from: "",
    }),
    'a.log: 5xx, level error, "x y", duration, by path and hour, last 1h, to now',
  );
});

Deno.test("log_stats is described in few words", () => {
  const { name, description, parameters } = tool;
  // About four characters a token.
  assertEquals(JSON.stringify({ name, description, parameters }).length <= 1800, true);
});
