/**
 * The recorded runs, and doing them again.
 *
 * @module
 */

import { replayParts } from "../../lib/cli/replay_parts.ts";
import type { DebugLine } from "../../lib/debug/lines.ts";
import { readDebugLines, recordedRuns } from "../../lib/debug/read.ts";
import type { Difference } from "../../lib/replay/difference.ts";
import { replayOffline, type ReplayParts } from "../../lib/replay/offline.ts";
import { realClock } from "../../lib/real/clock.ts";
import { fakePorts } from "../fakes.ts";

/** The folder of the recorded runs. */
export const RUNS = new URL("./runs/", import.meta.url);

/** The lines of a recorded run. */
export async function linesOf(name: string): Promise<readonly DebugLine[]> {
  return readDebugLines(await Deno.readTextFile(new URL(name, RUNS)), name);
}

/** Does the runs of a debug file again, by today's rein or a part of it that was changed. */
export async function replayed(
  lines: readonly DebugLine[],
  change: (parts: ReplayParts) => ReplayParts = (parts) => parts,
): Promise<readonly Difference[]> {
  const ports = fakePorts({ clock: realClock });
  const differences: Difference[] = [];
  for (const run of recordedRuns(lines)) {
    const parts = change(await replayParts(run.assembled, ports));
    differences.push(...await replayOffline(run, parts));
  }
  return differences;
}
