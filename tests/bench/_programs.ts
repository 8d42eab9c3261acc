/**
 * Compiling the small programs that rein is measured against.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { ended, type Program, REIN } from "../e2e/_program.ts";
import type { Programs } from "./_bench.ts";

async function compile(name: string, source: string, directory: string): Promise<Program> {
  const output = `${directory}/${name}`;
  const { code, stderr } = await ended(
    new Deno.Command(Deno.execPath(), {
      args: ["compile", "--quiet", "-A", "--no-code-cache", "--output", output, source],
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn(),
  );
  const [fault = ""] = stderr.split("\nStack backtrace");
  if (code !== 0) throw new Error(`deno compile failed: ${fault.trim()}`);
  return { name, command: [output] };
}

/**
 * Builds what is measured.
 *
 * @param directory Where the small programs go.
 * @returns Null, with a printed reason, if something is missing.
 */
export async function buildPrograms(directory: string): Promise<Programs | null> {
  if (REIN === null) return null;
  const nothing = `${directory}/empty.ts`;
  await Deno.writeTextFile(nothing, "");
  const loop = fileURLToPath(new URL("_bare_loop.ts", import.meta.url));
  try {
    const empty = await compile("empty", nothing, directory);
    return { rein: REIN, empty, bareLoop: await compile("bare_loop", loop, directory) };
  } catch (error) {
    console.log(`Skipped: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}
