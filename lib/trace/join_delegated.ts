/**
 * Runs of other agents, put below the calls that gave them their tasks.
 *
 * @module
 */

import type { TracedCall, TracedRun, TracedStep, TracedTask } from "./traced_run.ts";

/** Finds what an agent ran for a task; empty where nothing is found here. */
export type FindRuns = (agent: string, taskId: string) => Promise<readonly TracedRun[]>;

/** How deep runs are joined at the most: what is deeper than any delegation goes is a circle. */
const MAX_DEPTH = 8;

/** Does the work for each, one after the other: sessions are read one at a time. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (const item of items) done.push(await work(item));
  return done;
}

async function joinTask(task: TracedTask, find: FindRuns, depth: number): Promise<TracedTask> {
  if (task.taskId === null) return task;
  const found = await find(task.agent, task.taskId);
  return { ...task, runs: await each(found, (run) => joinRun(run, find, depth + 1)) };
}

async function joinStep(step: TracedStep, find: FindRuns, depth: number): Promise<TracedStep> {
  return { ...step, calls: await each(step.calls, (call) => joinCall(call, find, depth)) };
}

async function joinRun(run: TracedRun, find: FindRuns, depth: number): Promise<TracedRun> {
  if (depth >= MAX_DEPTH) return run;
  return { ...run, steps: await each(run.steps, (step) => joinStep(step, find, depth)) };
}

/**
 * The same call, with the runs of the agents that it gave tasks to.
 *
 * @throws As `find`.
 */
export async function joinCall(
  call: TracedCall,
  find: FindRuns,
  depth: number = 0,
): Promise<TracedCall> {
  if (call.tasks.length === 0) return call;
  return { ...call, tasks: await each(call.tasks, (task) => joinTask(task, find, depth)) };
}

/**
 * The same run, with the runs of the agents that it gave tasks to.
 *
 * @throws As `find`.
 */
export function joinDelegated(run: TracedRun, find: FindRuns): Promise<TracedRun> {
  return joinRun(run, find, 0);
}
