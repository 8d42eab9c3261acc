/**
 * Arithmetic that can be relied on, so that a model need not do it in its head.
 *
 * @module
 */

import type { Tool } from "../lib/types.ts";

/** What `calculate` takes. */
export interface CalculateArgs {
  /** An arithmetic expression, 1 to 1,000 characters. */
  readonly expression: string;
}

const DESCRIPTION =
  "Calculates an arithmetic expression exactly: decimals as written (0.1+0.2 is 0.3), integers " +
  "of up to 1,000 digits. Use it for sums, ratios and percentages that no command has printed. " +
  "Not for dates, units, variables or code.";

const SYNTAX =
  "Numbers (1e3, .5, 1_000), + - * /, ^ (power), % (remainder, not percent), brackets, pi, e, " +
  "abs sqrt round(x, digits) floor ceil min max sum avg ln log(x, base; 10 if omitted) exp. " +
  "Example: round(100 * 412 / 703, 1)";

/**
 * Far more than the slowest expression takes: the first call also waits for its worker, which from
 * source, with nothing compiled yet, took 4 s on a machine that was busy.
 */
const TIMEOUT_MS = 20_000;

/** Calculates one expression. Touches nothing, so a policy has nothing to judge but the call. */
export const calculateTool: Tool<CalculateArgs> = {
  name: "calculate",
  description: DESCRIPTION,
  parameters: {
    type: "object",
    properties: {
      expression: { type: "string", description: SYNTAX, minLength: 1, maxLength: 1_000 },
    },
    required: ["expression"],
    additionalProperties: false,
  },
  effect: "read",
  timeoutMs: TIMEOUT_MS,
  limits: {},
  subjects: () => [],
  brief: ({ expression }) => expression,
  run: async ({ expression }) => {
    // Loaded at the first call: start-up is measured, and most runs calculate nothing.
    const { calculate } = await import("./calculate/evaluate.ts");
    const result = calculate(expression);
    if (!result.ok) return result;
    const { value, rounded } = result;
    return { ok: true, data: { value, rounded }, summary: `= ${value}` };
  },
};
