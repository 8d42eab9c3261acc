/**
 * Writes the built-in policies as JSON, which a start reads in a fraction of the
 * time that YAML takes: `deno run -A policies/build.ts`.
 *
 * @module
 */
import { parse } from "yaml";

/** The built-in policies with the YAML files that they are made of. */
export const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  "baseline": ["baseline.yaml"],
  "reading": [
    "reading/text.yaml",
    "reading/system.yaml",
    "reading/network.yaml",
    "reading/development.yaml",
    "reading/cloud.yaml",
    "reading/data.yaml",
    "reading/packages.yaml",
    "reading/agents.yaml",
  ],
  "ops": ["ops.yaml"],
  "read-only": ["read-only.yaml"],
  "locked": ["locked.yaml"],
};

/** The content of a built-in policy: its files with their rules in a row. */
export function builtInContent(name: string): unknown {
  const files = (BUILT_IN[name] ?? []).map((file) =>
    parse(Deno.readTextFileSync(new URL(file, import.meta.url))) as { rules?: unknown[] }
  );
  const rules = files.flatMap((file) => file.rules ?? []);
  return { ...files[0], ...(rules.length > 0 ? { rules } : {}) };
}

if (import.meta.main) {
  for (const name of Object.keys(BUILT_IN)) {
    const target = new URL(`./built_in/${name}.json`, import.meta.url);
    Deno.writeTextFileSync(target, `${JSON.stringify(builtInContent(name))}\n`);
  }
}
