/**
 * `todo`: the steps of a longer task, kept while the task lasts.
 *
 * @module
 */

import type { Event } from "../lib/events.ts";
import type { Tool, ToolOutcome } from "../lib/types.ts";

/** What the model may ask for. */
export interface TodoArgs {
  readonly action: "add" | "list" | "done";
  readonly items?: readonly string[];
  readonly ids?: readonly number[];
}

/** One step of a task. */
export interface TodoItem {
  /** From 1, in the order of adding. */
  readonly id: number;
  readonly text: string;
  readonly done: boolean;
}

const NAME = "todo";

/** Steps of one task; more would be a plan of another kind. */
const MAX_ITEMS = 50;

function refused(message: string, hint: string): ToolOutcome {
  return { ok: false, error: { code: "invalid_arguments", message, hint, retriable: false } };
}

function listed(items: readonly TodoItem[]): ToolOutcome {
  const open = items.filter(({ done }) => !done).length;
  const lines = items.map(({ id, text, done }) => `${done ? "[x]" : "[ ]"} ${id}. ${text}`);
  return {
    ok: true,
    data: { list: lines.join("\n"), open, done: items.length - open },
    summary: `${open} open, ${items.length - open} done`,
  };
}

function add(items: TodoItem[], texts: readonly string[]): ToolOutcome {
  if (texts.length === 0) return refused("Nothing to add", "Give items.");
  if (items.length + texts.length > MAX_ITEMS) {
    return refused(`More than ${MAX_ITEMS} items`, "Keep to the steps that matter.");
  }
  for (const text of texts) {
    items.push({ id: items.length + 1, text: text.replace(/\s+/g, " ").trim(), done: false });
  }
  return listed(items);
}

function finish(items: TodoItem[], ids: readonly number[]): ToolOutcome {
  const unknown = ids.filter((id) => items[id - 1] === undefined);
  if (ids.length === 0) return refused("No item is named", "Give ids.");
  if (unknown.length > 0) {
    return refused(`There is no item ${unknown.join(", ")}`, `Items are 1 to ${items.length}.`);
  }
  for (const id of ids) {
    const item = items[id - 1];
    if (item) items[id - 1] = { ...item, done: true };
  }
  return listed(items);
}

const PARAMETERS: Tool["parameters"] = {
  type: "object",
  properties: {
    action: { type: "string", enum: ["add", "list", "done"], description: "What to do." },
    items: {
      type: "array",
      items: { type: "string", minLength: 1, maxLength: 300 },
      maxItems: MAX_ITEMS,
      description: "Steps to add.",
    },
    ids: {
      type: "array",
      items: { type: "integer", minimum: 1 },
      maxItems: MAX_ITEMS,
      description: "Numbers of the steps that are done.",
    },
  },
  required: ["action"],
  additionalProperties: false,
};

/**
 * The list as the newest call of a session has left it.
 *
 * @param events Those of the session, in order; all but finished calls are passed over.
 */
export function openedList(events: Iterable<Event>): TodoItem[] {
  let list = "";
  for (const event of events) {
    if (event.type === "run_started" && event.resumed === "no") list = "";
    if (event.type !== "call_finished" || event.tool !== NAME) continue;
    list = String(event.observation.data?.["list"] ?? list);
  }
  return [...list.matchAll(/^\[(.)\] (\d+)\. (.*)$/gm)]
    .map(([, mark, id, text = ""]) => ({ id: Number(id), text, done: mark === "x" }));
}

/**
 * Builds the tool.
 *
 * @param items The list of the run, changed in place.
 */
export function createTodo(items: TodoItem[] = []): Tool<TodoArgs> {
  return {
    name: NAME,
    description: "Keep the steps of this task as a list: add them, mark them done, see what is " +
      "open. For tasks of more than three steps.",
    parameters: PARAMETERS,
    effect: "read",
    timeoutMs: 5_000,
    limits: {},
    subjects: () => [],
    brief: ({ action, items: texts = [], ids = [] }) =>
      [action, ...(action === "add" ? [texts.join("; ")] : ids.map(String))].join(" ").trim(),
    idempotent: ({ action }) => action !== "add",
    run: ({ action, items: texts = [], ids = [] }) => {
      switch (action) {
        case "add":
          return Promise.resolve(add(items, texts));
        case "done":
          return Promise.resolve(finish(items, ids));
        case "list":
          return Promise.resolve(listed(items));
      }
    },
  };
}
