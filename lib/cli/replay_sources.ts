/**
 * Where calls come from that are judged again: a debug file, a session, the audit log.
 *
 * @module
 */

import { isCut } from "../audit/bound.ts";
import { readEntries } from "../audit/read_entries.ts";
import { readDebugLines, type RecordedRun, recordedRuns } from "../debug/read.ts";
import type { Event } from "../events.ts";
import type { Ports } from "../ports.ts";
import type { JudgedCall } from "../replay/judge_again.ts";
import { recordedCalls } from "../replay/stand_ins.ts";
import { readSession } from "../session/read.ts";
import { SessionError } from "../session/session_error.ts";
import { placeOfLog } from "./audit_place.ts";
import { readNamedFile, UsageError } from "./failure.ts";
import { message } from "../messages/messages.ts";
import type { JudgedPlace } from "./replay_parts.ts";

/** A call, and where it was made. */
export interface PlacedCall {
  readonly place: JudgedPlace;
  readonly call: JudgedCall;
}

/** How an audit log begins. */
const AUDIT_LINE = /^\{[^\n]*"rein-audit\/1"/;

/**
 * The runs of a debug file.
 *
 * @throws {UsageError} If it can't be read, or holds no run.
 * @throws {DebugFileError} If it is none.
 */
export async function runsOf(path: string, { files }: Ports): Promise<readonly RecordedRun[]> {
  const runs = recordedRuns(
    readDebugLines(await readNamedFile(files, message("file.debug"), path), path),
  );
  if (runs.length > 0) return runs;
  throw new UsageError(
    message("replay.no_run", { path }),
    message("replay.no_run_hint"),
  );
}

/** Calls that were judged and have ended: in another run, where the first one was killed. */
function judgedCalls(events: readonly Event[]): readonly JudgedCall[] {
  const runs = new Map(
    events.flatMap((each) =>
      each.type === "call_judged" ? [[each.call_id, each.run_id] as const] : []
    ),
  );
  return recordedCalls(events).flatMap(({ id: call, tool, arguments: args, brief, evaluation }) => {
    const run = runs.get(call);
    if (run === undefined || evaluation === null) return [];
    return [{ run, call, tool, arguments: args, brief, decision: evaluation.decision }];
  });
}

function* callsOf(runs: readonly RecordedRun[]): Generator<PlacedCall> {
  for (const { events, assembled: { place: { cwd }, home } } of runs) {
    for (const call of judgedCalls(events)) yield { place: { cwd, home }, call };
  }
}

async function* callsOfSession(id: string, ports: Ports): AsyncGenerator<PlacedCall> {
  const stored = await readSession(id, ports);
  try {
    const cwd = stored.info.header?.cwd ?? ports.files.cwd();
    const place = { cwd, home: ports.env.get("HOME") ?? null };
    for (const call of judgedCalls([...stored.events()])) yield { place, call };
  } finally {
    stored.close();
  }
}

async function* callsOfLog(
  file: string | undefined,
  ports: Ports,
  signal: AbortSignal,
): AsyncGenerator<PlacedCall> {
  const { path, alone } = await placeOfLog(file, ports);
  const home = ports.env.get("HOME") ?? null;
  for await (const { entry } of readEntries({ path, alone, sinceMs: null }, ports, signal)) {
    if (entry?.kind !== "call_judged") continue;
    const { run_id, call_id, tool, arguments: args, evaluation: { decision, parts } } = entry;
    const cwd = entry.cwd ?? ports.files.cwd();
    const brief = parts.map(({ text }) => text).join("; ");
    // What is cut off is not known, and might decide.
    const known = isCut(args) ? null : args;
    const call = { run: run_id ?? "", call: call_id, tool, arguments: known, brief, decision };
    yield { place: { cwd, home }, call };
  }
}

/** Whether a file is an audit log, by its beginning. */
async function isAuditLog(path: string, { files }: Ports): Promise<boolean> {
  const decoder = new TextDecoder();
  for await (const bytes of files.read(path)) return AUDIT_LINE.test(decoder.decode(bytes));
  return false;
}

/**
 * The calls to be judged again.
 *
 * @param source A debug file, an audit log or a session; null: the audit log of this machine.
 * @throws {UsageError} If there is none, or it can't be read.
 * @throws {DebugFileError} If a file is neither.
 */
export async function* placedCalls(
  source: string | null,
  ports: Ports,
  signal: AbortSignal,
): AsyncGenerator<PlacedCall> {
  if (source === null) return yield* callsOfLog(undefined, ports, signal);
  const isFile = await ports.files.stat(source).then(({ kind }) => kind === "file", () => false);
  if (isFile && await isAuditLog(source, ports)) return yield* callsOfLog(source, ports, signal);
  if (isFile) return yield* callsOf(await runsOf(source, ports));
  try {
    yield* callsOfSession(source, ports);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "not_found") throw error;
    const hint = message("replay.no_source_hint");
    throw new UsageError(message("replay.no_source", { source }), hint, error);
  }
}
