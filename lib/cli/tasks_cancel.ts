/**
 * `rein tasks cancel`: asks an agent to give a task up.
 *
 * @module
 */

import { startDeadline } from "../calls/deadline.ts";
import { hasEnded, type TaskRow } from "../delegate/task_row.ts";
import { findAgents } from "./agents_of_run.ts";
import { UsageError } from "./failure.ts";
import type { TasksCancelOptions, TasksContext } from "./tasks_command.ts";
import { taskOf, withTasks } from "./tasks_table.ts";
import { cellOf } from "./text_table.ts";

/** How long an agent may take to be told, in milliseconds. */
const TELL_MS = 10_000;

async function tellAgent(
  { id, agent: name, statusUrl }: TaskRow,
  options: TasksCancelOptions,
  { ports, signal }: TasksContext,
): Promise<void> {
  const { directory, transportOf } = await findAgents(options, ports);
  const agent = directory.agents.find((one) => one.name === name);
  if (agent === undefined) {
    const hint = 'See "rein agents list", and name its file with --agents.';
    throw new UsageError(`There is no agent "${name}" any more`, hint);
  }
  const deadline = startDeadline(ports.clock, TELL_MS, signal);
  try {
    await transportOf(agent).cancel(id ?? "", statusUrl, deadline.signal);
  } finally {
    deadline.clear();
  }
}

/**
 * Has a task given up, and writes that down.
 *
 * @param id Its id, or the beginning of it.
 * @throws {UsageError} If there is none, it has ended, or its agent is not in the directory.
 * @throws {TransportError} If the agent can't be told; the task is then as it was.
 * @throws {DatabaseError} If the table can't be written.
 */
export async function cancelTask(
  id: string,
  options: TasksCancelOptions,
  context: TasksContext,
): Promise<void> {
  const { ports } = context;
  await withTasks(ports, async (table) => {
    const task = taskOf(table, id);
    if (hasEnded(task.phase)) {
      const message = `Task ${task.id} has ended: ${task.phase.replace("_", " ")}`;
      throw new UsageError(message, 'See "rein tasks show".');
    }
    await tellAgent(task, options, context);
    const error = { code: "cancelled", message: "A person gave it up" };
    table.ended(task.key, { phase: "cancelled", error, result: null }, ports.clock.now());
    await ports.terminal.out(`Cancelled ${cellOf(task.id ?? "")}.\n`);
  });
}
