/**
 * Finds the policies that apply: built in, the machine's, the user's, the
 * working directory's, the command line's.
 *
 * @module
 */
import { readStanding, type StandingPorts } from "../yaml/standing_files.ts";
import { type BuiltInName, builtInSources } from "./load.ts";
import { PolicyError, type PolicySource } from "./types.ts";

/** Whether a name is that of a built-in policy. */
export function isBuiltInName(name: string): name is BuiltInName {
  return name === "ops" || name === "read-only" || name === "locked";
}

/** Whether someone wrote a policy beside the built-in ones. */
export function hasOwn(sources: readonly PolicySource[]): boolean {
  return sources.some(({ layer }) => layer !== "built-in");
}

/**
 * Reads every policy that applies, in the order of their layers.
 *
 * @param policies Names of built-in policies and paths of files, as given on the command line.
 * @throws {PolicyError} If the machine's policy can't be believed, or a named file can't be read.
 */
export async function findSources(
  ports: StandingPorts,
  policies: readonly string[],
): Promise<readonly PolicySource[]> {
  const name = policies.findLast(isBuiltInName) ?? "ops";
  const standing = (await readStanding(ports, "policy.yaml", refusal))
    .map(({ path, layer, text }): PolicySource => ({ name: path, layer, text }));
  const named = policies.filter((policy) => !isBuiltInName(policy))
    .map((path) => readNamed(ports, path));
  return [...builtInSources(name), ...standing, ...await Promise.all(named)];
}

async function readNamed({ files }: StandingPorts, path: string): Promise<PolicySource> {
  try {
    return { name: path, layer: "command-line", text: await files.readText(path) };
  } catch (error) {
    throw atStart(path, `This is no built-in policy and can't be read (${message(error)})`);
  }
}

function refusal(file: string, why: string, remedy: string): PolicyError {
  return atStart(file, `${why}: ${remedy.charAt(0).toLowerCase()}${remedy.slice(1)}`);
}

function atStart(file: string, text: string): PolicyError {
  return new PolicyError(text, { file, line: 1, column: 1 });
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
