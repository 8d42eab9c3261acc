import { assertEquals } from "@std/assert";
import { generateLog } from "../../demo/log.ts";
import { compareHours, parseLog, timeOf } from "./_figures.ts";

const LOG = generateLog();
const LINES = parseLog(LOG);

Deno.test("generateLog() gives the same bytes every time", async () => {
  assertEquals(generateLog(), LOG);
  assertEquals(
    await sha256(LOG),
    "a225d45d3d2802f4c3405338d9f8bc01f9904b44b32566b8b5fa3f7b944cf4f7",
  );
});

Deno.test("generateLog() gives a log of realistic size, in ASCII", () => {
  assertEquals({ chars: LOG.length, lines: LINES.length }, { chars: 4_841_244, lines: 24_973 });
  assertEquals(new TextEncoder().encode(LOG).length, LOG.length);
});

Deno.test("generateLog() covers four hours in the order of time", () => {
  assertEquals(LINES.slice(0, 1).map(timeOf), ["10:42:00"]);
  assertEquals(LINES.slice(-1).map(timeOf), ["14:41:59"]);
  const unordered = LINES.filter((line, index) => line.atMs < (LINES[index - 1]?.atMs ?? 0));
  assertEquals(unordered, []);
});

Deno.test("generateLog() leaves no doubt about the top five", () => {
  const comparisons = compareHours(LINES);
  const counts = comparisons.slice(0, 6).map(({ lastHour }) => lastHour);
  assertEquals(counts.length, new Set(counts).size);
  assertEquals(comparisons.filter(({ endpoint }) => endpoint === "(malformed)"), []);
});

Deno.test("generateLog() holds what misleads a careless search", () => {
  const misleading = [
    /"[^"]*\/errors\/500[^"]*" 404 /,
    /"[^"]* 502 " 400 /,
    /" 200 5\d\d /,
    /"" 408 /,
  ];
  assertEquals(misleading.filter((pattern) => !pattern.test(LOG)), []);
});

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
