/**
 * The directory of agents: the machine's, the user's, and what the command line names. The working
 * directory's is never read, since whoever wrote it could have tasks sent to themselves.
 *
 * @module
 */

import { ConfigError } from "../config/config_error.ts";
import { readOwned, type StandingFile, type StandingPorts } from "../yaml/standing_files.ts";
import type { Directory } from "./types.ts";

/** The name of the file at its usual places. */
export const DIRECTORY_FILE = "agents.yaml";

/** What one file says; what it does not say is left out. */
export type DirectoryPart = Pick<Directory, "agents"> & Partial<Directory>;

/** A file of a directory; its path is absolute, for those of the usual places. */
export type DirectoryFile = Pick<StandingFile, "path" | "text">;

/** The directory where there is no file. Source of the numbers: the design. */
export const NO_AGENTS: Directory = { agents: [], recursive: false, maxDepth: 2, maxSubtasks: 8 };

function refusal(file: string, why: string, remedy: string): ConfigError {
  return new ConfigError(why, `${remedy}.`, { file, line: 1, column: 1 });
}

async function readNamed({ files }: StandingPorts, path: string): Promise<DirectoryFile> {
  try {
    return { path, text: await files.readText(path) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refusal(path, `This can't be read (${why})`, "Check the path behind --agents");
  }
}

/** Joins files; a later one's agent takes the place of an earlier one of its name. */
function joined(parts: readonly DirectoryPart[]): Directory {
  const agents = parts.flatMap((part) => part.agents);
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  return Object.assign({}, NO_AGENTS, ...parts, { agents: [...byName.values()] });
}

/**
 * Reads all files that apply. Nothing of the reading is loaded where there is none.
 *
 * @param named Files that the command line names, later ones count.
 * @throws {ConfigError} If a file can't be read or believed, or is wrong: what, where, and what to
 *   do.
 */
export async function loadDirectory(
  ports: StandingPorts,
  named: readonly string[] = [],
): Promise<Directory> {
  const standing = await readOwned(ports, DIRECTORY_FILE, refusal);
  const files = [...standing, ...await Promise.all(named.map((path) => readNamed(ports, path)))];
  if (files.length === 0) return NO_AGENTS;
  const { readDirectory } = await import("./read_directory.ts");
  return joined(files.map((file) => readDirectory(file, ports.files.cwd())));
}
