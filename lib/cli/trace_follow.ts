/**
 * `rein trace --follow`: what a run does, as it happens in whichever process.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { readSession } from "../session/read.ts";
import type { NumberedEvent } from "../session/store.ts";
import { joinCall } from "../trace/join_delegated.ts";
import { type Told, Tracer } from "../trace/tracer.ts";
import { findTaskRuns } from "./trace_join.ts";
import { toldLines, type TreeManner } from "./trace_tree.ts";

/** What is followed. */
export interface Followed {
  readonly session: string;
  /** One run of it; null: all that it has and will have. */
  readonly runId: string | null;
}

/** How often a running session is looked at, in milliseconds. Source: what seems immediate. */
const LOOK_MS = 300;

/** What came since the last look. */
interface Look {
  readonly events: readonly NumberedEvent[];
  /** Whether a process had the session before it was read, so that more may come. */
  readonly inUse: boolean;
}

async function lookAt(session: string, afterSeq: number, ports: Ports): Promise<Look> {
  const stored = await readSession(session, ports);
  try {
    return { inUse: stored.info.inUse, events: [...stored.eventsAfter(afterSeq)] };
  } finally {
    stored.close();
  }
}

/** The same, with what agents of this machine ran for a call. */
async function joined(told: Told, ports: Ports): Promise<Told> {
  if (told.what !== "called") return told;
  return { what: "called", call: await joinCall(told.call, findTaskRuns(ports)) };
}

/**
 * Tells of a session until no process has it any more, or of one run until it ends.
 *
 * @throws {SessionError} If it can't be read.
 * @throws The signal's reason, once aborted.
 */
export async function followTrace(
  { session, runId }: Followed,
  manner: TreeManner,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const tracer = new Tracer();
  const print = async (told: Told) => {
    const lines = toldLines(await joined(told, ports), manner);
    await ports.terminal.out(lines.map((line) => `${line}\n`).join(""));
  };
  for (let lastSeq = 0;;) {
    const { events, inUse } = await lookAt(session, lastSeq, ports);
    for (const { seq, event } of events) {
      lastSeq = seq;
      if (runId !== null && event.run_id !== runId) continue;
      const told = tracer.take(event);
      if (told !== null) await print(told);
      if (runId !== null && told?.what === "ended") return;
      signal.throwIfAborted();
    }
    const run = tracer.runs.at(-1);
    if (!inUse) {
      // Its process was ended before it could tell how.
      if (run !== undefined && run.result === null) await print({ what: "ended", run });
      return;
    }
    await ports.clock.sleep(LOOK_MS, signal);
  }
}
