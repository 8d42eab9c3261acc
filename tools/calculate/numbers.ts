/**
 * The numbers of a calculation: how wide they are and how they are printed.
 *
 * @module
 */

import { Decimal } from "decimal.js";

/** The largest power of ten in a value; issue 2 asks for a bound, 1,000 digits are generous. */
const MAX_EXPONENT = 1_000;

/** Non-integers with up to this many significant digits are printed in full. */
const MAX_PRINTED_DIGITS = 40;

/** Significant digits of a value that has to be cut: more than a double, still readable. */
const ROUNDED_DIGITS = 20;

/** From this size on a cut value is printed with an exponent, so that no digit is invented. */
const EXPONENT_FROM = ROUNDED_DIGITS;

const RANGE = { maxE: MAX_EXPONENT, minE: -MAX_EXPONENT, toExpPos: EXPONENT_FROM, defaults: true };

/**
 * For `+ - * / %`, whole powers and square roots. A hundred digits more than
 * the largest integer, so that a quotient never looks whole when it is not.
 */
export const Wide = Decimal.clone({ ...RANGE, precision: MAX_EXPONENT + 100 });

/** For logarithms and the like, which have no last digit; three times what is printed. */
export const Narrow = Decimal.clone({ ...RANGE, precision: 3 * ROUNDED_DIGITS });

/** A printed number. */
export interface PrintedNumber {
  readonly value: string;
  /** Whether digits were left out. */
  readonly rounded: boolean;
}

/**
 * Prints a number as people write it: `0.3`, `18446744073709551616`, `3.5e-12`.
 * Integers are printed in full, other numbers up to 40 significant digits;
 * longer ones are rounded to 20.
 *
 * @param number Finite.
 */
export function printNumber(number: Decimal): PrintedNumber {
  if (number.isZero()) return { value: "0", rounded: false };
  if (number.isInteger()) return { value: number.toFixed(), rounded: false };
  if (number.precision() > MAX_PRINTED_DIGITS) {
    return { value: number.toSignificantDigits(ROUNDED_DIGITS).toString(), rounded: true };
  }
  const value = number.e < 0 ? number.toString() : number.toFixed();
  return { value, rounded: false };
}
