/**
 * The one way in which a calculation fails, before it becomes a value.
 *
 * @module
 */

import type { ObservationError } from "../../lib/types.ts";

/** What is wrong with an expression, as programs should tell it apart. */
export type CalculationErrorCode =
  | "empty_expression"
  | "too_long"
  | "too_deep"
  | "unexpected_character"
  | "unexpected_token"
  | "unexpected_end"
  | "unclosed_bracket"
  | "unknown_name"
  | "wrong_argument_count"
  | "division_by_zero"
  | "undefined_result"
  | "out_of_range";

/** Ends a calculation from any depth; `calculate` turns it into a value. */
export class CalculationError extends Error {
  override readonly name = "CalculationError";
  readonly code: CalculationErrorCode;
  /** What to write instead; one sentence without a final period. */
  readonly hint: string;

  constructor(code: CalculationErrorCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }

  /** The same failure as an observation carries it. */
  toObservation(): ObservationError {
    return { code: this.code, message: this.message, hint: this.hint, retriable: false };
  }
}

/**
 * Says where something stands, for messages.
 *
 * @param offset UTF-16 units from 0.
 * @returns `position 3`, counted from 1.
 */
export function position(offset: number): string {
  return `position ${offset + 1}`;
}
