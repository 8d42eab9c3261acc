/**
 * `rein replay`: a recorded run again, online, offline, or judged by another policy.
 *
 * @module
 */

import { readDebugLines, type RecordedRun, recordedRuns } from "../debug/read.ts";
import { findSources } from "../policy/sources.ts";
import { message } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import type { Difference } from "../replay/difference.ts";
import { judgeAgain, type JudgedCall } from "../replay/judge_again.ts";
import { replayOffline } from "../replay/offline.ts";
import { replayOnline } from "../replay/online.ts";
import { recordedCalls } from "../replay/stand_ins.ts";
import { readNamedFile, UsageError } from "./failure.ts";
import { loadSettings } from "./load_settings.ts";
import { replayJudge, replayParts, replayTools } from "./replay_parts.ts";
import { askedLines, differenceLines } from "./replay_text.ts";
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

async function runsOf(path: string, { files }: Ports): Promise<readonly RecordedRun[]> {
  const runs = recordedRuns(
    readDebugLines(await readNamedFile(files, message("file.debug"), path), path),
  );
  if (runs.length > 0) return runs;
  throw new UsageError(message("replay.no_run", { path }), message("replay.no_run_hint"));
}

async function printJson(value: unknown, { terminal }: Ports): Promise<void> {
  await terminal.out(`${JSON.stringify(value)}\n`);
}

async function printLines(lines: readonly string[], { terminal }: Ports): Promise<void> {
  if (lines.length > 0) await terminal.out(`${lines.join("\n")}\n`);
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
  const counts = { runs: runs.length, asks, calls };
  if (output === "json") await printJson({ ...counts, differences }, ports);
  else {
    const { say } = ports;
    const last = say("replay.offline", { ...counts, differences: differences.length });
    await printLines([...differences.flatMap((each) => differenceLines(each, say)), last], ports);
  }
  return differences.length === 0 ? 0 : DIFFERS;
}

/** The calls of runs that a policy has judged. */
function* judgedCalls(runs: readonly RecordedRun[]): Generator<JudgedCall> {
  for (const { runId: run, events } of runs) {
    for (const { id: call, tool, arguments: args, brief, evaluation } of recordedCalls(events)) {
      if (evaluation === null) continue;
      yield { run, call, tool, arguments: args, brief, decision: evaluation.decision };
    }
  }
}

async function byPolicy(
  runs: readonly RecordedRun[],
  { output, policy }: ReplayOptions,
  ports: Ports,
): Promise<number> {
  const sources = await findSources(ports, policy);
  const found = { judged: 0, left: 0, differences: [] as Difference[] };
  for (const run of runs) {
    const { place: { cwd }, home } = run.assembled;
    const judge = await replayJudge(sources, { cwd, home });
    const again = judgeAgain(judgedCalls([run]), replayTools({ cwd }, ports), judge);
    found.judged += again.judged;
    found.left += again.left;
    found.differences.push(...again.differences);
  }
  const { judged, left, differences } = found;
  if (output === "json") await printJson(found, ports);
  else {
    const { say } = ports;
    const last = say("replay.judged", { judged, left, differences: differences.length });
    await printLines([...differences.flatMap((each) => differenceLines(each, say)), last], ports);
  }
  return differences.length === 0 ? 0 : DIFFERS;
}

async function online(
  runs: readonly RecordedRun[],
  options: ReplayOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<number> {
  const { output, step } = options;
  const asks = runs.flatMap((run) => run.asks)
    .filter((asked) => step === undefined || asked.step === step);
  if (asks.length === 0) {
    const wrong = message("replay.nothing_asked", { step: step ?? 0 });
    throw new UsageError(wrong, message("replay.nothing_asked_hint"));
  }
  const { settings, apiKey } = await loadSettings(options, ports);
  const recorded = runs[0]?.assembled.model;
  const wanted = { ...settings, model: settings.model ?? recorded?.name ?? null };
  const { model } = await chooseModel({ ...wanted, apiKey }, ports, signal);
  const { terminal, say } = ports;
  const columns = Math.max(20, terminal.size?.()?.columns ?? COLUMNS);
  const all = [];
  for await (const asked of replayOnline(asks, model, signal)) {
    all.push(asked);
    if (output === "text") await printLines(askedLines(asked, columns, say), ports);
  }
  const differing = all.filter(({ sameCalls }) => !sameCalls).length;
  if (output === "json") await printJson({ model: model.name, asks: all }, ports);
  else await printLines([say("replay.online", { count: all.length, differing })], ports);
  return differing === 0 ? 0 : DIFFERS;
}

/**
 * Replays what a debug file holds.
 *
 * @returns The exit code: 1 where something differs; online, where calls do.
 * @throws {UsageError} If the file can't be read, or the options contradict each other.
 * @throws {DebugFileError} If it is no debug file.
 * @throws {PolicyError} If a policy can't be used.
 * @throws As `loadSettings` and `chooseModel`.
 */
export async function replay(
  path: string,
  options: ReplayOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<number> {
  const { offline: isOffline, policy } = options;
  if (isOffline && policy.length > 0) {
    throw new UsageError(message("replay.two"), message("replay.two_hint"));
  }
  const runs = await runsOf(path, ports);
  if (policy.length > 0) return await byPolicy(runs, options, ports);
  return await (isOffline ? offline(runs, options, ports) : online(runs, options, ports, signal));
}
