/**
 * `read_file`: lines of a text file.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";
import type { JsonObject, Tool, ToolContext, ToolOutcome } from "../lib/types.ts";
import { BinaryFileError, readLines } from "./_lines.ts";
import { pathFailure, pathField } from "./_paths.ts";
import {
  invalidRange,
  MAX_LINE_CHARS,
  RANGE_FIELDS,
  RANGE_LIMIT,
  rangeOutcome,
  refusal,
  SHORTER_RANGE,
} from "./_range.ts";

/** What the model may ask for. */
export interface ReadFileArgs {
  readonly path: string;
  readonly start_line?: number;
  readonly end_line?: number;
}

function failure(error: unknown): ToolOutcome {
  if (!(error instanceof BinaryFileError)) return pathFailure(error);
  return refusal("binary", error.message, "Use run_shell with file, strings or xxd.");
}

async function read(
  files: Files,
  args: ReadFileArgs,
  { signal, collect }: ToolContext,
): Promise<ToolOutcome> {
  const text = collect({
    field: "content",
    limit: RANGE_LIMIT,
    raw: false,
    firstLine: args.start_line ?? 1,
    readOn: SHORTER_RANGE,
  });
  let note: JsonObject = {};
  const onEncoding = (said: string) => note = { note: said };
  const lines = readLines(files, args.path, { signal, maxChars: MAX_LINE_CHARS, onEncoding });
  return await rangeOutcome(lines, args, { text, name: `"${args.path}"`, more: () => note });
}

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
        ...RANGE_FIELDS,
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
    run: async (args, context) => {
      try {
        return invalidRange(args) ?? await read(files, args, context);
      } catch (error) {
        return failure(error);
      }
    },
  };
}
