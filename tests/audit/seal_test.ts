import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { canonical } from "../../lib/audit/seal.ts";

Deno.test("canonical() writes the example of RFC 8785, 3.2.2", () => {
  const value = JSON.parse(`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
    "literals": [null, true, false]
  }`);
  assertEquals(
    canonical(value),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
      '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
});

Deno.test("canonical() sorts names as RFC 8785, 3.2.3, by UTF-16 units", () => {
  const value = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  const order = [...canonical(value).matchAll(/:"(.*?)"/g)].map(([, name]) => name);
  assertEquals(order, [
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

/** IEEE 754 bits and their form. Source: RFC 8785, appendix B. */
const NUMBERS: readonly (readonly [bits: string, text: string])[] = [
  ["0000000000000000", "0"],
  ["8000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["7fefffffffffffff", "1.7976931348623157e+308"],
  ["ffefffffffffffff", "-1.7976931348623157e+308"],
  ["4340000000000000", "9007199254740992"],
  ["c340000000000000", "-9007199254740992"],
  ["4430000000000000", "295147905179352830000"],
  ["44b52d02c7e14af5", "9.999999999999997e+22"],
  ["44b52d02c7e14af6", "1e+23"],
  ["44b52d02c7e14af7", "1.0000000000000001e+23"],
  ["444b1ae4d6e2ef4e", "999999999999999700000"],
  ["444b1ae4d6e2ef4f", "999999999999999900000"],
  ["444b1ae4d6e2ef50", "1e+21"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

Deno.test("canonical() writes the numbers of RFC 8785, appendix B", () => {
  const written = NUMBERS.map(([bits]) => {
    const view = new DataView(new ArrayBuffer(8));
    view.setBigUint64(0, BigInt(`0x${bits}`));
    return [bits, canonical(view.getFloat64(0))];
  });
  assertEquals(written, NUMBERS.map((pair) => [...pair]));
});

Deno.test("canonical() takes neither what is no number nor half a character", () => {
  for (const value of [NaN, Infinity, "\ud800", undefined]) assertThrows(() => canonical(value));
});

Deno.test("canonical() says the same of a value whatever the order of its fields", () => {
  const json = fc.jsonValue({ noUnicodeString: false, maxDepth: 4 });
  fc.assert(
    fc.property(json, (value) => {
      const text = canonical(value);
      assertEquals(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assertEquals(canonical(JSON.parse(text)), text);
      assertEquals(canonical(reversed(value)), text);
    }),
    { seed: 9, numRuns: 500 },
  );
});

/** The same value with the fields of objects the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).toReversed().map(([name, field]) => [name, reversed(field)]),
  );
}
