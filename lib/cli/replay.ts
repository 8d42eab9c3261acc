/**
 * `rein replay`: a recorded run again, online, offline, or judged by another policy.
 *
 * @module
 */

import type { RecordedRun } from "../debug/read.ts";
import { message } from "../messages/messages.ts";
import { findSources } from "../policy/sources.ts";
import type { PolicySource } from "../policy/types.ts";
import type { Ports } from "../ports.ts";
import type { Difference } from "../replay/difference.ts";
import { judgeAgain } from "../replay/judge_again.ts";
import { replayOffline } from "../replay/offline.ts";
import { type AskedAgain, replayOnline } from "../replay/online.ts";
import { recordedCalls } from "../replay/stand_ins.ts";
import type { Judge, Tool } from "../types.ts";
import { UsageError } from "./failure.ts";
import { loadSettings } from "./load_settings.ts";
import { type JudgedPlace, replayJudge, replayParts, replayTools } from "./replay_parts.ts";
import { placedCalls, runsOf } from "./replay_sources.ts";
import { askedLines, foundLines } from "./replay_text.ts";
import type { SettingOptions } from "./setting_options.ts";
import { chooseModel } from "./settings.ts";

/** The options of a replay. */
export interface ReplayOptions extends SettingOptions {
  readonly output: "text" | "json";
  /** Nothing is asked: the recorded model answers. */
  readonly offline: boolean;
  /** Policies by which the calls are judged again; empty: they are not. */
  readonly policy: readonly string[];
  /** Only what was asked in this step. */
  readonly step?: number;
}

/** The exit code where something differs. */
const DIFFERS = 1;

/** Columns where the terminal does not tell. */
const COLUMNS = 120;

async function printJson(value: unknown, { terminal }: Ports): Promise<void> {
  await terminal.out(`${JSON.stringify(value)}\n`);
}

async function printLines(lines: readonly string[], { terminal }: Ports): Promise<void> {
  if (lines.length > 0) await terminal.out(`${lines.join("\n")}\n`);
}

/** What a replay went through, and where it differs. */
interface Found {
  readonly counts: Readonly<Record<string, number>>;
  readonly differences: readonly Difference[];
}

/** Prints it, with a last line of the counts; gives the exit code. */
async function printFound(
  { counts, differences }: Found,
  last: "replay.offline" | "replay.judged",
  output: ReplayOptions["output"],
  ports: Ports,
): Promise<number> {
  const { say } = ports;
  if (output === "json") await printJson({ ...counts, differences }, ports);
  else {
    const counted = say(last, { ...counts, differences: differences.length });
    await printLines([...foundLines(differences, say), counted], ports);
  }
  return differences.length === 0 ? 0 : DIFFERS;
}

async function offline(
  runs: readonly RecordedRun[],
  { output }: ReplayOptions,
  ports: Ports,
): Promise<number> {
  const differences: Difference[] = [];
  for (const run of runs) {
    differences.push(...await replayOffline(run, await replayParts(run.assembled, ports)));
  }
  const asks = runs.reduce((sum, run) => sum + run.asks.length, 0);
  const calls = runs.reduce((sum, { events }) => sum + recordedCalls(events).length, 0);
  const found = { counts: { runs: runs.length, asks, calls }, differences };
  return await printFound(found, "replay.offline", output, ports);
}

/** Judges that were made, by the directories that calls were made in. */
class Judges {
  readonly #sources: readonly PolicySource[];
  readonly #ports: Ports;
  readonly #known = new Map<string, Promise<JudgedHere>>();

  constructor(sources: readonly PolicySource[], ports: Ports) {
    this.#sources = sources;
    this.#ports = ports;
  }

  at(place: JudgedPlace): Promise<JudgedHere> {
    const known = this.#known.get(place.cwd) ?? this.#make(place);
    this.#known.set(place.cwd, known);
    return known;
  }

  async #make(place: JudgedPlace): Promise<JudgedHere> {
    const judge = await replayJudge(this.#sources, place);
    return { judge, tools: replayTools(place, this.#ports) };
  }
}

/** What judges calls at one place. */
interface JudgedHere {
  readonly judge: Judge;
  readonly tools: readonly Tool[];
}

async function byPolicy(
  source: string | null,
  { output, policy }: ReplayOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<number> {
  const judges = new Judges(await findSources(ports, policy), ports);
  const counts = { judged: 0, left: 0 };
  const differences: Difference[] = [];
  for await (const { place, call } of placedCalls(source, ports, signal)) {
    const { tools, judge } = await judges.at(place);
    const again = judgeAgain([call], tools, judge);
    counts.judged += again.judged;
    counts.left += again.left;
    differences.push(...again.differences);
  }
  return await printFound({ counts, differences }, "replay.judged", output, ports);
}

async function online(
  runs: readonly RecordedRun[],
  options: ReplayOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<number> {
  const { output, step } = options;
  const meant = runs.map(({ runId, asks }) => ({
    runId,
    asks: asks.filter((asked) => step === undefined || asked.step === step),
  })).filter(({ asks }) => asks.length > 0);
  if (meant.length === 0) {
    const hint = message("replay.no_step_hint");
    throw new UsageError(message("replay.no_step", { step: step ?? 0 }), hint);
  }
  const { settings, apiKey } = await loadSettings(options, ports);
  const recorded = runs[0]?.assembled.model;
  const wanted = { ...settings, model: settings.model ?? recorded?.name ?? null };
  const { model } = await chooseModel({ ...wanted, apiKey }, ports, signal);
  const { terminal, say } = ports;
  const columns = Math.max(20, terminal.size?.()?.columns ?? COLUMNS);
  const all: AskedAgain[] = [];
  const shown = (lines: string[]) => output === "text" ? printLines(lines, ports) : undefined;
  for (const run of meant) {
    await shown([say("replay.run", { run: run.runId })]);
    for await (const asked of replayOnline(run, model, signal)) {
      all.push(asked);
      await shown(askedLines(asked, columns, say));
    }
  }
  const differing = all.filter(({ sameCalls }) => !sameCalls).length;
  if (output === "json") await printJson({ model: model.name, asks: all }, ports);
  else await printLines([say("replay.online", { count: all.length, differing })], ports);
  return differing === 0 ? 0 : DIFFERS;
}

/**
 * Replays what a debug file holds, or judges calls again by another policy.
 *
 * @param source A debug file; for a policy also an audit log, a session, or null: the audit log of
 *   this machine.
 * @returns The exit code: 1 where something differs; online, where calls do.
 * @throws {UsageError} If the file can't be read, or the options contradict each other.
 * @throws {DebugFileError} If it is no debug file.
 * @throws {PolicyError} If a policy can't be used.
 * @throws {ModelError} If no model answers.
 * @throws As `loadSettings` and `chooseModel`.
 */
export async function replay(
  source: string | null,
  options: ReplayOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<number> {
  const { offline: isOffline, policy } = options;
  if (isOffline && policy.length > 0) {
    throw new UsageError(message("replay.two_kinds"), message("replay.two_kinds_hint"));
  }
  if (policy.length > 0) return await byPolicy(source, options, ports, signal);
  if (source === null) {
    throw new UsageError(message("replay.no_file"), message("replay.no_file_hint"));
  }
  const runs = await runsOf(source, ports);
  return await (isOffline ? offline(runs, options, ports) : online(runs, options, ports, signal));
}
