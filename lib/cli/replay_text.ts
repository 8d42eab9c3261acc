/**
 * What a replay found, as text for people.
 *
 * @module
 */

import { message, type Say } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
import type { Difference } from "../replay/difference.ts";
import type { AskedAgain, ComparedTurn, FailedTurn } from "../replay/online.ts";
import { cellOf, cutToColumns, wrapToColumns } from "./text_table.ts";
import stringWidth from "string-width";

/** Lines of a text that are shown beside one another. */
const TEXT_LINES = 12;

/** Columns of a place or a value, in a line of its own. */
const VALUE_COLUMNS = 160;

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return cutToColumns(cellOf(text), VALUE_COLUMNS);
}

/** What is said of a tool that is offered in another way. */
const DEFINITIONS = {
  changed: "replay.definition.changed",
  gone: "replay.definition.gone",
} as const;

function headOf(difference: Difference, say: Say): string {
  switch (difference.kind) {
    case "definition":
      return say(DEFINITIONS[difference.what], { tool: difference.tool });
    case "request": {
      const { ask, message, role } = difference;
      return say("replay.request", { ask, message, role });
    }
    case "asks":
      return say("replay.asks", { recorded: difference.recorded, now: difference.now });
    case "decision": {
      const { call, recorded, now } = difference;
      const what = cellOf(`${difference.tool} ${difference.brief}`);
      return say("replay.decision", {
        call,
        what,
        recorded,
        now,
        rules: difference.rules.join(", "),
      });
    }
    case "call":
      return say("replay.call", { call: difference.call, tool: difference.tool });
    case "result":
      return say("replay.result", { field: difference.field });
  }
}

/** One difference; what was and what is stand below each other. */
function differenceLines(difference: Difference, say: Say): string[] {
  const head = headOf(difference, say);
  if (!["request", "call", "result"].includes(difference.kind)) return [head];
  const { recorded, now } = difference as Extract<Difference, { kind: "result" }>;
  const line = (mark: string, value: unknown) =>
    value === null ? [] : [`  ${mark} ${shown(value)}`];
  return [head, ...line("-", recorded), ...line("+", now)];
}

/** Differences as lines, below the runs that they are of; those of a run follow each other. */
export function foundLines(differences: readonly Difference[], say: Say): string[] {
  return differences.flatMap((difference, index) => [
    ...differences[index - 1]?.run === difference.run
      ? []
      : [say("replay.run", { run: difference.run })],
    ...differenceLines(difference, say),
  ]);
}

function isFailed(turn: ComparedTurn | FailedTurn): turn is FailedTurn {
  return "error" in turn;
}

function turnLines(turn: ComparedTurn | FailedTurn, columns: number, say: Say): string[] {
  if (isFailed(turn)) {
    return wrapToColumns(tell(message("replay.failed", { why: turn.error }), say), columns);
  }
  const { text, calls, usage: { inputTokens, outputTokens } } = turn;
  const lines = text.trim().split("\n").flatMap((line) => wrapToColumns(cellOf(line), columns));
  const cut = lines.length > TEXT_LINES ? [...lines.slice(0, TEXT_LINES - 1), "…"] : lines;
  return [
    ...text.trim() === "" ? [] : cut,
    ...calls.flatMap((call) => wrapToColumns(`→ ${cellOf(call)}`, columns)),
    ...wrapToColumns(say("replay.tokens", { in: inputTokens, out: outputTokens }), columns),
  ];
}

function padded(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - stringWidth(text)));
}

/**
 * One question, with what came then on the left and what comes now on the right.
 *
 * @param columns Of the terminal, at least 20.
 */
export function askedLines(asked: AskedAgain, columns: number, say: Say): string[] {
  const half = Math.floor((columns - 3) / 2);
  const [left, right] = [asked.recorded, asked.now].map((turn) => turnLines(turn, half, say));
  const rows = Array.from(
    { length: Math.max(left?.length ?? 0, right?.length ?? 0) },
    (_, row) => `${padded(left?.[row] ?? "", half)} │ ${right?.[row] ?? ""}`.trimEnd(),
  );
  const { ask, step, sameCalls } = asked;
  return [say(sameCalls ? "replay.asked.same" : "replay.asked.other", { ask, step }), ...rows, ""];
}
