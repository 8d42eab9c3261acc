import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { sparkline } from "../../lib/trace/sparkline.ts";

Deno.test("sparkline() draws numbers from 0 to the largest", () => {
  assertEquals(sparkline([0, 1, 2, 3, 4, 5, 6, 7], 10), "▁▂▃▄▅▆▇█");
  assertEquals([sparkline([], 10), sparkline([0, 0], 10), sparkline([5], 10)], ["", "▁▁", "█"]);
});

Deno.test("sparkline() never takes more columns than there are, and keeps the largest number", () => {
  const numbers = fc.array(fc.nat(100_000), { minLength: 1, maxLength: 500 });
  fc.assert(fc.property(numbers, fc.integer({ min: 1, max: 80 }), (values, columns) => {
    const line = sparkline(values, columns);
    assertEquals([line.length <= columns, line.includes("█")], [true, Math.max(...values) > 0]);
  }));
});
