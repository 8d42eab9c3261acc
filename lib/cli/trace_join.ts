/**
 * Finding what agents of this machine ran for a task.
 *
 * @module
 */

import type { Event } from "../events.ts";
import type { Ports } from "../ports.ts";
import { nameOf } from "../serve/content.ts";
import { listSessions } from "../session/catalog.ts";
import { readSession } from "../session/read.ts";
import { SessionError } from "../session/session_error.ts";
import type { FindRuns } from "../trace/join_delegated.ts";
import { tracedRuns } from "../trace/tracer.ts";

/** How sessions of served tasks begin; see `lib/serve/content.ts`. */
const SERVED = "task-";

/** Sessions that are looked into, where a task is not found by its name. */
const SEARCHED_SESSIONS = 200;

/** The events of a session, or as much of them as is wanted; null where it can't be read. */
async function eventsIn<T>(
  session: string,
  ports: Ports,
  take: (events: Iterable<Event>) => T,
): Promise<T | null> {
  try {
    const stored = await readSession(session, ports);
    try {
      return take(stored.events());
    } finally {
      stored.close();
    }
  } catch (error) {
    // The agent is on another machine, or its session has made room.
    if (error instanceof SessionError) return null;
    throw error;
  }
}

function taskIn(events: Iterable<Event>): string | null {
  for (const event of events) return event.type === "run_started" ? event.task_id ?? null : null;
  return null;
}

/** The sessions of served tasks, by the ids of the tasks. */
async function servedSessions(ports: Ports): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const { id } of await listSessions(ports, SEARCHED_SESSIONS)) {
    const task = id.startsWith(SERVED) ? await eventsIn(id, ports, taskIn) : null;
    if (task !== null) found.set(task, id);
  }
  return found;
}

/**
 * Finds the runs of a task in the sessions of this machine's agents: by the name that the agent has
 * in the directory, or else, since it may call itself otherwise, by what its runs say they serve.
 */
export function findTaskRuns(ports: Ports): FindRuns {
  let served: Promise<ReadonlyMap<string, string>> | undefined;
  return async (agent, taskId) => {
    const runs = await eventsIn(nameOf(agent, taskId), ports, tracedRuns);
    if (runs !== null) return runs;
    const session = (await (served ??= servedSessions(ports))).get(taskId);
    return session === undefined ? [] : await eventsIn(session, ports, tracedRuns) ?? [];
  };
}
