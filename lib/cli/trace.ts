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
import { joinDelegated, type TracedRun, tracedRuns } from "../trace/traced_run.ts";
import { UsageError } from "./failure.ts";
import { localTime } from "./sessions_list.ts";
import { findTaskRuns } from "./trace_join.ts";
import {
  callLine,
  compositionLines,
  curveLines,
  endLine,
  stepLine,
  treeLines,
  type TreeManner,
} from "./trace_tree.ts";

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

/** How often a running session is looked at, in milliseconds. */
const LOOK_MS = 300;

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

/** What is to be shown: a session, or one run of it. */
interface Wanted {
  readonly session: string;
  readonly runId: string | null;
}

async function wantedOf(id: string | null, ports: Ports): Promise<Wanted> {
  if (id === null) {
    const latest = await findLatest({ cwd: ports.files.cwd(), unfinished: false }, ports);
    if (latest !== null) return { session: latest.id, runId: null };
    const message = `No session has begun in ${ports.files.cwd()}`;
    throw new UsageError(message, 'See "rein sessions list --all".');
  }
  try {
    (await readSession(id, ports)).close();
    return { session: id, runId: null };
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "not_found") throw error;
  }
  const session = await sessionOfRun(id, ports);
  if (session !== null) return { session, runId: id };
  const message = `There is no session and no run "${id}"`;
  throw new UsageError(message, 'See "rein sessions list --all".');
}

/** The runs that are wanted, with those of the agents that they gave tasks to. */
async function runsOf({ session, runId }: Wanted, ports: Ports): Promise<readonly TracedRun[]> {
  const runs = tracedRuns(await eventsOf(session, ports));
  const wanted = runId === null ? runs : runs.filter((run) => run.runId === runId);
  const joined = [];
  for (const run of wanted) joined.push(await joinDelegated(run, findTaskRuns(ports)));
  return joined;
}

async function printLines(lines: readonly string[], { terminal }: Ports): Promise<void> {
  if (lines.length > 0) await terminal.out(`${lines.join("\n")}\n`);
}

/** What is new since it was looked at last. */
function newLines(
  events: readonly Event[],
  from: number,
  manner: TreeManner,
): readonly string[] {
  return events.slice(from).flatMap((event, index) => {
    const run = tracedRuns(events.slice(0, from + index + 1)).at(-1);
    if (run === undefined) return [];
    const step = run.steps.at(-1);
    switch (event.type) {
      case "run_started":
        return treeLines({ ...run, steps: [] }, manner);
      case "turn_finished":
        return step === undefined ? [] : [stepLine(step, manner)];
      case "call_finished": {
        const call = step?.calls.find(({ id }) => id === event.call_id);
        return call === undefined ? [] : [callLine(call, manner)];
      }
      case "run_finished":
        return [endLine(run, manner)];
      default:
        return [];
    }
  });
}

async function follow({ session }: Wanted, ports: Ports, signal: AbortSignal): Promise<void> {
  const manner = mannerOf(ports);
  for (let told = 0;;) {
    const events = await eventsOf(session, ports);
    await printLines(newLines(events, told, manner), ports);
    told = events.length;
    if (events.at(-1)?.type === "run_finished") return;
    await ports.clock.sleep(LOOK_MS, signal);
  }
}

async function writePage(
  path: string,
  runs: readonly TracedRun[],
  { files, say }: Ports,
): Promise<void> {
  const { reportOf } = await import("../trace/report.ts");
  try {
    const page = new TextEncoder().encode(reportOf(runs, say, localTime));
    await files.replace(path, page, { makeParents: false });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const hint = "Name a file that can be written.";
    throw new UsageError(`The page can't be written: ${error.message}`, hint, error);
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
  { output, follow: following, html }: TraceOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const wanted = await wantedOf(id, ports);
  if (following) return await follow(wanted, ports, signal);
  const runs = await runsOf(wanted, ports);
  if (html !== undefined) return await writePage(html, runs, ports);
  if (output === "json") {
    const told = runs.map((run) => ({ ...run, composition: compositionOf(run) }));
    return await ports.terminal.out(`${JSON.stringify({ session: wanted.session, runs: told })}\n`);
  }
  const manner = mannerOf(ports);
  for (const [index, run] of runs.entries()) {
    const parts = [
      ...treeLines(run, manner),
      ...curveLines(run, manner),
      ...compositionLines(compositionOf(run), manner),
    ];
    await printLines(index === 0 ? parts : ["", ...parts], ports);
  }
}
