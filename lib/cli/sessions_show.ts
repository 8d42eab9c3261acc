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
import { printable } from "./printable.ts";
import {
  entryOf,
  jsonLine,
  localTime,
  onSession,
  type SessionsPorts,
  standingOf,
} from "./sessions_list.ts";
import { cellOf } from "./text_table.ts";

/** Text that is written at once, in UTF-16 units. */
const PIECE_CHARS = 64 * 1024;

/** Text of any origin, a little to the right. */
function indented(text: string): string {
  return printable(text).trimEnd().replace(/^(?=.)/gm, "    ");
}

function headOf(info: SessionInfo): string[] {
  const { id, header, condition } = info;
  if (header === null) return [`Session ${cellOf(id)}`, `  state      ${standingOf(info)}`];
  const { missing } = header;
  return [
    `Session ${cellOf(id)}`,
    `  state      ${cellOf(standingOf(info))}`,
    `  directory  ${cellOf(header.cwd)}`,
    `  begun      ${localTime(header.createdMs)}, updated ${localTime(header.updatedMs)}`,
    `  steps      ${header.steps}, with ${header.inputTokens} tokens in and ` +
    `${header.outputTokens} out`,
    `  version    ${cellOf(header.version)}`,
    ...(missing.length === 0 ? [] : [`  missing    ${missing.length} events, lost by damage`]),
    ...(condition === "incomplete" ? ["  missing    its end, which could not be written"] : []),
  ];
}

function callLine({ step, tool, brief, status, summary, ms }: CallOutline): string {
  const ended = status === "unfinished" ? status : `${status}, ${ms ?? 0} ms`;
  const result = summary === "" ? "" : ` → ${summary}`;
  return `  [${step}] ${cellOf(`${tool} ${brief}`)}${cellOf(result) && ` ${cellOf(result)}`} ` +
    `(${cellOf(ended)})`;
}

function factLine({ text, call, step }: FactOutline): string {
  const source = call === "" ? `step ${step}` : `${call}, step ${step}`;
  return `    - ${cellOf(text)} (${cellOf(source)})`;
}

function runLines(run: RunOutline, number: number, inUse: boolean): string[] {
  const state = run.state === "running" && !inUse ? "broken off" : run.state.replace("_", " ");
  return [
    "",
    `Run ${number}: ${cellOf(state)}, ${run.steps} steps` +
    (run.model === "" ? "" : ` with ${cellOf(run.model)}`),
    ...(run.task === "" ? [] : ["  Task:", indented(run.task)]),
    ...run.calls.map(callLine),
    ...(run.facts.length === 0 ? [] : ["  Facts:", ...run.facts.map(factLine)]),
    ...(run.answer === null ? [] : ["  Answer:", indented(run.answer)]),
  ];
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
    const told = runs.flatMap((run, index) => runLines(run, index + 1, info.inUse));
    return `${[...headOf(info), ...told].join("\n")}\n`;
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
