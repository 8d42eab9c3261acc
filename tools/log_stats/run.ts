/**
 * One call: find the files, look at each, read them all once, report.
 *
 * @module
 */

import { type Clock, FileError, type Files } from "../../lib/ports.ts";
import type { ToolContext, ToolOutcome } from "../../lib/types.ts";
import { pathFailure } from "../_paths.ts";
import { BrokenGzipError, LineSplitter, readPieces } from "./pieces.ts";
import { type Log, newestOf, probe, wholeOf } from "./probe.ts";
import { type LogStatsArgs, parseQuery, type Query, QueryError, windowOf } from "./query.ts";
import { type Coverage, report } from "./report.ts";
import { findSources, type Skipped, type Source, type Sources } from "./sources.ts";
import { FUTURE_MS, Tally } from "./tally.ts";
import { TimeReader, type Zone } from "./time.ts";

/** What a call works with. */
interface Job {
  readonly args: LogStatsArgs;
  readonly query: Query;
  readonly files: Files;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  readonly skipped: Skipped[];
}

interface Looked {
  readonly logs: readonly Log[];
  readonly empty: number;
}

function skip(job: Job, path: string, reason: string): void {
  // A file may be read twice.
  if (!job.skipped.some((other) => other.path === path)) job.skipped.push({ path, reason });
}

/** Runs work on a file that may be left out if it can't be read. */
async function orSkip<T>(job: Job, source: Source, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    job.signal.throwIfAborted();
    if (!(error instanceof FileError) || source.named) throw error;
    skip(job, source.path, error.code);
    return null;
  }
}

async function lookAt(job: Job, { sources }: Sources): Promise<Looked> {
  const logs: Log[] = [];
  let empty = 0;
  let unknown: { readonly path: string; readonly line: string } | null = null;
  for (const source of sources) {
    const looked = await orSkip(job, source, () => probe(job.files, source, job));
    if (looked === null) continue;
    if (looked.kind === "log") logs.push(looked.log);
    else if (looked.kind === "empty") empty++;
    else if (looked.kind === "skip") skip(job, source.path, looked.reason);
    else {
      skip(job, source.path, "format not recognised");
      unknown ??= { path: source.path, line: looked.line };
    }
  }
  if (logs.length === 0 && empty === 0) throw nothingToCount(job, unknown);
  return { logs, empty };
}

function nothingToCount(
  { skipped }: Job,
  unknown: { readonly path: string; readonly line: string } | null,
): QueryError {
  if (unknown !== null) {
    const line = JSON.stringify(unknown.line.slice(0, 200));
    const hint = "Give a pattern with named groups that fits such a line.";
    const message = `The format of "${unknown.path}" is not recognised; it begins ${line}`;
    return new QueryError("unknown_format", message, hint);
  }
  const [first] = skipped;
  if (first === undefined) {
    return new QueryError(
      "not_found",
      "There are no files",
      "Look with list_files at what is there.",
    );
  }
  const message =
    `None of ${skipped.length} files can be counted; "${first.path}": ${first.reason}`;
  const hint = "Only plain and gzipped text that may be read can be counted.";
  return new QueryError("unreadable", message, hint);
}

/** The newest entry of all logs, mistakes left out unless there is nothing else. */
async function findNewest(job: Job, logs: readonly Log[]): Promise<number> {
  for (const untilMs of [job.nowMs + FUTURE_MS, Infinity]) {
    let newest = -Infinity;
    for (const log of logs) {
      const found = await orSkip(
        job,
        log.source,
        () => newestOf(job.files, log, { ...job, untilMs }),
      );
      newest = Math.max(newest, found ?? -Infinity);
    }
    if (newest > -Infinity) return newest;
  }
  const hint = `Leave out "last", or give a pattern with a group named time.`;
  throw new QueryError("no_time", "No entry has a time that could be read", hint);
}

/** Reads one log to its end; what is broken counts as far as it goes. */
async function readLog(job: Job, tally: Tally, log: Log): Promise<void> {
  const { source, isGzip } = log;
  tally.begin(log.make(tally.fields.names, new TimeReader(job.nowMs)));
  const splitter = new LineSplitter(
    (bytes, start, end) => tally.line(bytes, start, end),
    (bytes, start, end) => tally.unparsed(bytes, start, end),
  );
  try {
    const pieces = readPieces(job.files, wholeOf(source, isGzip), job.signal);
    for await (const piece of pieces) splitter.push(piece);
  } catch (error) {
    if (!(error instanceof BrokenGzipError)) throw error;
    skip(job, source.path, "broken gzip, counted as far as it goes");
  }
  splitter.finish();
  tally.end();
}

/** Reads all logs, as far as there is time. */
async function readAll(job: Job, tally: Tally, logs: readonly Log[]): Promise<boolean> {
  try {
    for (const log of logs) await orSkip(job, log.source, () => readLog(job, tally, log));
    return true;
  } catch (error) {
    if (!job.signal.aborted) throw error;
    return false;
  }
}

function firstZone(logs: readonly Log[]): Zone {
  return logs.find(({ zone }) => zone !== null)?.zone ?? "local";
}

/** Counts, a second time where the end of the files did not hold the newest entry. */
async function count(job: Job, logs: readonly Log[]): Promise<Coverage> {
  const zone = firstZone(logs);
  const { args, query, nowMs } = job;
  const needsNewest = query.lastMs !== null && !args.to && logs.length > 0;
  let newestMs = needsNewest ? await findNewest(job, logs) : NaN;
  for (let passes = 1;; passes++) {
    const window = windowOf(args, query, { newestMs, nowMs, zone });
    const tally = new Tally(query, { window, nowMs, zone });
    const isWhole = await readAll(job, tally, logs);
    const isNewest = !needsNewest || !(tally.newestMs > newestMs);
    if (isNewest || !isWhole) return { tally, window, zone, isWhole, passes };
    newestMs = tally.newestMs;
  }
}

function checkFields(tally: Tally, logs: readonly Log[]): void {
  const [missing] = tally.fields.missing();
  if (missing === undefined || logs.length === 0) return;
  const names = tally.fieldNames();
  const known = names.length === 0 ? "" : `; there are ${names.slice(0, 40).join(", ")}`;
  const message = `No entry has a field "${missing}"${known}`;
  throw new QueryError("unknown_field", message, "Use one of these, or filter by text.");
}

async function runJob(job: Job, context: ToolContext): Promise<ToolOutcome> {
  const found = await findSources(job.files, job.args.paths, context);
  job.skipped.push(...found.skipped);
  const { logs, empty } = await lookAt(job, found);
  const coverage = await count(job, logs);
  checkFields(coverage.tally, logs);
  return report(job.query, coverage, { logs, empty, skipped: job.skipped });
}

/**
 * Counts logs as a call asks for it. Never throws but what is a defect, or the
 * signal's reason if it is aborted before anything was read.
 */
export async function logStats(
  args: LogStatsArgs,
  ports: { readonly files: Files; readonly clock: Clock },
  context: ToolContext,
): Promise<ToolOutcome> {
  try {
    const query = await parseQuery(args);
    const { files, clock } = ports;
    const { signal } = context;
    return await runJob({ args, query, files, signal, nowMs: clock.now(), skipped: [] }, context);
  } catch (error) {
    if (error instanceof QueryError) return { ok: false, error: error.error };
    return pathFailure(error);
  }
}
