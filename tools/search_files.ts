/**
 * `search_files`: lines that match, in a file or below a directory.
 *
 * @module
 */

import type { Files } from "../lib/ports.ts";
import type { Tool, ToolContext, ToolOutcome } from "../lib/types.ts";
import { BinaryFileError, readLines } from "./_lines.ts";
import {
  aroundMatch,
  compilePattern,
  type Matcher,
  PATTERN_FIELDS,
  SEARCHED_CHARS,
} from "./_pattern.ts";
import { joinPath, lineName, pathFailure, pathField, sortedEntries } from "./_paths.ts";

/** What the model may ask for. */
export interface SearchFilesArgs {
  readonly pattern: string;
  readonly path?: string;
  readonly ignore_case?: boolean;
  readonly max_matches?: number;
}

const DEFAULT_MATCHES = 50;

/** Directories that hold no one's own text. */
const SKIPPED_DIRECTORIES: readonly string[] = [".git", "node_modules"];

interface Search {
  readonly find: Matcher;
  readonly most: number;
  readonly lines: string[];
  total: number;
  files: number;
  /** Files that could not be read or may not be. */
  skipped: number;
  /** Lines that were searched in part. */
  long: number;
}

/** Every file below a path, or the path itself. */
async function* filesBelow(files: Files, path: string): AsyncGenerator<string> {
  if ((await files.stat(path)).kind !== "directory") return yield path;
  for (const entry of await sortedEntries(files, path)) {
    const below = joinPath(path, entry.name);
    if (entry.kind === "file") yield below;
    if (entry.kind !== "directory" || SKIPPED_DIRECTORIES.includes(entry.name)) continue;
    try {
      yield* filesBelow(files, below);
    } catch {
      // A directory that may not be read is like one that is not there.
    }
  }
}

async function searchFile(
  files: Files,
  path: string,
  search: Search,
  signal: AbortSignal,
): Promise<void> {
  let number = 0;
  const options = { signal, maxChars: SEARCHED_CHARS };
  for await (const { text, omittedChars } of readLines(files, path, options)) {
    number++;
    if (omittedChars > 0) search.long++;
    const at = search.find(text);
    if (at === null) continue;
    search.total++;
    if (search.lines.length >= search.most) continue;
    search.lines.push(`${lineName(path)}:${number}: ${aroundMatch(text, at)}`);
  }
}

async function searchAll(
  files: Files,
  root: string,
  search: Search,
  context: ToolContext,
): Promise<void> {
  for await (const path of filesBelow(files, root)) {
    if (context.signal.aborted) return;
    if (path !== root && !await context.mayRead(path)) {
      search.skipped++;
      continue;
    }
    search.files++;
    try {
      await searchFile(files, path, search, context.signal);
    } catch (error) {
      if (context.signal.aborted) return;
      if (!(error instanceof BinaryFileError) && path === root) throw error;
      search.skipped++;
    }
  }
}

function outcomeOf(search: Search): ToolOutcome {
  const { lines, total, files, skipped } = search;
  const notes = [
    ...(total === lines.length ? [] : [`The first ${lines.length} are listed.`]),
    ...(search.long === 0 ? [] : [`${search.long} very long lines were searched in part.`]),
  ];
  const note = notes.length === 0 ? {} : { note: notes.join(" ") };
  return {
    ok: true,
    data: { matches: lines.join("\n"), total_matches: total, files, skipped, ...note },
    summary: total === 1 ? "1 match" : `${total} matches`,
  };
}

async function search(
  files: Files,
  args: SearchFilesArgs,
  find: Matcher,
  context: ToolContext,
): Promise<ToolOutcome> {
  const most = args.max_matches ?? DEFAULT_MATCHES;
  const state: Search = { find, most, lines: [], total: 0, files: 0, skipped: 0, long: 0 };
  try {
    await searchAll(files, args.path ?? ".", state, context);
    return outcomeOf(state);
  } catch (error) {
    return pathFailure(error);
  }
}

/** Builds the tool. */
export function createSearchFiles({ files }: { readonly files: Files }): Tool<SearchFilesArgs> {
  return {
    name: "search_files",
    description: "Find lines that match a regular expression (RE2 syntax) in a file or in all " +
      "text files below a directory. For finding where something is said; not for counting.",
    parameters: {
      type: "object",
      properties: {
        ...PATTERN_FIELDS,
        path: pathField("File or directory"),
        max_matches: {
          type: "integer",
          minimum: 1,
          maximum: 500,
          description: `Lines to return at the most, ${DEFAULT_MATCHES} if left out.`,
        },
      },
      required: ["pattern"],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 30_000,
    limits: { matches: { head: 5000, tail: 1500 } },
    subjects: ({ path = "." }) => [{ kind: "path", access: "read", path }],
    brief: ({ pattern, path = "." }) => `${JSON.stringify(pattern)} ${path}`,
    run: async (args, context) => {
      const found = await compilePattern(args.pattern, args.ignore_case ?? false);
      return typeof found === "function" ? await search(files, args, found, context) : found;
    },
  };
}
