import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseAmount } from "../../../tools/log_stats/numbers.ts";
import { Quantiles } from "../../../tools/log_stats/quantiles.ts";
import { access, only, statsOf } from "./_stats.ts";

const SHARES = [0.5, 0.9, 0.99] as const;

/** Percentiles by nearest rank, from all values. */
function exact(values: readonly number[]): readonly number[] {
  const sorted = values.toSorted((a, b) => a - b);
  return SHARES.map((share) => sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1] ?? NaN);
}

Deno.test("Quantiles is exact for times in milliseconds below half a second", () => {
  const quantiles = new Quantiles();
  const values = Array.from({ length: 2000 }, (_, i) => (i * 7919 % 500) / 1000);
  for (const value of values) quantiles.add(0, value);
  assertEquals(quantiles.of(0, SHARES), { count: 2000, max: 0.499, values: exact(values) });
});

Deno.test("Quantiles stays within the error that it states", () => {
  const value = fc.oneof(
    fc.double({ min: -1e9, max: 1e9, noNaN: true }),
    fc.double({ min: 0, max: 1, noNaN: true }),
  );
  fc.assert(fc.property(fc.array(value, { minLength: 1, maxLength: 500 }), (values) => {
    const quantiles = new Quantiles();
    for (const each of values) quantiles.add(3, each);
    const { values: found, count, max } = quantiles.of(3, SHARES);
    assertEquals([count, max], [values.length, Math.max(...values)]);
    exact(values).forEach((wanted, i) => {
      const off = Math.abs((found[i] ?? NaN) - wanted);
      assert(off <= Math.abs(wanted) * quantiles.error + 1e-300, `${found[i]} ${wanted}`);
    });
  }));
});

Deno.test("Quantiles becomes coarser instead of larger, and says so", () => {
  const quantiles = new Quantiles(2048);
  const values = Array.from({ length: 20_000 }, (_, i) => 1.001 ** i);
  for (const value of values) quantiles.add(0, value);
  const { values: found, count } = quantiles.of(0, SHARES);
  assertEquals([count, quantiles.error > 1 / 512], [20_000, true]);
  exact(values).forEach((wanted, i) => {
    assert(Math.abs((found[i] ?? NaN) - wanted) <= wanted * quantiles.error);
  });
});

Deno.test("Quantiles keeps groups apart, and joins them all", () => {
  const quantiles = new Quantiles();
  for (let i = 1; i <= 100; i++) {
    quantiles.add(0, i);
    quantiles.add(1, 10 * i);
  }
  const [low, high, all] = [
    quantiles.of(0, SHARES),
    quantiles.of(1, SHARES),
    quantiles.all(SHARES),
  ];
  assertEquals([low.values, high.values], [[50, 90, 99], [500, 900, 990]]);
  assertEquals([all.count, all.max], [200, 1000]);
  assertEquals(quantiles.of(2, SHARES), { count: 0, max: NaN, values: [NaN, NaN, NaN] });
});

Deno.test("parseAmount() reads numbers and times with units", () => {
  const amounts = (texts: readonly string[]) =>
    Object.fromEntries(texts.map((text) => {
      const bytes = new TextEncoder().encode(`1${text}2`);
      return [text, parseAmount(bytes, 1, bytes.length - 1)];
    }));
  const expected = {
    "0": 0,
    "12": 12,
    "0.042": 0.042,
    "12.": 12,
    "-3": -3,
    "1e3": 1000,
    "12345678901234567890": 12345678901234567890,
    "1.5ms": 0.0015,
    "850µs": 0.00085,
    "2m3s": 123,
    "1h": 3600,
    "": NaN,
    "-": NaN,
    "fast": NaN,
    "1.2.3": NaN,
  };
  assertEquals(amounts(Object.keys(expected)), expected);
});

Deno.test("log_stats gives percentiles of a field for all and for each group", async () => {
  const lines = Array.from({ length: 100 }, (_, i) => {
    const path = i % 2 === 0 ? "/even" : "/odd";
    return access(
      "14:00:00",
      `GET ${path} HTTP/1.1`,
      200,
      `5 "-" "-" 0.${String(i).padStart(3, "0")}`,
    );
  });
  const data = await statsOf([...lines, access("14:00:00", "GET / HTTP/1.1", 200, '5 "-" "-" -')], {
    group_by: ["path"],
    percentiles_of: "duration",
  });
  assertEquals(only(data, "percentiles", "columns", "rows", "notes"), {
    percentiles: {
      field: "duration",
      values: 100,
      p50: 0.049,
      p90: 0.089,
      p99: 0.098,
      max: 0.099,
      error_at_most: "0.2 %",
    },
    columns: ["path", "count", "share_pct", "values", "p50", "p90", "p99", "max"],
    rows: [
      ["/even", 50, 49.5, 50, 0.048, 0.088, 0.098, 0.098],
      ["/odd", 50, 49.5, 50, 0.049, 0.089, 0.099, 0.099],
      ["/", 1, 1, 0, null, null, null, null],
    ],
    notes: ["1 matched entries have no number in duration."],
  });
});
