/**
 * `rein sessions show` and `export`: one session, told or whole.
 *
 * @module
 */

import { readSession, type SessionInfo, type StoredSession } from "../session/read.ts";
import {
  type CallOutline,
  type FactOutline,
  outlineOf,
  type RunOutline,
} from "../session/outline.ts";
import type { MessageId, Say } from "../messages/messages.ts";
import { widthOf } from "./marked_text.ts";
import { printable } from "./printable.ts";
import {
  entryOf,
  jsonLine,
  localTime,
  onSession,
  type SessionsPorts,
  standingOf,
  stateText,
} from "./sessions_list.ts";
import { cellOf } from "./text_table.ts";

/** Text that is written at once, in UTF-16 units. */
const PIECE_CHARS = 64 * 1024;

/** Text of any origin, a little to the right. */
function indented(text: string): string {
  return printable(text).trimEnd().replace(/^(?=.)/gm, "    ");
}

/** Columns of what a line of the head is about. */
const LABEL_COLUMNS = 11;

function headOf(info: SessionInfo, say: Say): string[] {
  const { id, header, condition } = info;
  const line = (label: MessageId, text: string) => {
    const name = say(label);
    return `  ${name}${" ".repeat(Math.max(1, LABEL_COLUMNS - widthOf(name)))}${text}`;
  };
  const first = say("sessions.session", { id: cellOf(id) });
  const state = line("sessions.head_state", cellOf(standingOf(info, say)));
  if (header === null) return [first, state];
  const { missing, steps, inputTokens: input, outputTokens: output } = header;
  const times = { begun: localTime(header.createdMs), updated: localTime(header.updatedMs) };
  const lost = say("sessions.missing_events", { count: missing.length });
  return [
    first,
    state,
    line("sessions.head_directory", cellOf(header.cwd)),
    line("sessions.begun", say("sessions.begun_updated", times)),
    line("sessions.head_steps", say("sessions.steps_tokens", { steps, input, output })),
    line("sessions.version", cellOf(header.version)),
    ...(missing.length === 0 ? [] : [line("sessions.missing", lost)]),
    ...(condition === "incomplete" ? [line("sessions.missing", say("sessions.missing_end"))] : []),
  ];
}

/** How calls end, in words. */
const STATUSES: { readonly [status: string]: MessageId } = {
  success: "call.success",
  error: "call.error",
  denied: "call.denied",
  unavailable: "call.unavailable",
  timeout: "call.timeout",
  cancelled: "call.cancelled",
  unfinished: "call.unfinished",
};

function statusText(status: string, say: Say): string {
  const id = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined;
  return id === undefined ? status : say(id);
}

function callLine({ step, tool, brief, status, summary, ms }: CallOutline, say: Say): string {
  const how = statusText(status, say);
  const ended = status === "unfinished"
    ? how
    : say("sessions.call_ended", { status: how, ms: ms ?? 0 });
  const result = summary === "" ? "" : ` → ${summary}`;
  return `  [${step}] ${cellOf(`${tool} ${brief}`)}${cellOf(result) && ` ${cellOf(result)}`} ` +
    `(${cellOf(ended)})`;
}

function factLine({ text, call, step }: FactOutline, say: Say): string {
  const source = call === ""
    ? say("sessions.from_step", { step })
    : say("sessions.from_call", { call, step });
  return `    - ${cellOf(text)} (${cellOf(source)})`;
}

function runLines(run: RunOutline, place: RunPlace): string[] {
  const { number, inUse, say } = place;
  const state = run.state === "running" && !inUse
    ? say("state.broken_off")
    : stateText(run.state, say);
  const values = { number, state: cellOf(state), count: run.steps };
  const title = run.model === ""
    ? say("sessions.run", values)
    : say("sessions.run_with", { ...values, model: cellOf(run.model) });
  const facts = run.facts.map((fact) => factLine(fact, say));
  return [
    "",
    title,
    ...(run.task === "" ? [] : [say("sessions.task"), indented(run.task)]),
    ...run.calls.map((call) => callLine(call, say)),
    ...(facts.length === 0 ? [] : [say("sessions.facts"), ...facts]),
    ...(run.answer === null ? [] : [say("sessions.answer"), indented(run.answer)]),
  ];
}

/** Where a run is told. */
interface RunPlace {
  readonly number: number;
  /** Whether its session is in use, so that it may be running. */
  readonly inUse: boolean;
  readonly say: Say;
}

async function within<T>(
  id: string,
  ports: SessionsPorts,
  work: (session: StoredSession) => T | Promise<T>,
): Promise<T> {
  const session = await onSession(id, ports, (name) => readSession(name, ports));
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

/**
 * Prints what happened in a session.
 *
 * @throws {UsageError} If it is not there.
 * @throws {SessionError} If it can't be read.
 * @throws {OutputError} If it can't be printed.
 */
export async function showCommand(
  id: string,
  output: "text" | "json",
  ports: SessionsPorts,
): Promise<void> {
  const text = await within(id, ports, ({ info, events }) => {
    const runs = outlineOf(events());
    if (output === "json") return jsonLine({ schema: "rein-session/1", ...entryOf(info), runs });
    const { say } = ports;
    const { inUse } = info;
    const told = runs.flatMap((run, index) => runLines(run, { number: index + 1, inUse, say }));
    return `${[...headOf(info, say), ...told].join("\n")}\n`;
  });
  await ports.terminal.out(text);
}

/**
 * Prints the events of a session as they are stored, one line each.
 *
 * @throws {UsageError} If it is not there.
 * @throws {SessionError} If it can't be read to its end; what can be read is printed before.
 * @throws {OutputError} If it can't be printed.
 */
export async function exportCommand(id: string, ports: SessionsPorts): Promise<void> {
  await within(id, ports, async ({ events }) => {
    let piece = "";
    try {
      for (const event of events()) {
        piece += jsonLine(event);
        if (piece.length < PIECE_CHARS) continue;
        const full = piece;
        piece = "";
        await ports.terminal.out(full);
      }
    } finally {
      if (piece !== "") await ports.terminal.out(piece);
    }
  });
}
