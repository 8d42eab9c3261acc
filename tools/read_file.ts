/**
 * `read_file`: lines of a text file.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";
import { HeadTail } from "../lib/results/head_tail.ts";
import type { Tool, ToolOutcome } from "../lib/types.ts";
import { BinaryFileError, type Line, readLines } from "./_lines.ts";
import { pathFailure, pathField } from "./_paths.ts";

/** What the model may ask for. */
export interface ReadFileArgs {
  readonly path: string;
  readonly start_line?: number;
  readonly end_line?: number;
}

/** Lines given at once where no range is asked for. */
const DEFAULT_LINES = 400;

/** A longer line is given in part, in characters. */
const MAX_LINE_CHARS = 2000;

const LIMIT = { head: 5000, tail: 1500 };

function shown({ text, omittedChars }: Line): string {
  if (omittedChars === 0) return `${text}\n`;
  return `${text} [… ${omittedChars} more characters of this line left out …]\n`;
}

/** Counts a file's lines and keeps those of the range. */
async function readRange(
  files: Files,
  args: ReadFileArgs,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const first = args.start_line ?? 1;
  const last = args.end_line ?? first + DEFAULT_LINES - 1;
  const text = new HeadTail(LIMIT);
  let total = 0;
  for await (const line of readLines(files, args.path, { signal, maxChars: MAX_LINE_CHARS })) {
    total++;
    if (total >= first && total <= last) text.push(shown(line));
  }
  const end = Math.min(last, total);
  if (first > Math.max(total, 1)) return beyondEnd(args.path, first, total);
  const { text: content, totalChars, omittedChars, omittedLines } = text.finish();
  const cut = { field: "content", totalChars, omittedChars, omittedLines };
  return {
    ok: true,
    data: { content, start_line: first, end_line: end, total_lines: total },
    summary: total === 0 ? "empty" : `lines ${first}–${end} of ${total}`,
    truncated: omittedChars === 0 ? [] : [cut],
  };
}

function beyondEnd(path: string, first: number, total: number): ToolOutcome {
  const message = `"${path}" has ${total} lines; there is no line ${first}`;
  const hint = `Ask for lines 1 to ${total}.`;
  return { ok: false, error: { code: "beyond_end", message, hint, retriable: false } };
}

function invalidRange(args: ReadFileArgs): ToolOutcome | null {
  const { start_line: first = 1, end_line: last } = args;
  if (last === undefined || last >= first) return null;
  const message = `end_line ${last} is before start_line ${first}`;
  const hint = "Give a range that goes forward.";
  return { ok: false, error: { code: "invalid_arguments", message, hint, retriable: false } };
}

function failure(error: unknown): ToolOutcome {
  if (!(error instanceof BinaryFileError)) return pathFailure(error);
  const hint = "Use run_shell with file, strings or xxd.";
  return { ok: false, error: { code: "binary", message: error.message, hint, retriable: false } };
}

const lineField = (what: string) => ({ type: "integer", minimum: 1, description: what });

/** Builds the tool. */
export function createReadFile({ files }: { readonly files: Files }): Tool<ReadFileArgs> {
  return {
    name: "read_file",
    description: "Read a text file, or a range of its lines. For configuration, code and short " +
      "logs; to find something in large files use search_files.",
    parameters: {
      type: "object",
      properties: {
        path: pathField("File"),
        start_line: lineField("First line, from 1."),
        end_line: lineField(`Last line; ${DEFAULT_LINES} lines if left out.`),
      },
      required: ["path"],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 30_000,
    limits: {},
    subjects: ({ path }) => [{ kind: "path", access: "read", path }],
    brief: ({ path, start_line, end_line }) =>
      start_line === undefined && end_line === undefined
        ? path
        : `${path} ${start_line ?? 1}–${end_line ?? ""}`,
    run: async (args, { signal }) => {
      try {
        return invalidRange(args) ?? await readRange(files, args, signal);
      } catch (error) {
        return failure(error);
      }
    },
  };
}
