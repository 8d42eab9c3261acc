/**
 * The tasks of a batch: JSON lines or plain ones.
 *
 * @module
 */

import { type Message, message } from "../messages/messages.ts";
import { UsageError } from "./failure.ts";

/** One task of a batch. */
export interface BatchTask {
  /** What names its result: as it was given, else the number of its line. */
  readonly id: string;
  readonly task: string;
  /** The model to ask; null: the one of all. */
  readonly model: string | null;
  /** Files that go with it. */
  readonly input: readonly string[];
}

const FORM = message("batch.form_hint");

const FIELDS: readonly string[] = ["id", "task", "model", "input"];

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

const noText = (field: string) => message("batch.no_text", { field });

/** Why a value is no task, or null if it is one. */
function faultOf(value: unknown): Message | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return message("batch.no_object");
  }
  const { id, task, model, input } = value as Record<string, unknown>;
  const unknown = Object.keys(value).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) {
    return message("batch.unknown_field", { field: JSON.stringify(unknown) });
  }
  if (!isText(task)) return noText("task");
  if (id !== undefined && !isText(id) && typeof id !== "number") return noText("id");
  if (model !== undefined && !isText(model)) return noText("model");
  const files = Array.isArray(input) ? input : [input];
  return input !== undefined && !files.every(isText) ? message("batch.no_file") : null;
}

function taskOf(line: string, number: number, place: string): BatchTask {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new UsageError(message("batch.line_not_json", { number, place }), FORM);
  }
  const fault = faultOf(value);
  if (fault !== null) {
    throw new UsageError(message("batch.line_fault", { number, place, fault }), FORM);
  }
  const { id = number, task, model = null, input = [] } = value as Partial<BatchTask>;
  return {
    id: String(id),
    task: task ?? "",
    model,
    input: typeof input === "string" ? [input] : input,
  };
}

function checkIds(tasks: readonly BatchTask[], place: string): void {
  const seen = new Set<string>();
  for (const { id } of tasks) {
    if (seen.has(id)) {
      const fault = message("batch.same_id", { place, id: JSON.stringify(id) });
      throw new UsageError(fault, message("batch.same_id_hint"));
    }
    seen.add(id);
  }
}

/**
 * Reads tasks, one a line; blank lines are none. If the first character is `{` every line is a JSON
 * object, else every line is a task as it stands.
 *
 * @param place Where they are from, for people.
 * @throws {UsageError} If a line is no task, two have one id, or there is none.
 */
export function parseTasks(text: string, place: string): readonly BatchTask[] {
  const lines = text.replace(/^\ufeff/, "").split("\n")
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => line !== "");
  const inJson = lines[0]?.line.startsWith("{") ?? false;
  const tasks = lines.map(({ line, number }) =>
    inJson
      ? taskOf(line, number, place)
      : { id: String(number), task: line, model: null, input: [] }
  );
  if (tasks.length === 0) throw new UsageError(message("batch.no_tasks", { place }), FORM);
  checkIds(tasks, place);
  return tasks;
}
