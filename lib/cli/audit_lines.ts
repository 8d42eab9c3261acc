/**
 * Entries of the audit log as people read them: a line each.
 *
 * @module
 */

import type { AuditEntry } from "../audit/entry.ts";
import { localClock, localDay } from "../local_time.ts";
import { type Message, message, type Say, wordsOf } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
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

function approvalText(tool: string, approval: Approval): Message {
  const { granted, by, ...rest } = approval;
  const what = "scope" in rest
    ? message(granted ? "audit.approved_scope" : "audit.refused_scope", {
      ...{ tool, by, scope: rest.scope },
    })
    : message(granted ? "audit.approved" : "audit.refused", { tool, by });
  const reason = "reason" in rest && rest.reason ? shortly(rest.reason) : null;
  return reason === null ? what : message("audit.with_reason", { what, reason });
}

function recoveredText(
  { torn, lost, head }: Extract<AuditEntry, { kind: "recovered" }>,
  say: Say,
): Message {
  const parts = [
    ...(torn === null ? [] : [say("audit.torn_kept", { bytes: torn.bytes })]),
    ...(lost === null ? [] : [say("audit.lost", { from: lost.from, to: lost.to })]),
    ...(head === "whole" ? [] : [say("audit.head_was", { state: head })]),
  ];
  return message("audit.recovered", { what: parts.join(say("list.separator")) });
}

/** What an entry tells, on one line. */
function whatOf(entry: AuditEntry, say: Say): Message {
  switch (entry.kind) {
    case "run_started":
      return message("audit.run_started", {
        ...{ model: cellOf(entry.model.name), task: shortly(entry.task) },
      });
    case "call_judged": {
      const { tool, arguments: args, evaluation } = entry;
      const text = typeof args === "string" ? args : JSON.stringify(args);
      const values = { tool: cellOf(tool), text: shortly(text), rules: rulesOf(evaluation) };
      return message("audit.judged", { decision: evaluation.decision, ...values });
    }
    case "approval":
      return approvalText(cellOf(entry.tool), entry.approval);
    case "call_started":
      return message("audit.call_started", {
        ...{ tool: cellOf(entry.tool), text: shortly(entry.brief) },
      });
    case "call_finished": {
      const { tool, brief, status, summary, ms } = entry;
      const told = shortly(tell(summary, say));
      const values = { tool: cellOf(tool), text: shortly(brief), summary: told, ms };
      return message("audit.call_finished", { status, ...values });
    }
    case "run_finished": {
      const { stop_reason, status, steps, calls } = entry;
      return message("audit.run_finished", { status: stop_reason ?? status, steps, calls });
    }
    case "changes_undone":
      return message("audit.undone", {
        ...{ run: entry.undone_run, paths: shortly(entry.paths.join(", ")) },
      });
    case "file_started":
      return entry.continues === null
        ? message("audit.file_started")
        : message("audit.file_continues", { file: cellOf(entry.continues) });
    case "recovered":
      return recoveredText(entry, say);
  }
}

/** A time as a calendar and a clock on the wall show it, with seconds. */
function timeOf(at: string): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return cellOf(at);
  return `${localDay(ms)} ${localClock(ms)}:${String(new Date(ms).getSeconds()).padStart(2, "0")}`;
}

/** An entry as a line with its line end: number, time, user, run, step, and what it tells. */
export function lineOf(entry: AuditEntry, say: Say): string {
  const { seq, at, user: { name, uid }, run_id, step } = entry;
  const user = name ?? (uid === null ? "" : String(uid));
  const cells = [
    String(seq).padStart(WIDTHS.seq),
    timeOf(at),
    cutToColumns(cellOf(user), WIDTHS.user).padEnd(WIDTHS.user),
    cellOf(run_id ?? "").padEnd(WIDTHS.run),
    step === 0 ? "   " : `[${step}]`,
    wordsOf(whatOf(entry, say), say),
  ];
  return `${cells.join(" ").trimEnd()}\n`;
}
