import { assertEquals, assertThrows } from "@std/assert";
import { ConfigError } from "../../lib/config/config_error.ts";
import { pricesFor, pricesOf, pricesOfRun } from "../../lib/config/prices.ts";

const price = (input: number) => pricesOf({ input, output: 1 });

Deno.test("pricesOf() takes cached input to cost what input costs, unless it says so", () => {
  assertEquals([
    pricesOf({ input: 2, output: 8 }),
    pricesOf({ input: 2, output: 8, cached_input: 0 }),
  ], [
    { input: 2, output: 8, cachedInput: 2 },
    { input: 2, output: 8, cachedInput: 0 },
  ]);
});

Deno.test("pricesFor() takes the very name before a pattern, and the longest pattern that fits", () => {
  const table = { "*": price(1), "gpt-*": price(2), "gpt-*-mini": price(3), "gpt-4o": price(4) };
  const models = ["gpt-4o", "gpt-4o-mini", "gpt-5", "qwen3:8b", "gpt-mini", ""];
  assertEquals(models.map((model) => pricesFor(table, model)?.input), [4, 3, 2, 1, 2, 1]);
});

Deno.test("pricesFor() finds none where none fits, whatever the names look like", () => {
  const table = { "a.c": price(1), "x*y*x": price(2) };
  const models = ["abc", "toString", "xyx", "xy", "x", "xx"];
  assertEquals(models.map((model) => pricesFor(table, model)?.input ?? null), [
    ...[null, null, 2, null, null, null],
  ]);
});

Deno.test("pricesOfRun() wants prices only where the cost is limited", () => {
  assertEquals(pricesOfRun({ maxCost: null, priceTable: {} }, "m"), null);
  assertEquals(pricesOfRun({ maxCost: 1, priceTable: { m: price(1) } }, "m"), price(1));
  const error = assertThrows(() => pricesOfRun({ maxCost: 1, priceTable: {} }, "m"), ConfigError);
  assertEquals([error.message, error.hint], [
    'The cost is limited to 1, and no prices are set for the model "m"',
    "Set prices for it in ~/.config/rein/config.yaml (see README), or set --max-cost none.",
  ]);
});
