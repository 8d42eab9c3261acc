/**
 * Calculates the value of an expression. It is parsed, never run as code.
 *
 * @module
 */

import type { Decimal } from "decimal.js";
import { closest, distance } from "fastest-levenshtein";
import type { ObservationError } from "../../lib/types.ts";
import { CalculationError, position } from "./error.ts";
import { CONSTANTS, FUNCTIONS, type MathFunction, power } from "./functions.ts";
import { type PrintedNumber, printNumber, Wide } from "./numbers.ts";
import { type Expression, type Operator, parse } from "./parse.ts";

/** What came of a calculation. */
export type Calculation =
  | ({ readonly ok: true } & PrintedNumber)
  | { readonly ok: false; readonly error: ObservationError };

/** Characters of an expression; issue 2 leaves the bound open, the schema says the same. */
export const MAX_EXPRESSION_CHARS = 1_000;

/**
 * Calculates an expression such as `round(100 * 412 / 703, 1)`.
 *
 * Decimals are exact, and so are integers of up to 1,000 digits; quotients,
 * roots and logarithms are rounded once, when they are printed. Takes at most
 * about a second, whatever is written. Never throws.
 *
 * @param expression Any text.
 * @returns The number, or what is wrong with the expression and where.
 */
export function calculate(expression: string): Calculation {
  try {
    checkLength(expression);
    return { ok: true, ...printNumber(evaluate(parse(expression))) };
  } catch (error) {
    if (error instanceof CalculationError) return { ok: false, error: error.toObservation() };
    throw error;
  }
}

function checkLength(expression: string): void {
  if (expression.length <= MAX_EXPRESSION_CHARS) return;
  throw new CalculationError(
    "too_long",
    `Expression has ${expression.length} characters, at most ${MAX_EXPRESSION_CHARS} are allowed`,
    "Calculate it in parts",
  );
}

function evaluate(expression: Expression): Decimal {
  switch (expression.kind) {
    case "number":
      return literal(expression.text, expression.offset);
    case "constant":
      return constant(expression.name, expression.offset);
    case "negation":
      return evaluate(expression.operand).neg();
    case "call":
      return call(expression.name, expression.args, expression.offset);
    case "operation": {
      const { operator, offset } = expression;
      return operate(operator, evaluate(expression.left), evaluate(expression.right), offset);
    }
  }
}

function literal(text: string, offset: number): Decimal {
  const number = new Wide(text);
  const vanished = number.isZero() && /[1-9]/.test(text.replace(/e.*/i, ""));
  return inRange(vanished ? new Wide(Infinity) : number, `"${text}"`, offset);
}

function constant(name: string, offset: number): Decimal {
  const value = CONSTANTS.get(name);
  if (value !== undefined) return new Wide(value);
  const known = FUNCTIONS.get(name);
  if (known === undefined) throw unknownName(name, offset);
  throw new CalculationError(
    "unexpected_token",
    `Function "${name}" at ${position(offset)} has no brackets`,
    `Write ${known.usage}`,
  );
}

function call(name: string, args: readonly Expression[], offset: number): Decimal {
  const known = FUNCTIONS.get(name);
  if (known === undefined) throw unknownFunction(name, offset);
  const [first, ...rest] = args.map(evaluate);
  if (first === undefined || args.length < known.minArgs || args.length > known.maxArgs) {
    throw wrongArgumentCount(name, known, { given: args.length, offset });
  }
  return inRange(new Wide(known.apply(first, rest)), `${name}(…)`, offset);
}

function operate(operator: Operator, left: Decimal, right: Decimal, offset: number): Decimal {
  const divides = operator === "/" || operator === "%";
  const inverts = operator === "^" && left.isZero() && right.isNegative();
  if ((divides && right.isZero()) || (inverts && !right.isZero())) throw divisionByZero(offset);
  const result = new Wide(OPERATIONS[operator](left, right));
  const vanished = result.isZero() && !left.isZero() && "*/^".includes(operator);
  const tooSmall = vanished && !right.isZero();
  return inRange(tooSmall ? new Wide(Infinity) : result, `"${operator}"`, offset);
}

const OPERATIONS: Readonly<Record<Operator, (left: Decimal, right: Decimal) => Decimal>> = {
  "+": (left, right) => left.plus(right),
  "-": (left, right) => left.minus(right),
  "*": (left, right) => left.times(right),
  "/": (left, right) => left.div(right),
  "%": (left, right) => left.mod(right),
  "^": power,
};

function inRange(number: Decimal, what: string, offset: number): Decimal {
  if (number.isFinite()) return number;
  if (number.isNaN()) {
    throw new CalculationError(
      "undefined_result",
      `Result of ${what} at ${position(offset)} is not a real number`,
      "Check the arguments: no roots or logarithms of negative numbers, whole digits for round",
    );
  }
  throw new CalculationError(
    "out_of_range",
    `Result of ${what} at ${position(offset)} is not between 1e-${Wide.maxE} and 1e${Wide.maxE}`,
    "Use smaller numbers, or compare logarithms",
  );
}

function divisionByZero(offset: number): CalculationError {
  return new CalculationError(
    "division_by_zero",
    `Cannot divide by zero at ${position(offset)}`,
    "Check the divisor; if it counts something, there was nothing to compare with",
  );
}

function wrongArgumentCount(
  name: string,
  known: MathFunction,
  options: { readonly given: number; readonly offset: number },
): CalculationError {
  return new CalculationError(
    "wrong_argument_count",
    `Function "${name}" at ${position(options.offset)} cannot take ${options.given} arguments`,
    `Write ${known.usage}`,
  );
}

function unknownName(name: string, offset: number): CalculationError {
  const names = [...CONSTANTS.keys(), ...FUNCTIONS.keys()];
  return unknown(`Unknown name "${name}" at ${position(offset)}`, name, names);
}

function unknownFunction(name: string, offset: number): CalculationError {
  return unknown(`Unknown function "${name}" at ${position(offset)}`, name, [...FUNCTIONS.keys()]);
}

function unknown(message: string, name: string, names: readonly string[]): CalculationError {
  const near = closest(name, names);
  const known = `Known: ${names.join(" ")}`;
  const guess = distance(name, near) <= 2 ? `Did you mean ${near}? ` : "";
  return new CalculationError("unknown_name", message, guess + known);
}
