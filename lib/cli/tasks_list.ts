/**
 * `rein tasks`: tasks as a line each, once or again and again.
 *
 * @module
 */

import { hasEnded, type TaskRow } from "../delegate/task_row.ts";
import { MAX_ROWS } from "../delegate/task_table.ts";
import { localTime } from "./sessions_list.ts";
import type { TasksContext, TasksListOptions } from "./tasks_command.ts";
import { withTasks } from "./tasks_table.ts";
import { cellOf, cutToColumns, textTable } from "./text_table.ts";

/** Tasks that a list shows unless all are asked for. */
const LISTED = 20;

/** How often the list is brought up to date, in milliseconds. */
const WATCH_MS = 500;

/** Characters of an id in a list; enough to name it. */
const ID_CHARS = 12;

/** Columns of what went wrong. */
const ERROR_COLUMNS = 50;

/** Clears a terminal and goes to its beginning. */
const CLEAR = "\x1b[H\x1b[2J";

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** How long a task took, in milliseconds; so far, if it is on its way; null: it was never sent. */
export function latencyOf({ sentMs, returnedMs }: TaskRow, nowMs: number): number | null {
  return sentMs === null ? null : Math.max(0, (returnedMs ?? nowMs) - sentMs);
}

/** A task for programs. */
export function taskEntry(task: TaskRow, nowMs: number) {
  return {
    id: task.id,
    run: task.run,
    call: task.call,
    name: task.name,
    agent: task.agent,
    intent: task.intent,
    access: task.access,
    phase: task.phase,
    created: isoOrNull(task.createdMs),
    sent: isoOrNull(task.sentMs),
    returned: isoOrNull(task.returnedMs),
    latency_ms: latencyOf(task, nowMs),
    input_tokens: task.inputTokens,
    output_tokens: task.outputTokens,
    error: task.error,
  };
}

/** A length of time in a few words: `0.4 s`, `75 s`. */
export function secondsText(ms: number | null): string {
  if (ms === null) return "";
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

function rowOf(task: TaskRow, nowMs: number): string[] {
  const tokens = task.inputTokens + task.outputTokens;
  return [
    (task.id ?? "").slice(0, ID_CHARS),
    cellOf(`${task.agent}/${task.intent}`),
    task.phase.replace("_", " "),
    localTime(task.sentMs ?? task.createdMs),
    secondsText(latencyOf(task, nowMs)),
    hasEnded(task.phase) ? String(tokens) : "",
    task.error === null
      ? ""
      : cutToColumns(cellOf(`${task.error.code}: ${task.error.message}`), ERROR_COLUMNS),
  ];
}

function textOf(tasks: readonly TaskRow[], nowMs: number): string {
  if (tasks.length === 0) return "No task is kept here.\n";
  const heading = ["task", "agent/intent", "phase", "sent", "took", "tokens", "error"];
  return textTable([heading, ...tasks.map((task) => rowOf(task, nowMs))]);
}

/** Prints tasks that are new or have changed, a line each, in the order in which they were asked for. */
function changesOf(tasks: readonly TaskRow[], shown: Map<number, string>, nowMs: number): string {
  return tasks.toReversed().map((task) => {
    if (shown.get(task.key) === task.phase) return "";
    shown.set(task.key, task.phase);
    return `${JSON.stringify({ schema: "rein-task/1", ...taskEntry(task, nowMs) })}\n`;
  }).join("");
}

async function watch(
  { output, all }: TasksListOptions,
  { ports, signal }: TasksContext,
): Promise<void> {
  const { terminal, clock } = ports;
  const shown = new Map<number, string>();
  let before = "";
  while (true) {
    const limit = all ? MAX_ROWS : LISTED;
    const tasks = await withTasks(ports, (table) => table.list(limit));
    const live = output === "text" && terminal.stdoutIsTerminal;
    const text = live ? textOf(tasks, clock.now()) : changesOf(tasks, shown, clock.now());
    if (!live && text !== "") await terminal.out(text);
    if (live && text !== before) await terminal.out(CLEAR + text);
    before = text;
    await clock.sleep(WATCH_MS, signal);
  }
}

/**
 * Prints the newest tasks. To watch them, a terminal gets the list anew; anyone else gets a line of
 * JSON for each task that comes or changes.
 *
 * @throws {DatabaseError} If the table can't be read.
 * @throws {OutputError} If it can't be printed.
 * @throws The signal's reason, once it is aborted while they are watched.
 */
export async function listTasks(options: TasksListOptions, context: TasksContext): Promise<void> {
  if (options.watch) return await watch(options, context);
  const { terminal, clock } = context.ports;
  const limit = options.all ? MAX_ROWS : LISTED;
  const tasks = await withTasks(context.ports, (table) => table.list(limit));
  const nowMs = clock.now();
  const entries = tasks.map((task) => taskEntry(task, nowMs));
  await terminal.out(
    options.output === "json"
      ? `${JSON.stringify({ schema: "rein-tasks/1", tasks: entries })}\n`
      : textOf(tasks, nowMs),
  );
}
