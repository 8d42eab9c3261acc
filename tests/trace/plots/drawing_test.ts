import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { ticksOf, timeTicksOf } from "../../../lib/trace/plots/drawing.ts";

Deno.test("ticksOf() marks round numbers from 0 up", () => {
  assertEquals(ticksOf(4100), [0, 1000, 2000, 3000, 4000]);
  assertEquals(ticksOf(1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assertEquals([ticksOf(0), ticksOf(-1), ticksOf(NaN)], [[0], [0], [0]]);
});

Deno.test("timeTicksOf() marks times that are round on a clock", () => {
  assertEquals(timeTicksOf(9600), [0, 2000, 4000, 6000, 8000]);
  assertEquals(timeTicksOf(125_000), [0, 30_000, 60_000, 90_000, 120_000]);
  assertEquals(timeTicksOf(7_000_000), [0, 1_800_000, 3_600_000, 5_400_000]);
});

Deno.test("marks of an axis are few, rise, and stay within it", () => {
  const most = fc.oneof(
    fc.integer({ min: 1, max: 10 ** 12 }),
    fc.double({ min: 1, max: 1000, noNaN: true }),
  );
  fc.assert(fc.property(most, fc.constantFrom(ticksOf, timeTicksOf), (end, ticks) => {
    const marks = ticks(end);
    assertEquals(marks, [...new Set(marks)].toSorted((a, b) => a - b));
    assertEquals([marks.length <= 6, marks[0], (marks.at(-1) ?? 0) <= end], [true, 0, true]);
  }));
});
