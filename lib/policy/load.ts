/**
 * Reads policies and joins them.
 *
 * @module
 */
import baseline from "../../policies/built_in/baseline.json" with { type: "text" };
import locked from "../../policies/built_in/locked.json" with { type: "text" };
import ops from "../../policies/built_in/ops.json" with { type: "text" };
import readOnly from "../../policies/built_in/read-only.json" with { type: "text" };
import reading from "../../policies/built_in/reading.json" with { type: "text" };
import { joinPolicies } from "./join.ts";
import { readContent, type SourceReader } from "./read_source.ts";
import type { Policy, PolicySource } from "./types.ts";

export { type Policy, PolicyError, type PolicySource } from "./types.ts";

/** The names of the built-in policies that one can choose. */
export type BuiltInName = "ops" | "read-only" | "locked";

/** The policies inside the program; `baseline` is always among them. */
export function builtInSources(name: BuiltInName = "ops"): readonly PolicySource[] {
  const texts: Record<BuiltInName, readonly (readonly [string, string])[]> = {
    "ops": [["reading", reading], ["ops", ops]],
    "read-only": [["reading", reading], ["read-only", readOnly]],
    "locked": [["locked", locked]],
  };
  return [["baseline", baseline] as const, ...texts[name]]
    .map(([name, text]) => ({ name: `built in: ${name}`, layer: "built-in", text }));
}

let reader: SourceReader | null = null;

/** Loads what YAML sources need; to be awaited before such sources are loaded. */
export async function prepareYaml(): Promise<void> {
  reader ??= (await import("./read_yaml.ts")).readYaml;
}

/**
 * Joins sources into one policy.
 *
 * @param sources In the order of their layers. Those that are not built in need
 *   {@linkcode prepareYaml} beforehand.
 * @throws {PolicyError} If a source is not YAML, not a policy, or contradicts its examples.
 * @throws {TypeError} If a YAML source comes before {@linkcode prepareYaml}.
 */
export function loadPolicy(sources: readonly PolicySource[]): Policy {
  return joinPolicies(sources.map((source) => {
    if (source.layer === "built-in") return readContent(JSON.parse(source.text), source);
    if (reader === null) throw new TypeError(`Call prepareYaml() before loading "${source.name}"`);
    return reader(source);
  }));
}
