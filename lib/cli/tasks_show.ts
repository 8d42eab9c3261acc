/**
 * `rein tasks show`: all that is kept of a task.
 *
 * @module
 */

import type { TaskRow } from "../delegate/task_row.ts";
import type { Json } from "../types.ts";
import { printable } from "./printable.ts";
import { localTime } from "./sessions_list.ts";
import type { TasksContext } from "./tasks_command.ts";
import { latencyOf, secondsText, taskEntry } from "./tasks_list.ts";
import { taskOf, withTasks } from "./tasks_table.ts";
import { cellOf } from "./text_table.ts";

/** JSON for people, a little to the right. */
function indented(value: unknown): string {
  return printable(JSON.stringify(value as Json, null, 2)).replace(/^/gm, "    ");
}

function errorLine({ error }: TaskRow): string[] {
  return error === null ? [] : [`  error     ${cellOf(`${error.code}: ${error.message}`)}`];
}

function textOf(task: TaskRow, nowMs: number): string {
  const took = secondsText(latencyOf(task, nowMs));
  const lines = [
    `Task ${task.id ?? "(not sent yet)"}`,
    `  agent     ${cellOf(`${task.agent}/${task.intent}`)}, which ${
      task.access === "read" ? "reads" : "may change something"
    }`,
    `  phase     ${task.phase.replace("_", " ")}`,
    `  asked     ${localTime(task.createdMs)}, by call ${cellOf(task.call)} of run ${
      cellOf(task.run)
    } as ${cellOf(task.name)}`,
    ...(task.sentMs === null ? [] : [`  sent      ${localTime(task.sentMs)}, took ${took}`]),
    `  tokens    ${task.inputTokens} in, ${task.outputTokens} out`,
    ...errorLine(task),
    ...(task.statusUrl === null ? [] : [`  status    ${cellOf(task.statusUrl)}`]),
    ...(task.envelope === null
      ? []
      : [`  Sent${task.redacted ? ", without its secrets" : ""}:`, indented(task.envelope)]),
    ...(task.result === null
      ? []
      : [`  Result${task.resultWhole ? "" : ", in part"}:`, indented(task.result)]),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * Prints a task.
 *
 * @param id Its id, or the beginning of it.
 * @throws {UsageError} If there is none, or more than one.
 * @throws {DatabaseError} If the table can't be read.
 * @throws {OutputError} If it can't be printed.
 */
export async function showTask(
  id: string,
  output: "text" | "json",
  { ports }: TasksContext,
): Promise<void> {
  const { terminal, clock } = ports;
  const task = await withTasks(ports, (table) => taskOf(table, id));
  const nowMs = clock.now();
  const { envelope, redacted, result, resultWhole, statusUrl } = task;
  const more = { status_url: statusUrl, envelope, redacted, result, result_whole: resultWhole };
  await terminal.out(
    output === "json"
      ? `${JSON.stringify({ schema: "rein-task/1", ...taskEntry(task, nowMs), ...more })}\n`
      : textOf(task, nowMs),
  );
}
