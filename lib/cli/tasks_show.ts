/**
 * `rein tasks show`: all that is kept of a task.
 *
 * @module
 */

import type { TaskRow } from "../delegate/task_row.ts";
import { type MessageId, type Say, wordsOf } from "../messages/messages.ts";
import type { Json } from "../types.ts";
import { printable } from "./printable.ts";
import { localTime } from "./sessions_list.ts";
import type { TasksContext } from "./tasks_command.ts";
import { latencyOf, secondsText, taskEntry } from "./tasks_list.ts";
import { phaseText } from "./task_phase.ts";
import { taskOf, withTasks } from "./tasks_table.ts";
import { cellOf, textTable } from "./text_table.ts";

/** JSON for people, a little to the right. */
function indented(value: unknown): string {
  return printable(JSON.stringify(value as Json, null, 2)).replace(/^/gm, "    ");
}

/** What is said of a task in a line each. */
function rowsOf(task: TaskRow, nowMs: number, say: Say): (readonly [MessageId, string])[] {
  const { access, error, statusUrl, inputTokens: input, outputTokens: output } = task;
  const name = cellOf(`${task.agent}/${task.intent}`);
  const asked = { call: cellOf(task.call), run: cellOf(task.run), name: cellOf(task.name) };
  const took = secondsText(latencyOf(task, nowMs), say);
  return [
    [
      "tasks.row_agent",
      say(access === "read" ? "tasks.agent_reads" : "tasks.agent_changes", { name }),
    ],
    ["tasks.head_phase", wordsOf(phaseText(task.phase), say)],
    ["tasks.row_asked", say("tasks.asked", { time: localTime(task.createdMs), ...asked })],
    ...(task.sentMs === null
      ? []
      : [["tasks.row_sent", say("tasks.sent", { time: localTime(task.sentMs), took })]] as const),
    ["tasks.head_tokens", say("tasks.tokens", { input, output })],
    ...(error === null
      ? []
      : [["tasks.head_error", cellOf(`${error.code}: ${error.message}`)]] as const),
    ...(statusUrl === null ? [] : [["tasks.row_status", cellOf(statusUrl)]] as const),
  ];
}

function textOf(task: TaskRow, nowMs: number, say: Say): string {
  const { id, envelope, redacted, result, resultWhole } = task;
  const rows = rowsOf(task, nowMs, say).map(([label, value]) => [`  ${say(label)}`, value]);
  const sent = redacted ? "tasks.envelope_redacted" : "tasks.envelope";
  const brought = resultWhole ? "tasks.result" : "tasks.result_part";
  return [
    `${id === null ? say("tasks.title_unsent") : say("tasks.title", { id })}\n`,
    textTable(rows),
    ...(envelope === null ? [] : [`${say(sent)}\n${indented(envelope)}\n`]),
    ...(result === null ? [] : [`${say(brought)}\n${indented(result)}\n`]),
  ].join("");
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
      : textOf(task, nowMs, ports.say),
  );
}
