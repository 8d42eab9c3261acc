/**
 * The functions and constants that an expression may name.
 *
 * @module
 */

import type { Decimal } from "decimal.js";
import { Narrow, Wide } from "./numbers.ts";

/** A function of one or more numbers. */
export interface MathFunction {
  /** How it is written: `round(x, digits)`. */
  readonly usage: string;
  readonly minArgs: number;
  readonly maxArgs: number;
  /** NaN where it is not defined, an infinity where it is out of range. */
  readonly apply: (first: Decimal, rest: readonly Decimal[]) => Decimal;
}

const UNDEFINED = new Wide(NaN);

const OUT_OF_RANGE = new Wide(Infinity);

/** The constants by name, to 60 digits. */
export const CONSTANTS: ReadonlyMap<string, Decimal> = new Map([
  ["pi", Narrow.acos(-1)],
  ["e", Narrow.exp(1)],
]);

/** The functions by name. */
export const FUNCTIONS: ReadonlyMap<string, MathFunction> = new Map([
  ["abs", unary("abs(x)", (x) => x.abs())],
  ["sqrt", unary("sqrt(x)", (x) => x.sqrt())],
  ["round", { usage: "round(x, digits)", minArgs: 1, maxArgs: 2, apply: round }],
  ["floor", unary("floor(x)", (x) => x.floor())],
  ["ceil", unary("ceil(x)", (x) => x.ceil())],
  ["min", ofMany("min(x, …)", (all) => Wide.min(...all))],
  ["max", ofMany("max(x, …)", (all) => Wide.max(...all))],
  ["sum", ofMany("sum(x, …)", (all) => Wide.sum(...all))],
  ["avg", ofMany("avg(x, …)", (all) => Wide.sum(...all).div(all.length))],
  ["ln", unary("ln(x)", (x) => x.isZero() ? UNDEFINED : narrow(x).ln())],
  ["log", { usage: "log(x, base)", minArgs: 1, maxArgs: 2, apply: log }],
  ["exp", unary("exp(x)", exp)],
]);

/**
 * Raises a number to a power: exactly where the power is whole and moderate,
 * to 60 digits otherwise, because wide digits make large powers slow.
 *
 * @returns NaN where there is no real result, an infinity where it is out of range.
 */
export function power(base: Decimal, exponent: Decimal): Decimal {
  const exact = exponent.isInteger() && exponent.abs().lte(MAX_EXACT_POWER);
  return exact ? base.pow(exponent) : narrow(base).pow(narrow(exponent));
}

/** 2^3322 is the last power of two in range; beyond that only numbers near 1 stay in it. */
const MAX_EXACT_POWER = 4_000;

function unary(usage: string, apply: (x: Decimal) => Decimal): MathFunction {
  return { usage, minArgs: 1, maxArgs: 1, apply };
}

function ofMany(usage: string, apply: (all: readonly Decimal[]) => Decimal): MathFunction {
  return {
    usage,
    minArgs: 1,
    maxArgs: Infinity,
    apply: (first, rest) => apply([first, ...rest]),
  };
}

function narrow(number: Decimal): Decimal {
  return new Narrow(number).toSignificantDigits(Narrow.precision);
}

/** Halves go away from zero; negative digits round before the point. */
function round(x: Decimal, [digits = new Wide(0)]: readonly Decimal[]): Decimal {
  if (!digits.isInteger() || digits.abs().gt(Wide.maxE)) return UNDEFINED;
  if (!digits.isNegative()) return x.toDecimalPlaces(digits.toNumber());
  const unit = new Wide(10).pow(digits.abs());
  return x.div(unit).round().times(unit);
}

function log(x: Decimal, [base = new Wide(10)]: readonly Decimal[]): Decimal {
  return x.isZero() ? UNDEFINED : narrow(x).log(narrow(base));
}

function exp(x: Decimal): Decimal {
  const result = narrow(x).exp();
  return result.isZero() ? OUT_OF_RANGE : result;
}
