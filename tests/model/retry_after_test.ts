import { assertEquals } from "@std/assert";
import { retryAfterMs } from "../../lib/model/retry_after.ts";

const NOW = Date.parse("2026-11-30T00:00:00Z");

function headers(values: Record<string, string>): number | null {
  return retryAfterMs(new Headers(values), "", NOW);
}

Deno.test("retryAfterMs() reads seconds, milliseconds and dates", () => {
  assertEquals([
    headers({ "retry-after": "7" }),
    headers({ "retry-after": "1.5" }),
    headers({ "retry-after-ms": "250" }),
    headers({ "retry-after-ms": "250", "retry-after": "7" }),
    headers({ "retry-after": "Mon, 30 Nov 2026 00:00:20 GMT" }),
    headers({ "retry-after": "Wed, 16 Dec 2026 00:00:00 GMT" }),
  ], [7000, 1500, 250, 250, 20_000, 16 * 86_400_000]);
});

Deno.test("retryAfterMs() takes a date that is past for no wait", () => {
  assertEquals(headers({ "retry-after": "Sun, 29 Nov 2026 23:59:00 GMT" }), 0);
});

Deno.test("retryAfterMs() takes nonsense for nothing said", () => {
  const values = ["soon", "-5", "", "1e9x", "7 or so"];
  assertEquals(values.map((value) => headers({ "retry-after": value })), values.map(() => null));
  assertEquals(retryAfterMs(null, "Slow down", NOW), null);
});

Deno.test("retryAfterMs() reads what servers say in words", () => {
  const words = [
    "Rate limit reached for m. Limit 30000, Used 29000. Please try again in 7.66s. Visit x",
    "Please try again in 820ms.",
    "Please try again in 1m30.5s.",
    "Please retry in 34.074824224s.",
    '{"details":[{"@type":"RetryInfo","retryDelay":"34s"}]}',
    "Please retry after 20 seconds.",
  ];
  assertEquals(words.map((text) => retryAfterMs(null, text, NOW)), [
    7660,
    820,
    90_500,
    34_075,
    34_000,
    20_000,
  ]);
});
