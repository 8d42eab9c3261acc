/**
 * The peak memory of a process, without tools that a fresh Linux lacks.
 *
 * @module
 */

import { ended, environment, type Program } from "../e2e/_program.ts";

// The kernel keeps the peak, so the last look before the end misses at most a moment of growth.
// Deno itself may read nothing below /proc without all permissions.
const WATCH = `
"$@" >/dev/null 2>&1 & pid=$! peak=0
while mapfile -t lines <"/proc/$pid/status" 2>/dev/null; do
  found=
  for line in "\${lines[@]}"; do [[ $line == VmHWM:* ]] && found=\${line//[^0-9]/} && break; done
  [[ $found ]] || break
  peak=$found
done
wait "$pid" && echo "$peak"`;

/** Runs a program to its end and gives the most memory that it held at once, in MB. */
export async function peakMemory(program: Program, args: readonly string[]): Promise<number> {
  const child = new Deno.Command("bash", {
    args: ["-c", WATCH, "watch", ...program.command, ...args],
    clearEnv: true,
    env: environment(),
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { code, stdout, stderr } = await ended(child);
  if (code !== 0) throw new Error(`${program.name} ended with ${code}: ${stderr}`);
  return Number(stdout) / 1024;
}
