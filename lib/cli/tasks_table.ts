/**
 * The task table for commands.
 *
 * @module
 */

import { openTaskTable, type TaskRow, TaskTable, taskTablePath } from "../delegate/task_table.ts";
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
  const hint = 'See "rein tasks --all".';
  if (task === undefined) throw new UsageError(`There is no task "${id}"`, hint);
  if (other !== undefined && task.id !== id) {
    throw new UsageError(`Several tasks begin with "${id}"`, "Give more of the id.");
  }
  return task;
}
