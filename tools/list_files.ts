/**
 * `list_files`: what is in a directory.
 *
 * @module
 */

import { type DirEntry, FileError, type Files } from "../lib/ports.ts";
import type { Tool, ToolOutcome } from "../lib/types.ts";
import { joinPath, lineName, pathFailure, pathField, sortedEntries } from "./_paths.ts";

/** What the model may ask for. */
export interface ListFilesArgs {
  readonly path?: string;
  readonly depth?: number;
}

/** Entries listed at the most. */
const MAX_ENTRIES = 400;

interface Listing {
  readonly signal: AbortSignal;
  readonly lines: string[];
  /** Entries that were seen, listed or not. */
  total: number;
}

/** Size and time where they can be known. */
async function details(files: Files, path: string): Promise<string> {
  try {
    const { size, modifiedMs } = await files.stat(path);
    const time = modifiedMs === null ? "" : new Date(modifiedMs).toISOString().slice(0, 19) + "Z";
    return `\t${size}\t${time}`;
  } catch {
    return "\t?\t?";
  }
}

const MARKS: Readonly<Record<DirEntry["kind"], string>> = {
  file: "",
  directory: "/",
  symlink: "@",
  other: "",
};

async function list(
  files: Files,
  directory: string,
  prefix: string,
  depth: number,
  listing: Listing,
): Promise<void> {
  for (const entry of await sortedEntries(files, directory)) {
    listing.signal.throwIfAborted();
    const path = joinPath(directory, entry.name);
    const shown = prefix + lineName(entry.name) + MARKS[entry.kind];
    const index = listing.total++;
    if (index < MAX_ENTRIES) {
      listing.lines.push(shown + (entry.kind === "file" ? await details(files, path) : ""));
    }
    if (entry.kind !== "directory" || depth === 1) continue;
    try {
      await list(files, path, shown, depth - 1, listing);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      if (index < MAX_ENTRIES) listing.lines[index] = `${shown}\tmay not be read`;
    }
  }
}

async function outcome(
  files: Files,
  path: string,
  depth: number,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const listing: Listing = { signal, lines: [], total: 0 };
  await list(files, path, "", depth, listing);
  const { total } = listing;
  const more = total - listing.lines.length;
  const note = more === 0 ? {} : {
    note: `${more} more entries are not listed; list a directory below, or less deep.`,
  };
  return {
    ok: true,
    data: { entries: listing.lines.join("\n"), total, ...note },
    summary: total === 1 ? "1 entry" : `${total} entries`,
  };
}

/** Builds the tool. */
export function createListFiles({ files }: { readonly files: Files }): Tool<ListFilesArgs> {
  return {
    name: "list_files",
    description: "List a directory, one entry a line: name (/ directory, @ link), bytes, time of " +
      "change in UTC. For finding out what is there.",
    parameters: {
      type: "object",
      properties: {
        path: pathField("Directory"),
        depth: {
          type: "integer",
          minimum: 1,
          maximum: 5,
          description: "Levels to go down, 1 if left out.",
        },
      },
      required: [],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 30_000,
    limits: { entries: { head: 5000, tail: 1500 } },
    subjects: ({ path = "." }) => [{ kind: "path", access: "read", path }],
    brief: ({ path = "." }) => path,
    run: async ({ path = ".", depth = 1 }, { signal }) => {
      try {
        return await outcome(files, path, depth, signal);
      } catch (error) {
        return pathFailure(error);
      }
    },
  };
}
