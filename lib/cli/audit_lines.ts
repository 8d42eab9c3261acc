/**
 * Entries of the audit log as people read them: a line each.
 *
 * @module
 */

import type { AuditEntry } from "../audit/entry.ts";
import { localClock, localDay } from "../local_time.ts";
import type { Approval, Evaluation } from "../types.ts";
import { cellOf, cutToColumns } from "./text_table.ts";

/** Columns of arguments, tasks and results; a line then fits a wide window. */
const TEXT_COLUMNS = 80;

/** Columns of what stands before the text. */
const WIDTHS = { seq: 7, user: 10, run: 12 };

function shortly(text: string): string {
  return cutToColumns(cellOf(text), TEXT_COLUMNS);
}

/** The rules that led to the decision. */
function rulesOf({ decision, parts }: Evaluation): string {
  const rules = parts.flatMap(({ matches }) => matches)
    .filter((match) => match.decision === decision).map(({ rule }) => rule);
  return [...new Set(rules)].join(", ");
}

function approvalText(approval: Approval): string {
  const { granted, by, ...rest } = approval;
  const scope = "scope" in rest ? ` (${rest.scope})` : "";
  const reason = "reason" in rest && rest.reason ? `: ${shortly(rest.reason)}` : "";
  return `${granted ? "approved" : "refused"} by ${by}${scope}${reason}`;
}

function recoveredText(
  { torn, lost, head }: Extract<AuditEntry, { kind: "recovered" }>,
): string {
  const parts = [
    ...(torn === null ? [] : [`a torn line of ${torn.bytes} bytes was kept`]),
    ...(lost === null ? [] : [`entries ${lost.from} to ${lost.to} were lost`]),
    ...(head === "whole" ? [] : [`the file of its end was ${head}`]),
  ];
  return `recovered: ${parts.join(", ")}`;
}

/** What an entry tells, on one line. */
export function whatOf(entry: AuditEntry): string {
  switch (entry.kind) {
    case "run_started":
      return `run started with ${cellOf(entry.model.name)}: ${shortly(entry.task)}`;
    case "call_judged": {
      const { tool, arguments: args, evaluation } = entry;
      const text = typeof args === "string" ? args : JSON.stringify(args);
      return `${evaluation.decision}: ${cellOf(tool)} ${shortly(text)} (${rulesOf(evaluation)})`;
    }
    case "approval":
      return `${cellOf(entry.tool)} ${approvalText(entry.approval)}`;
    case "call_started":
      return `started: ${cellOf(entry.tool)} ${shortly(entry.brief)}`;
    case "call_finished": {
      const { tool, brief, status, summary, ms } = entry;
      return `${status}: ${cellOf(tool)} ${shortly(brief)} → ${shortly(summary)} (${ms} ms)`;
    }
    case "run_finished": {
      const { stop_reason, status, steps, calls } = entry;
      return `run finished: ${stop_reason ?? status}, ${steps} steps, ${calls} calls`;
    }
    case "changes_undone":
      return `undone: files of run ${entry.undone_run}: ${shortly(entry.paths.join(", "))}`;
    case "file_started":
      return entry.continues === null
        ? "file started"
        : `file started, continues ${cellOf(entry.continues)}`;
    case "recovered":
      return recoveredText(entry);
  }
}

/** A time as a calendar and a clock on the wall show it, with seconds. */
function timeOf(at: string): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return cellOf(at);
  return `${localDay(ms)} ${localClock(ms)}:${String(new Date(ms).getSeconds()).padStart(2, "0")}`;
}

/** An entry as a line with its line end: number, time, user, run, step, and what it tells. */
export function lineOf(entry: AuditEntry): string {
  const { seq, at, user: { name, uid }, run_id, step } = entry;
  const user = name ?? (uid === null ? "" : String(uid));
  const cells = [
    String(seq).padStart(WIDTHS.seq),
    timeOf(at),
    cutToColumns(cellOf(user), WIDTHS.user).padEnd(WIDTHS.user),
    cellOf(run_id ?? "").padEnd(WIDTHS.run),
    step === 0 ? "   " : `[${step}]`,
    whatOf(entry),
  ];
  return `${cells.join(" ").trimEnd()}\n`;
}
