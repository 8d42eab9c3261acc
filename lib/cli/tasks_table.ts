/**
 * The task table for commands.
 *
 * @module
 */

import { openTaskTable, type TaskRow, TaskTable, taskTablePath } from "../delegate/task_table.ts";
import { message } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { UsageError } from "./failure.ts";

/** What opening the table needs. */
export type TasksTablePorts = Pick<Ports, "databases" | "folders">;

/**
 * Works with the table; where there is none, with an empty one in memory.
 *
 * @throws {DatabaseError} If it can't be opened.
 */
export async function withTasks<T>(
  { databases, folders }: TasksTablePorts,
  work: (table: TaskTable) => T | Promise<T>,
): Promise<T> {
  const { folder } = databases;
  const keep = folder !== null && folders.info(taskTablePath(folder)) !== null;
  const table = await openTaskTable(databases, { keep, redact: (data) => data });
  try {
    return await work(table);
  } finally {
    table.close();
  }
}

/**
 * The task of an id, or of its beginning.
 *
 * @throws {UsageError} If there is none, or more than one.
 */
export function taskOf(table: TaskTable, id: string): TaskRow {
  const [task, other] = id === "" ? [] : table.byId(id);
  if (task === undefined) {
    throw new UsageError(message("tasks.not_found", { id }), message("tasks.not_found_hint"));
  }
  if (other !== undefined && task.id !== id) {
    throw new UsageError(message("tasks.several", { id }), message("tasks.several_hint"));
  }
  return task;
}
