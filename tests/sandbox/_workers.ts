/**
 * Running tools in real workers, in a directory made for the test.
 *
 * @module
 */

import type { Grants } from "../../lib/ports.ts";
import { realClock } from "../../lib/real/clock.ts";
import { realWorkers } from "../../lib/real/workers.ts";
import { WorkerHost } from "../../lib/sandbox/worker_host.ts";
import type { JsonObject, ToolContext, ToolOutcome } from "../../lib/types.ts";
import { CONTEXT } from "../fakes.ts";

/** A directory with `in/a.txt` inside, `out.txt` outside, and links that lead out. */
export interface Ground {
  readonly inside: string;
  readonly outside: string;
}

/** Makes the ground, hands it over, removes it. */
export async function onGround(work: (ground: Ground) => Promise<void>): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "rein-walls-" }));
  const inside = `${root}/in`;
  try {
    await Deno.mkdir(`${inside}/sub`, { recursive: true });
    await Deno.writeTextFile(`${inside}/a.txt`, "one\ntwo\n");
    await Deno.writeTextFile(`${root}/out.txt`, "secret\n");
    for (const [name, target] of LINKS(root)) {
      await new Deno.Command("ln", { args: ["-s", target, `${inside}/${name}`] }).output();
    }
    await work({ inside, outside: `${root}/out.txt` });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Links that lead out of the inside. */
const LINKS = (root: string): readonly (readonly [string, string])[] => [
  ["to-file", `${root}/out.txt`],
  ["to-directory", root],
  ["to-proc", "/proc/self"],
  ["to-nothing", `${root}/new.txt`],
];

/** Runs one tool in a worker of its own with these permissions. */
export async function inWorker(
  tool: string,
  args: JsonObject,
  options: {
    readonly cwd: string;
    readonly grants?: Partial<Grants>;
    readonly context?: Partial<ToolContext>;
  },
): Promise<ToolOutcome> {
  const { cwd } = options;
  const grants: Grants = { read: [cwd], write: [], net: [], ...options.grants };
  const host = new WorkerHost(tool === "run_shell" ? "shell" : "tools", {
    place: { cwd, grants, limits: {} },
    ports: { workers: realWorkers, clock: realClock },
  });
  try {
    return await host.run(tool, args, { ...CONTEXT, ...options.context });
  } finally {
    host.end();
  }
}

/** What a command brought: its exit code, stdout and stderr. */
export async function shell(
  command: string,
  options: Parameters<typeof inWorker>[2],
): Promise<readonly [code: unknown, stdout: unknown, stderr: unknown]> {
  const outcome = await inWorker("run_shell", { command }, options);
  if (!outcome.ok) throw new Error(outcome.error.message);
  return [outcome.data["exit_code"], outcome.data["stdout"], outcome.data["stderr"]];
}
