import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { calculate, MAX_EXPRESSION_CHARS } from "../../tools/calculate/evaluate.ts";
import { CONSTANTS, FUNCTIONS } from "../../tools/calculate/functions.ts";
import { MAX_DEPTH } from "../../tools/calculate/parse.ts";
import { calculateTool } from "../../tools/calculate.ts";
import { CONTEXT } from "../fakes.ts";

/** The printed values of some expressions, or the codes and messages of their errors. */
function outcomes(expressions: readonly string[]): Record<string, string> {
  return Object.fromEntries(expressions.map((expression) => {
    const result = calculate(expression);
    return [expression, result.ok ? result.value : `${result.error.code}: ${result.error.message}`];
  }));
}

/** Holds every expression of a table to what stands beside it. */
function assertOutcomes(expected: Record<string, string>): void {
  assertEquals(outcomes(Object.keys(expected)), expected);
}

Deno.test("calculate() keeps decimals exact", () => {
  assertOutcomes({
    "0.1+0.2": "0.3",
    "0.1*3": "0.3",
    "1.10 - 1": "0.1",
    "3 * 1.005": "3.015",
    "1.1^30": "17.449402268886407318558803753801",
    "123456789012345678901234.5 + .25": "123456789012345678901234.75",
    "1e-30 + 0": "1e-30",
    "0 * -1": "0",
  });
});

Deno.test("calculate() keeps integers exact up to a thousand digits", () => {
  assertOutcomes({
    "2^64": "18446744073709551616",
    "2^64 - 1": "18446744073709551615",
    "9007199254740993 + 0": "9007199254740993",
    "2^200 % 1000007": String(2n ** 200n % 1000007n),
    "2^3000": String(2n ** 3000n),
    "7^1000 % 998244353": String(7n ** 1000n % 998244353n),
    "(3^600 / 3^599)": "3",
    "sqrt(10^998)": `1${"0".repeat(499)}`,
  });
});

Deno.test("calculate() agrees with bigint on whole numbers", () => {
  const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
  fc.assert(fc.property(integer, integer, integer, (a, b, c) => {
    const expected = a * b - c + (c === 0n ? 0n : a % c);
    const remainder = c === 0n ? "0" : `(${a}) % (${c})`;
    assertEquals(
      calculate(`(${a}) * (${b}) - (${c}) + ${remainder}`),
      { ok: true, value: String(expected), rounded: false },
    );
  }));
});

Deno.test("calculate() rounds what does not end, and says so", () => {
  assertEquals(calculate("1/3"), { ok: true, value: "0.33333333333333333333", rounded: true });
  assertEquals(calculate("1/4"), { ok: true, value: "0.25", rounded: false });
  assertOutcomes({
    "2/3": "0.66666666666666666667",
    "1/3*3": "1",
    "sqrt(2)^2": "2",
    "10^30/3": "3.3333333333333333333e+29",
    "100 * 412 / 703": "58.605974395448079659",
    "pi": "3.1415926535897932385",
    "e": "2.7182818284590452354",
  });
});

Deno.test("calculate() binds operators as people expect", () => {
  assertOutcomes({
    "1 + 2 * 3": "7",
    "(1 + 2) * 3": "9",
    "10 - 4 - 3": "3",
    "100 / 10 / 2": "5",
    "2 ^ 3 ^ 2": "512",
    "2 ** 3 ** 2": "512",
    "-2^2": "-4",
    "(-2)^2": "4",
    "2^-1": "0.5",
    "2^-2^2": "0.0625",
    "-3 * -4": "12",
    "2 - -2": "4",
    "+5 + +5": "10",
    "--5": "5",
    "7 % 4": "3",
    "-7 % 4": "-3",
    "5.5 % 2": "1.5",
    "2 * 7 % 4": "2",
    "0^0": "1",
    "(-8)^3": "-512",
  });
});

Deno.test("calculate() reads numbers as people write them", () => {
  assertOutcomes({
    "1e3": "1000",
    "1E-3": "0.001",
    ".5": "0.5",
    "5.": "5",
    "1_000_000": "1000000",
    " 1\t+\n1 ": "2",
    "007": "7",
  });
});

Deno.test("calculate() knows a few functions and constants, in any case", () => {
  assertOutcomes({
    "sqrt(2)": "1.4142135623730950488",
    "abs(-3.5)": "3.5",
    "round(2.5)": "3",
    "round(-2.5)": "-3",
    "round(58.605974, 1)": "58.6",
    "round(1250, -2)": "1300",
    "floor(-1.5)": "-2",
    "ceil(-1.5)": "-1",
    "min(3, 1, 2)": "1",
    "max(3, 1, 2)": "3",
    "sum(0.1, 0.2, 0.3)": "0.6",
    "avg(1, 2, 4)": "2.3333333333333333333",
    "ln(e^2)": "2",
    "log(1000)": "3",
    "log(8, 2)": "3",
    "exp(0)": "1",
    "4^0.5": "2",
    "SQRT(16) + Pi - PI": "4",
    "max(min(1, 2), sum(1))": "1",
  });
});

Deno.test("calculate() says what is malformed, and where", () => {
  assertOutcomes({
    "": "empty_expression: Cannot calculate an empty expression",
    " \n": "empty_expression: Cannot calculate an empty expression",
    "1 +": 'unexpected_end: Expression ends at position 4 where a value is missing after "+"',
    "1 + * 2": 'unexpected_token: Expected a value after "+", got "*" at position 5',
    "50%": 'unexpected_end: Expression ends at position 4 where a value is missing after "%"',
    "(1 + 2": "unclosed_bracket: Bracket opened at position 1 is never closed",
    "round(2, (3)": "unclosed_bracket: Bracket opened at position 6 is never closed",
    "1 + 2)": 'unexpected_token: Expected an operator, got ")" at position 6',
    "()": 'unexpected_token: Expected a value after "(", got ")" at position 2',
    "2 pi": 'unexpected_token: Expected an operator, got "pi" at position 3',
    "1.2.3": 'unexpected_token: Expected an operator, got ".3" at position 4',
    "1,000": 'unexpected_token: Expected an operator, got "," at position 2',
    "$5": 'unexpected_character: Cannot read "$" at position 1',
    "1 + 😀": 'unexpected_character: Cannot read "😀" at position 5',
    "1; rm": 'unexpected_character: Cannot read ";" at position 2',
    "sqrt": 'unexpected_token: Function "sqrt" at position 1 has no brackets',
    "sqrt()": 'wrong_argument_count: Function "sqrt" at position 1 cannot take 0 arguments',
    "1 + round(1, 2, 3)":
      'wrong_argument_count: Function "round" at position 5 cannot take 3 arguments',
  });
});

Deno.test("calculate() says which operation has no result, and where", () => {
  assertOutcomes({
    "1/0": "division_by_zero: Cannot divide by zero at position 2",
    "1 % (2 - 2)": "division_by_zero: Cannot divide by zero at position 3",
    "0^-1": "division_by_zero: Cannot divide by zero at position 2",
    "sqrt(-1)": "undefined_result: Result of sqrt(…) at position 1 is not a real number",
    "(-8)^0.5": 'undefined_result: Result of "^" at position 5 is not a real number',
    "ln(0)": "undefined_result: Result of ln(…) at position 1 is not a real number",
    "log(0)": "undefined_result: Result of log(…) at position 1 is not a real number",
    "log(8, 1)": "undefined_result: Result of log(…) at position 1 is not a real number",
    "round(1, 0.5)": "undefined_result: Result of round(…) at position 1 is not a real number",
  });
});

Deno.test("calculate() suggests the closest name and lists the known ones", () => {
  const known = "pi e abs sqrt round floor ceil min max sum avg ln log exp";
  assertEquals(calculate("1 + sqr(4)"), {
    ok: false,
    error: {
      code: "unknown_name",
      message: 'Unknown function "sqr" at position 5',
      hint: `Did you mean sqrt? Known: ${known.replace("pi e ", "")}`,
      retriable: false,
    },
  });
  assertEquals(calculate("process"), {
    ok: false,
    error: {
      code: "unknown_name",
      message: 'Unknown name "process" at position 1',
      hint: `Known: ${known}`,
      retriable: false,
    },
  });
});

Deno.test("calculate() explains percent signs and thousands separators", () => {
  const hint = (expression: string) => {
    const result = calculate(expression);
    return result.ok ? null : result.error.hint;
  };
  assertEquals(hint("15%"), "% is the remainder; write 15 percent of x as 15 / 100 * x");
  assertEquals(hint("1,000"), "Write 1000 or 1_000 for a thousand, and . before decimals");
});

Deno.test("calculate() refuses numbers out of range", () => {
  const message = (what: string, at: number) =>
    `out_of_range: Result of ${what} at position ${at} is not between 1e-1000 and 1e1000`;
  assertOutcomes({
    "9^9^9^9": message('"^"', 4),
    "2^-9^9": message('"^"', 2),
    "1e9999": message('"1e9999"', 1),
    "1e-9999": message('"1e-9999"', 1),
    "1e-600 * 1e-600": message('"*"', 8),
    "exp(1e9)": message("exp(…)", 1),
    "exp(-1e9)": message("exp(…)", 1),
    "0e9999": "0",
  });
});

Deno.test("calculate() bounds length and depth", () => {
  const nested = (depth: number) => "(".repeat(depth) + "1" + ")".repeat(depth);
  const long = "1".padEnd(MAX_EXPRESSION_CHARS);
  assertOutcomes({
    [long]: "1",
    [long + " "]: "too_long: Expression has 1001 characters, at most 1000 are allowed",
    [nested(MAX_DEPTH)]: "1",
    [nested(MAX_DEPTH + 1)]: "too_deep: Expression is nested more than 100 deep at position 101",
    ["-".repeat(900) + "1"]: "too_deep: Expression is nested more than 100 deep at position 101",
    ["2^".repeat(200) + "1"]: "too_deep: Expression is nested more than 100 deep at position 202",
    ["1" + "+1".repeat(499)]: "500",
  });
});

Deno.test("calculate() ends in time on the slowest expressions that fit", () => {
  const fill = (part: string) => part.repeat(Math.floor(999 / part.length)) + "1";
  for (const part of ["1.1^3999+", "sqrt(2)*", "2^.5*", "(1/7)^99+", "ln(3)+", "9^9^9^"]) {
    const started = performance.now();
    calculate(fill(part));
    assert(performance.now() - started < calculateTool.timeoutMs);
  }
});

Deno.test("calculate() never throws", () => {
  const pieces = [
    "1",
    "0",
    ".5",
    "1e9",
    "+",
    "-",
    "*",
    "/",
    "%",
    "^",
    "(",
    ")",
    ",",
    "e",
    "ln(",
    " ",
  ];
  const expression = fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map((p) => p.join(""));
  fc.assert(fc.property(fc.oneof(expression, fc.string()), (text) => {
    const result = calculate(text);
    assertEquals(typeof (result.ok ? result.value : result.error.message), "string");
  }));
});

Deno.test("calculateTool describes everything that an expression may name", () => {
  const words = JSON.stringify(calculateTool.parameters).split(/[^a-z0-9]+/);
  const names = [...CONSTANTS.keys(), ...FUNCTIONS.keys()];
  assertEquals(names.filter((name) => !words.includes(name)), []);
});

Deno.test("calculateTool admits expressions as long as calculate() takes", () => {
  const { expression } = calculateTool.parameters.properties;
  assertEquals(expression?.maxLength, MAX_EXPRESSION_CHARS);
});

Deno.test("calculateTool touches nothing that a policy would judge", () => {
  assertEquals(calculateTool.effect, "read");
  assertEquals(calculateTool.subjects({ expression: "1" }), []);
  assertEquals(calculateTool.brief({ expression: "1+1" }), "1+1");
});

Deno.test("calculateTool returns values and errors as outcomes", async () => {
  assertEquals(await calculateTool.run({ expression: "0.1+0.2" }, CONTEXT), {
    ok: true,
    data: { value: "0.3", rounded: false },
    summary: "= 0.3",
  });
  assertEquals(await calculateTool.run({ expression: "1/0" }, CONTEXT), {
    ok: false,
    error: {
      code: "division_by_zero",
      message: "Cannot divide by zero at position 2",
      hint: "Check the divisor; if it counts something, there was nothing to compare with",
      retriable: false,
    },
  });
});
