/**
 * What is going on in a run, as a few lines: a pure state, and how it looks.
 *
 * @module
 */

import stringWidth from "string-width";
import type { TaskView } from "../delegate/group.ts";
import { hasEnded, type TaskPhase } from "../delegate/task_row.ts";
import type { Event } from "../events.ts";
import { english, type MessageId, type Say } from "../messages/messages.ts";
import { printable } from "./printable.ts";
import type { Styles } from "./styles.ts";
import { cutToColumns } from "./text_table.ts";

/** A call that is running. */
export interface LiveCall {
  readonly id: string;
  readonly tool: string;
  readonly brief: string;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
}

/** What is going on. */
export interface Live {
  /** Since when the model is waited for; null: it is not, or it is answering. */
  readonly askedMs: number | null;
  readonly calls: readonly LiveCall[];
  /** Whether a person is being asked, and nothing else may be on the screen. */
  readonly asking: boolean;
  /** What a program printed last. */
  readonly lastLine: string;
  /** The tasks of the call that delegates. */
  readonly tasks: readonly TaskView[];
}

/** Nothing is going on. */
export const NOTHING: Live = {
  askedMs: null,
  calls: [],
  asking: false,
  lastLine: "",
  tasks: [],
};

/** Lines at the most; further calls are counted. */
const MAX_LINES = 5;

/** Lines of tasks at the most. */
const MAX_TASK_LINES = 8;

/** What takes no longer is not worth a line that is gone at once; in milliseconds. */
const SHOW_CALL_MS = 250;
const SHOW_WAIT_MS = 1000;

/** The tool whose tasks are shown. */
const DELEGATE = "delegate";

/** Columns that are kept for what a call is, before what it printed last is shown. */
const MIN_CALL_COLUMNS = 30;

/** What is going on after an event. */
export function afterEvent(live: Live, event: Event): Live {
  const atMs = Date.parse(event.at);
  switch (event.type) {
    case "run_started":
    case "run_finished":
      return NOTHING;
    case "step_started":
      return { ...live, askedMs: atMs };
    case "text_delta":
    case "turn_finished":
      return live.askedMs === null ? live : { ...live, askedMs: null };
    case "approval_requested":
      return { ...live, asking: true };
    case "approval_answered":
      return { ...live, asking: false };
    case "call_started": {
      const { call_id: id, tool, brief } = event;
      return { ...live, calls: [...live.calls, { id, tool, brief, sinceMs: atMs }], lastLine: "" };
    }
    case "call_finished":
      return {
        ...live,
        calls: live.calls.filter(({ id }) => id !== event.call_id),
        lastLine: "",
        tasks: event.tool === DELEGATE ? [] : live.tasks,
      };
    default:
      return live;
  }
}

function seconds(sinceMs: number, nowMs: number): string {
  return `${Math.max(0, Math.floor((nowMs - sinceMs) / 1000))} s`;
}

/** What a call is, how long it takes, and, where there is room, what it printed last. */
function callLine(call: LiveCall, lastLine: string, place: LivePlace): string {
  const { columns, nowMs, styles } = place;
  const time = ` ${seconds(call.sinceMs, nowMs)}`;
  const room = columns - 2 - time.length;
  const what = printable(`${call.tool} ${call.brief}`).replace(/\s+/g, " ").trim();
  const named = cutToColumns(what, lastLine === "" ? room : Math.max(MIN_CALL_COLUMNS, room >> 1));
  const begun = cutToColumns(named, room);
  const left = room - stringWidth(begun) - 3;
  const last = left < 8 || lastLine === "" ? "" : ` · ${cutToColumns(lastLine, left)}`;
  return `${styles.code("▸")} ${begun}${styles.dim(time + last)}`;
}

/** Where it is shown, and when. */
export interface LivePlace {
  /** What the only call printed last, shown below it; none if left out. */
  readonly output?: readonly string[];
  /** Cells that a line may take. */
  readonly columns: number;
  readonly nowMs: number;
  readonly styles: Styles;
  /** English if left out. */
  readonly say?: Say;
}

/** Those on their way first; how they ended is of less interest. */
function byInterest(tasks: readonly TaskView[]): readonly TaskView[] {
  const open = tasks.filter(({ phase }) => !hasEnded(phase));
  return [...open, ...tasks.filter(({ phase }) => hasEnded(phase))];
}

/** What has become of a task, in words. */
const PHASES: { readonly [P in TaskPhase]: MessageId } = {
  waiting: "task.waiting",
  sent: "task.sent",
  running: "task.running",
  success: "task.success",
  partial_success: "task.partial_success",
  failed: "task.failed",
  timeout: "task.timeout",
  cancelled: "task.cancelled",
  lost: "task.lost",
};

function taskLine({ agent, intent, phase, sinceMs }: TaskView, place: LivePlace): string {
  const { columns, nowMs, styles } = place;
  const words = (place.say ?? english)(PHASES[phase]);
  const state = hasEnded(phase) ? words : `${words} ${seconds(sinceMs, nowMs)}`;
  const room = columns - 5 - stringWidth(state);
  const named = cutToColumns(
    printable(`${agent}/${intent}`).replace(/\s+/g, " "),
    Math.max(8, room),
  );
  return `    ${named} ${styles.dim(state)}`;
}

/** A line a task. */
function taskLines(tasks: readonly TaskView[], place: LivePlace): string[] {
  const shown = tasks.length > MAX_TASK_LINES ? MAX_TASK_LINES - 1 : tasks.length;
  const lines = byInterest(tasks).slice(0, shown).map((task) => taskLine(task, place));
  const more = tasks.length - shown;
  return more === 0
    ? lines
    : [...lines, place.styles.dim((place.say ?? english)("live.more_tasks", { count: more }))];
}

/** How it looks: no lines where nothing is to be shown. */
export function liveLines(live: Live, place: LivePlace): string[] {
  const { askedMs, asking, lastLine } = live;
  const { nowMs, columns, styles, output = [], say = english } = place;
  if (asking) return [];
  const calls = live.calls.filter(({ sinceMs }) => nowMs - sinceMs >= SHOW_CALL_MS);
  if (calls.length > 0) {
    const below = live.calls.length === 1 ? output : [];
    const isAlone = calls.length === 1 && below.length === 0;
    const last = isAlone ? printable(lastLine).replace(/\s+/g, " ").trim() : "";
    const shown = calls.length > MAX_LINES ? MAX_LINES - 1 : calls.length;
    const lines = [
      ...calls.slice(0, shown).map((call) => callLine(call, last, place)),
      ...below.map((line) => styles.dim(cutToColumns(`  │ ${line}`, columns))),
    ];
    const more = calls.length - shown;
    const rest = more === 0 ? [] : [styles.dim(say("live.more", { count: more }))];
    return [...lines, ...rest, ...taskLines(live.tasks, place)];
  }
  if (askedMs === null || nowMs - askedMs < SHOW_WAIT_MS) return [];
  const text = say("live.waiting", { time: seconds(askedMs, nowMs) });
  return [styles.dim(cutToColumns(text, columns))];
}
