/**
 * The command line of `rein batch`.
 *
 * @module
 */

import { type Command, InvalidArgumentError } from "commander";
import { whole } from "../config/kinds.ts";

/** Tasks at the same time at the most: each may have a worker, and they share one memory. */
const MOST_JOBS = 32;

/** Tasks at the same time by default; as many as calls of one turn. */
const DEFAULT_JOBS = 4;

const JOBS = whole({ from: 1, to: MOST_JOBS });

function parseJobs(text: string): number {
  const value = JOBS.fromText(text);
  if (value === undefined) throw new InvalidArgumentError(`It takes ${JOBS.wanted}.`);
  return value;
}

/**
 * Adds the options of a batch.
 *
 * @returns The same command.
 */
export function addBatchOptions(command: Command): Command {
  return command
    .option("-j, --jobs <number>", "tasks at the same time", parseJobs, DEFAULT_JOBS)
    .option("--as-finished", "print results as they finish, not in the order of the tasks", false)
    .option("--out <file>", "add results to this file too, and skip what it has answered")
    .option("--no-session", "keep nothing of these runs but their entries in the audit log");
}
