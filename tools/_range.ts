/**
 * A range of lines, as `read_file` and `read_output` give it.
 *
 * @module
 */

import type { JsonObject, TextCollector, ToolOutcome } from "../lib/types.ts";
import type { Line } from "./_lines.ts";

/** Which lines are wanted, from 1, the last one included. */
export interface LineRange {
  readonly start_line?: number;
  readonly end_line?: number;
}

/** Lines given at once where no range is asked for. */
export const DEFAULT_LINES = 400;

/** Characters of a range at the most. */
export const RANGE_LIMIT = { head: 5000, tail: 1500 };

/** A longer line is given in part, in characters. */
export const MAX_LINE_CHARS = 2000;

/** Said where even the range is too long. */
export const SHORTER_RANGE = "Ask for a shorter range of lines.";

const lineField = (what: string) => ({ type: "integer", minimum: 1, description: what });

/** The fields of a range in a schema. */
export const RANGE_FIELDS = {
  start_line: lineField("First line, from 1."),
  end_line: lineField(`Last line; ${DEFAULT_LINES} lines if left out.`),
};

/** A failure that the model can correct. */
export function refusal(code: string, message: string, hint: string): ToolOutcome {
  return { ok: false, error: { code, message, hint, retriable: false } };
}

/** The refusal of a range that goes backwards; null for any other. */
export function invalidRange({ start_line: first = 1, end_line: last }: LineRange) {
  if (last === undefined || last >= first) return null;
  const message = `end_line ${last} is before start_line ${first}`;
  return refusal("invalid_arguments", message, "Give a range that goes forward.");
}

/**
 * Counts lines and keeps those of a range.
 *
 * @param text What collects the field `content`.
 * @param name What the lines are of, for messages.
 */
export async function rangeOutcome(
  lines: AsyncIterable<Line>,
  range: LineRange,
  { text, name, more }: {
    readonly text: TextCollector;
    readonly name: string;
    /** What else belongs into the data, once all lines were read. */
    readonly more: () => JsonObject;
  },
): Promise<ToolOutcome> {
  const first = range.start_line ?? 1;
  const last = range.end_line ?? first + DEFAULT_LINES - 1;
  let total = 0;
  for await (const line of lines) {
    total++;
    if (total >= first && total <= last) text.push(`${line.text}\n`);
  }
  if (first > Math.max(total, 1)) {
    const message = `${name} has ${total} lines; there is no line ${first}`;
    return refusal("beyond_end", message, `Ask for lines 1 to ${total}.`);
  }
  const end = Math.min(last, total);
  const { text: content, truncated } = text.finish();
  return {
    ok: true,
    data: { content, start_line: first, end_line: end, total_lines: total, ...more() },
    summary: total === 0 ? "empty" : `lines ${first}–${end} of ${total}`,
    truncated,
  };
}
