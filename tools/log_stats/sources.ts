/**
 * Which files a call is about.
 *
 * @module
 */

import { type DirEntry, FileError, type Files } from "../../lib/ports.ts";
import type { ToolContext } from "../../lib/types.ts";
import { joinPath, sortedEntries } from "../_paths.ts";
import { matchesName, splitPattern } from "./glob.ts";
import { QueryError } from "./query.ts";

/** Files of one call at the most. */
export const MAX_FILES = 1000;

/** A file that will be read. */
export interface Source {
  readonly path: string;
  /** Bytes when the call began; what is written later is not read. */
  readonly size: number;
  /** Whether the call named it itself, so that not being able to read it is an error. */
  readonly named: boolean;
}

/** A file that is left out, and why. */
export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

/** What the paths of a call stand for. */
export interface Sources {
  readonly sources: readonly Source[];
  readonly skipped: readonly Skipped[];
}

/** Gathers files; a file that is reached in two ways counts once. */
class Gathering {
  readonly sources: Source[] = [];
  readonly skipped: Skipped[] = [];
  readonly #seen = new Set<string>();
  readonly #files: Files;
  readonly #context: ToolContext;

  constructor(files: Files, context: ToolContext) {
    this.#files = files;
    this.#context = context;
  }

  /** A path that the call named, as a file or a directory; its links may be followed. */
  async path(path: string): Promise<void> {
    const { kind, size } = await this.#files.stat(path);
    if (kind === "directory") return await this.#below(path, true);
    if (kind === "file") return this.#add(path, size, true);
    const message = `"${path}" is neither a file nor a directory`;
    throw new QueryError("unreadable", message, "Name a regular file.");
  }

  /** What fits the levels of a pattern below a directory. */
  async pattern(directory: string, levels: readonly string[], named = true): Promise<void> {
    const [level = "", ...deeper] = levels;
    if (level === "**") return await this.#anyDepth(directory, deeper, named);
    for (const entry of await this.#entries(directory, named)) {
      if (!matchesName(level, entry.name)) continue;
      const path = directory === "." ? entry.name : joinPath(directory, entry.name);
      if (deeper.length === 0) await this.#found(path, entry);
      else if (entry.kind === "directory") await this.pattern(path, deeper, false);
    }
  }

  async #anyDepth(directory: string, deeper: readonly string[], named: boolean): Promise<void> {
    if (deeper.length === 0) return await this.#below(directory, named);
    await this.pattern(directory, deeper, named);
    for (const entry of await this.#entries(directory, false)) {
      if (entry.kind === "directory" && !entry.name.startsWith(".")) {
        const path = directory === "." ? entry.name : joinPath(directory, entry.name);
        await this.#anyDepth(path, deeper, false);
      }
    }
  }

  async #below(directory: string, named: boolean): Promise<void> {
    for (const entry of await this.#entries(directory, named)) {
      await this.#found(joinPath(directory, entry.name), entry);
    }
  }

  /** An entry that fits: links to files are followed, links to directories are not. */
  async #found(path: string, entry: DirEntry): Promise<void> {
    this.#context.signal.throwIfAborted();
    if (entry.kind === "directory") return await this.#below(path, false);
    if (entry.kind === "other") return;
    if (this.sources.length >= MAX_FILES) throw tooMany();
    if (!await this.#context.mayRead(path)) return this.#skip(path, "the policy forbids it");
    try {
      const { kind, size } = await this.#files.stat(path);
      if (kind === "file") this.#add(path, size, false);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.#skip(path, error.code);
    }
  }

  /** A directory that may not be read is left out, unless it is the one that was named. */
  async #entries(directory: string, named: boolean): Promise<readonly DirEntry[]> {
    this.#context.signal.throwIfAborted();
    try {
      return await sortedEntries(this.#files, directory);
    } catch (error) {
      if (!(error instanceof FileError) || named) throw error;
      this.#skip(directory, error.code);
      return [];
    }
  }

  #add(path: string, size: number, named: boolean): void {
    const real = this.#files.realPathSync(path) ?? path;
    if (this.#seen.has(real)) return;
    this.#seen.add(real);
    this.sources.push({ path, size, named });
  }

  #skip(path: string, reason: string): void {
    this.skipped.push({ path, reason });
  }
}

function tooMany(): QueryError {
  const hint = "Name fewer files, or a narrower pattern.";
  return new QueryError("too_many_files", `There are more than ${MAX_FILES} files`, hint);
}

async function gather(gathering: Gathering, path: string): Promise<void> {
  const { base, levels } = splitPattern(path);
  if (levels.length === 0) return await gathering.path(path);
  if (levels.includes("..")) {
    const hint = "Write the directory before the first wildcard.";
    throw new QueryError("invalid_arguments", `"${path}" has .. behind a wildcard`, hint);
  }
  const before = gathering.sources.length + gathering.skipped.length;
  await gathering.pattern(base, levels);
  if (gathering.sources.length + gathering.skipped.length > before) return;
  const hint = "Look with list_files at what is there.";
  throw new QueryError("not_found", `No file matches "${path}"`, hint);
}

/**
 * The files that paths, directories and patterns stand for.
 *
 * @throws {FileError} If a path that was named can't be read.
 * @throws {QueryError} If nothing matches, or too much.
 */
export async function findSources(
  files: Files,
  paths: readonly string[],
  context: ToolContext,
): Promise<Sources> {
  const gathering = new Gathering(files, context);
  for (const path of paths) await gather(gathering, path);
  return gathering;
}
