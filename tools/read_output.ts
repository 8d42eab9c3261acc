/**
 * `read_output`: the rest of an output that was cut.
 *
 * @module
 */

import type { KeptOutput, KeptOutputs } from "../lib/results/spill.ts";
import type { JsonObject, Tool, ToolContext, ToolOutcome } from "../lib/types.ts";
import { linesOf } from "./_lines.ts";
import {
  aroundMatch,
  compilePattern,
  type Matcher,
  PATTERN_FIELDS,
  SEARCHED_CHARS,
} from "./_pattern.ts";
import {
  invalidRange,
  MAX_LINE_CHARS,
  RANGE_FIELDS,
  RANGE_LIMIT,
  rangeOutcome,
  refusal,
  SHORTER_RANGE,
} from "./_range.ts";

/** What the model may ask for: a range of lines, the last ones, matching ones, or characters. */
export interface ReadOutputArgs {
  readonly id: string;
  readonly start_line?: number;
  readonly end_line?: number;
  readonly tail?: number;
  readonly pattern?: string;
  readonly ignore_case?: boolean;
  readonly start_char?: number;
}

/** Matching lines at the most. */
const MAX_MATCHES = 50;

/** Characters given from `start_char` on. */
const PIECE_CHARS = 6000;

/** One reading of one output. */
interface Reading {
  readonly output: KeptOutput;
  readonly context: ToolContext;
}

async function* textOf({ output, context }: Reading): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of output.read(context.signal)) {
    yield decoder.decode(bytes, { stream: true });
  }
  yield decoder.decode();
}

/** What the reader must know of an output of which not all was kept. */
function partNote({ output }: Reading): JsonObject {
  if (output.complete) return {};
  return { note: "Only the beginning of this output was kept; lines and counts are of that part." };
}

function collectorOf({ context }: Reading, field: string, firstLine: number | null) {
  return context.collect({
    field,
    limit: RANGE_LIMIT,
    raw: false,
    firstLine,
    readOn: SHORTER_RANGE,
  });
}

async function readTail(reading: Reading, count: number): Promise<ToolOutcome> {
  const last: string[] = [];
  let total = 0;
  for await (const line of linesOf(textOf(reading), MAX_LINE_CHARS)) {
    total++;
    if (last.push(line.text) > count) last.shift();
  }
  const start = total - last.length + 1;
  const text = collectorOf(reading, "content", start);
  for (const line of last) text.push(`${line}\n`);
  const { text: content, truncated } = text.finish();
  return {
    ok: true,
    data: {
      content,
      start_line: start,
      end_line: total,
      total_lines: total,
      ...partNote(reading),
    },
    summary: `lines ${start}–${total} of ${total}`,
    truncated,
  };
}

async function search(reading: Reading, matches: Matcher): Promise<ToolOutcome> {
  const text = collectorOf(reading, "matches", null);
  let line = 0;
  let total = 0;
  for await (const { text: content } of linesOf(textOf(reading), SEARCHED_CHARS)) {
    line++;
    const at = matches(content);
    if (at !== null && ++total <= MAX_MATCHES) text.push(`${line}: ${aroundMatch(content, at)}\n`);
  }
  const { text: found, truncated } = text.finish();
  const listed = total <= MAX_MATCHES ? {} : { listed: `The first ${MAX_MATCHES} are listed.` };
  return {
    ok: true,
    data: { matches: found, total_matches: total, ...listed, ...partNote(reading) },
    summary: total === 1 ? "1 match" : `${total} matches`,
    truncated,
  };
}

async function readPiece(reading: Reading, start: number): Promise<ToolOutcome> {
  let total = 0;
  let content = "";
  for await (const text of textOf(reading)) {
    const from = Math.max(0, start - total);
    if (from < text.length && content.length < PIECE_CHARS) {
      content += text.slice(from, from + PIECE_CHARS - content.length);
    }
    total += text.length;
  }
  if (start >= Math.max(1, total)) {
    const message = `The output has ${total} characters; there is none at ${start}`;
    return refusal("beyond_end", message, `Ask for a place before ${total}.`);
  }
  // A pair that the piece's borders part belongs to the piece in which it begins.
  const first = /^[\udc00-\udfff]/.test(content) ? 1 : 0;
  const whole = content.slice(first).replace(/[\ud800-\udbff]$/, "");
  const end = start + first + whole.length;
  return {
    ok: true,
    data: {
      content: whole,
      start_char: start + first,
      end_char: end,
      total_chars: total,
      ...partNote(reading),
    },
    summary: `characters ${start + first}–${end} of ${total}`,
  };
}

/** Ways of reading of which a call names one at the most; a range of lines counts as one. */
function namedWays(args: ReadOutputArgs): string[] {
  const range = args.start_line !== undefined || args.end_line !== undefined;
  return [
    ...(range ? ["start_line and end_line"] : []),
    ...(["tail", "pattern", "start_char"] as const).filter((name) => args[name] !== undefined),
  ];
}

async function read(reading: Reading, args: ReadOutputArgs): Promise<ToolOutcome> {
  if (args.tail !== undefined) return await readTail(reading, args.tail);
  if (args.start_char !== undefined) return await readPiece(reading, args.start_char);
  if (args.pattern !== undefined) {
    const compiled = await compilePattern(args.pattern, args.ignore_case ?? false);
    return typeof compiled === "function" ? await search(reading, compiled) : compiled;
  }
  const text = collectorOf(reading, "content", args.start_line ?? 1);
  const name = `Output "${args.id}"`;
  const lines = linesOf(textOf(reading), MAX_LINE_CHARS);
  return invalidRange(args) ??
    await rangeOutcome(lines, args, { text, name, more: () => partNote(reading) });
}

function unknownOutput(id: string, outputs: KeptOutputs): ToolOutcome {
  const ids = outputs.ids();
  const hint = ids.length === 0
    ? "No output has been cut in this run; call the tool itself."
    : `There are ${ids.join(", ")}; older ones had to make room.`;
  return refusal("not_found", `There is no output "${id}"`, hint);
}

const number = (minimum: number, maximum: number, description: string) => ({
  type: "integer",
  minimum,
  maximum,
  description,
});

/** Builds the tool. */
export function createReadOutput(outputs: KeptOutputs): Tool<ReadOutputArgs> {
  return {
    name: "read_output",
    description: "Read more of an output that was cut, by the id that its note gives: a range of " +
      "lines, the last lines, lines that match, or a piece of a long line. Not for files.",
    parameters: {
      type: "object",
      properties: {
        id: { type: "string", maxLength: 20, description: 'As in the note, such as "out1".' },
        ...RANGE_FIELDS,
        tail: number(1, 400, "Instead of a range: as many of the last lines."),
        ...PATTERN_FIELDS,
        start_char: number(
          0,
          Number.MAX_SAFE_INTEGER,
          `Instead of lines: ${PIECE_CHARS} characters from here, from 0.`,
        ),
      },
      required: ["id"],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 30_000,
    limits: {},
    subjects: () => [],
    brief: ({ id, pattern }) => pattern === undefined ? id : `${JSON.stringify(pattern)} ${id}`,
    run: async (args, context) => {
      const output = outputs.get(args.id);
      if (output === null) return unknownOutput(args.id, outputs);
      const ways = namedWays(args);
      if (ways.length > 1) {
        const message = `There is more than one way of reading: ${ways.join(", ")}`;
        return refusal("invalid_arguments", message, "Name one of them.");
      }
      return await read({ output, context }, args);
    },
  };
}
