/**
 * Finds the policies that apply: built in, the machine's, the user's, the
 * working directory's, the command line's.
 *
 * @module
 */
import { FileError, type Ports } from "../ports.ts";
import { type BuiltInName, builtInSources } from "./load.ts";
import { type Layer, PolicyError, type PolicySource } from "./types.ts";

/** Where the machine's owner writes the machine's policy. */
export const SYSTEM_POLICY = "/etc/rein/policy.yaml";
/** Where a project keeps its policy, below the working directory. */
export const PROJECT_POLICY = ".rein/policy.yaml";

/** What finding policies needs. */
export type SourcePorts = Pick<Ports, "files" | "env">;

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
  ports: SourcePorts,
  policies: readonly string[],
): Promise<readonly PolicySource[]> {
  const name = policies.findLast(isBuiltInName) ?? "ops";
  const found = await Promise.all(
    places(ports).map(([layer, path]) => readOptional(ports, layer, path)),
  );
  const standing = found.filter((source) => source !== null);
  const system = standing.find(({ layer }) => layer === "system");
  if (system && !await ports.files.ownedByRoot(system.name)) {
    throw atStart(
      system.name,
      "Root must own this file and its directory, and nobody else may write them: correct that",
    );
  }
  const named = policies.filter((policy) => !isBuiltInName(policy))
    .map((path) => readNamed(ports, path));
  return [...builtInSources(name), ...standing, ...await Promise.all(named)];
}

function places({ files, env }: SourcePorts): readonly (readonly [Layer, string])[] {
  const home = env.get("HOME");
  return [
    ["system", SYSTEM_POLICY],
    ...home === undefined ? [] : [["user", `${home}/.config/rein/policy.yaml`] as const],
    ["project", `${files.cwd()}/${PROJECT_POLICY}`],
  ];
}

async function readOptional(
  { files }: SourcePorts,
  layer: Layer,
  path: string,
): Promise<PolicySource | null> {
  // A locked build reads no user's home; what it may do is little enough.
  if (!files.readable(path)) return null;
  try {
    return { name: path, layer, text: await files.readText(path) };
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return null;
    // A policy that is there and can't be read might forbid something.
    throw atStart(path, `This can't be read (${message(error)}): make it readable or remove it`);
  }
}

async function readNamed({ files }: SourcePorts, path: string): Promise<PolicySource> {
  try {
    return { name: path, layer: "command-line", text: await files.readText(path) };
  } catch (error) {
    throw atStart(path, `This is no built-in policy and can't be read (${message(error)})`);
  }
}

function atStart(file: string, text: string): PolicyError {
  return new PolicyError(text, { file, line: 1, column: 1 });
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
