/**
 * Today's rein for a replay: its tools, none of which is run, and policies judged by its rules.
 *
 * @module
 */

import { createTools } from "../../tools/registry.ts";
import { openedList } from "../../tools/todo.ts";
import type { RecordedSetup } from "../debug/read.ts";
import { createJudge } from "../policy/evaluate.ts";
import { builtInSources } from "../policy/load.ts";
import { isBuiltInName } from "../policy/sources.ts";
import type { PolicySource } from "../policy/types.ts";
import type { Ports, ToolPorts } from "../ports.ts";
import type { ReplayParts } from "../replay/offline.ts";
import { Patterns } from "../results/inspect.ts";
import type { KeptOutputs } from "../results/spill.ts";
import { redactData } from "../results/redact_data.ts";
import type { Judge, Tool } from "../types.ts";
import { loadSources } from "./policy_in_force.ts";

/** Where calls were made, as far as a policy looks at it. */
export interface JudgedPlace {
  readonly cwd: string;
  readonly home: string | null;
}

/** Whatever a tool would do: nothing is run in a replay. */
function notRun(): Promise<never> {
  return Promise.reject(new TypeError("Nothing is run in a replay"));
}

const OUTPUTS: KeptOutputs = { available: true, get: () => null, ids: () => [] };

/** Every tool that rein has, at a place; none of them may be run. */
export function replayTools({ cwd }: Pick<JudgedPlace, "cwd">, ports: Ports): readonly Tool[] {
  const everywhere: ToolPorts = {
    ...ports,
    files: { ...ports.files, cwd: () => cwd, writable: () => true },
    processes: { available: () => true, run: notRun },
    network: { ...ports.network, available: () => true },
    memories: { ...ports.memories, path: "" },
  };
  const sources = { history: { search: notRun }, knowledge: { path: "", search: notRun } };
  return createTools(everywhere, OUTPUTS, sources);
}

/** The judge of sources, at a place where no link is known. */
export async function replayJudge(
  sources: readonly PolicySource[],
  { cwd, home }: JudgedPlace,
): Promise<Judge> {
  return createJudge(await loadSources(sources), { cwd, home, realPath: () => null });
}

/** The sources of a recorded run: built-in ones as they are today, others as they were. */
function sourcesOf({ policy }: RecordedSetup): readonly PolicySource[] {
  const names = policy.map(({ name }) => name.replace(/^built in: /, ""));
  const own = policy.flatMap(({ name, layer, text }) =>
    text === null ? [] : [{ name, layer: layer as PolicySource["layer"], text }]
  );
  return [...builtInSources(names.findLast(isBuiltInName) ?? "ops"), ...own];
}

/**
 * What an offline replay of a run takes.
 *
 * @throws {PolicyError} If a policy of the run is none any more.
 */
export async function replayParts(assembled: RecordedSetup, ports: Ports): Promise<ReplayParts> {
  const place = { cwd: assembled.place.cwd, home: assembled.home };
  const patterns = new Patterns([]);
  return {
    clock: ports.clock,
    tools: replayTools(place, ports),
    judge: await replayJudge(sourcesOf(assembled), place),
    readOnly: await replayJudge(builtInSources("read-only"), place),
    redact: (data) => redactData(data, patterns),
    openItems: (events) => openedList(events).filter(({ done }) => !done).map(({ text }) => text),
  };
}
