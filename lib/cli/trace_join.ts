/**
 * Finding what agents of this machine ran for a task.
 *
 * @module
 */

import type { Ports } from "../ports.ts";
import { readSession } from "../session/read.ts";
import { SessionError } from "../session/session_error.ts";
import { nameOf } from "../serve/content.ts";
import type { FindRuns } from "../trace/join_delegated.ts";
import { tracedRuns } from "../trace/tracer.ts";

/** Finds the runs of a task in the sessions of this machine's agents. */
export function findTaskRuns(ports: Ports): FindRuns {
  return async (agent, taskId) => {
    try {
      const stored = await readSession(nameOf(agent, taskId), ports);
      try {
        return tracedRuns(stored.events());
      } finally {
        stored.close();
      }
    } catch (error) {
      // The agent is on another machine, or its session has made room.
      if (error instanceof SessionError) return [];
      throw error;
    }
  };
}
