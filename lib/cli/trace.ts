/**
 * `rein trace`: what a session did, as a tree, or as a page.
 *
 * @module
 */

import type { Event } from "../events.ts";
import { FileError, type Ports } from "../ports.ts";
import { findLatest, listSessions } from "../session/catalog.ts";
import { readSession } from "../session/read.ts";
import { SessionError } from "../session/session_error.ts";
import { compositionOf } from "../trace/composition.ts";
import { joinDelegated } from "../trace/join_delegated.ts";
import type { TracedRun } from "../trace/traced_run.ts";
import { tracedRuns } from "../trace/tracer.ts";
import { message } from "../messages/messages.ts";
import { UsageError } from "./failure.ts";
import { jsonLine, localTime } from "./sessions_list.ts";
import { cellOf } from "./text_table.ts";
import { type Followed, followTrace } from "./trace_follow.ts";
import { traceJson } from "./trace_json.ts";
import { findTaskRuns } from "./trace_join.ts";
import { compositionLines, curveLines, treeLines, type TreeManner } from "./trace_tree.ts";

/** The options of a trace. */
export interface TraceOptions {
  readonly output: "text" | "json";
  /** Whether it is told as it happens. */
  readonly follow: boolean;
  /** A file for the page. */
  readonly html?: string;
}

/** Columns where the terminal does not tell; a pipe gets whole lines. */
const PIPE_COLUMNS = 10_000;

/** Sessions that are searched for a run. */
const SEARCHED_SESSIONS = 200;

function mannerOf({ terminal, say }: Ports): TreeManner {
  const size = terminal.stdoutIsTerminal ? terminal.size() : null;
  return { say, columns: Math.max(20, size?.columns ?? PIPE_COLUMNS) };
}

async function eventsOf(session: string, ports: Ports): Promise<readonly Event[]> {
  const stored = await readSession(session, ports);
  try {
    return [...stored.events()];
  } finally {
    stored.close();
  }
}

/** The session that has a run; null where none is found. */
async function sessionOfRun(runId: string, ports: Ports): Promise<string | null> {
  for (const { id } of await listSessions(ports, SEARCHED_SESSIONS)) {
    try {
      if ((await eventsOf(id, ports)).some(({ run_id }) => run_id === runId)) return id;
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
    }
  }
  return null;
}

const SEE_LIST = message("trace.see_list");

async function wantedOf(id: string | null, ports: Ports): Promise<Followed> {
  if (id === null) {
    const cwd = ports.files.cwd();
    const latest = await findLatest({ cwd, unfinished: false }, ports);
    if (latest !== null) return { session: latest.id, runId: null };
    throw new UsageError(message("trace.none_here", { cwd }), SEE_LIST);
  }
  try {
    const stored = await readSession(id, ports);
    stored.close();
    if (stored.info.header !== null || stored.info.inUse) return { session: id, runId: null };
    const hint = "What can be read of it is rescued when it is resumed.";
    throw new SessionError("damaged", `Session "${id}" can't be read`, hint);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "not_found") throw error;
  }
  const session = await sessionOfRun(id, ports);
  if (session !== null) return { session, runId: id };
  throw new UsageError(message("trace.not_found", { id: cellOf(id) }), SEE_LIST);
}

/** The runs that are wanted, with those of the agents that they gave tasks to. */
async function runsOf({ session, runId }: Followed, ports: Ports): Promise<readonly TracedRun[]> {
  const runs = tracedRuns(await eventsOf(session, ports));
  const wanted = runId === null ? runs : runs.filter((run) => run.runId === runId);
  const joined = [];
  for (const run of wanted) joined.push(await joinDelegated(run, findTaskRuns(ports)));
  return joined;
}

async function writePage(
  path: string,
  runs: readonly TracedRun[],
  { session }: Followed,
  { files, say }: Ports,
): Promise<void> {
  const { pageOf } = await import("../trace/page/page.ts");
  const page = pageOf({ session, runs }, { say, timeText: localTime });
  try {
    await files.replace(path, new TextEncoder().encode(page), { makeParents: false });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const why = message("trace.unwritable", { why: error.message });
    throw new UsageError(why, message("trace.name_writable"), error);
  }
}

async function printTrees(runs: readonly TracedRun[], ports: Ports): Promise<void> {
  const manner = mannerOf(ports);
  for (const [index, run] of runs.entries()) {
    const lines = [
      ...index === 0 ? [] : [""],
      ...treeLines(run, manner),
      ...curveLines(run, manner),
      ...compositionLines(compositionOf(run), manner),
    ];
    await ports.terminal.out(`${lines.join("\n")}\n`);
  }
}

/**
 * Shows what a session, or a run, did.
 *
 * @param id A session or a run; null: the newest session of this directory.
 * @throws {UsageError} If there is none, or the page can't be written.
 * @throws {SessionError} If it can't be read.
 * @throws The signal's reason, if it is aborted while a running one is followed.
 */
export async function trace(
  id: string | null,
  { output, follow, html }: TraceOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  if (follow && (output === "json" || html !== undefined)) {
    throw new UsageError(message("trace.follow_prints"), message("trace.follow_alone"));
  }
  const wanted = await wantedOf(id, ports);
  if (follow) return await followTrace(wanted, mannerOf(ports), ports, signal);
  const runs = await runsOf(wanted, ports);
  if (html !== undefined) return await writePage(html, runs, wanted, ports);
  if (output === "text") return await printTrees(runs, ports);
  await ports.terminal.out(jsonLine(traceJson(wanted, runs)));
}
