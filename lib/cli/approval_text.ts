/**
 * What a person is shown who is asked about a call: the call with its risky part marked, the rules
 * that ask, and what it would do.
 *
 * @module
 */

import { decisiveRules } from "../calls/denial.ts";
import type { ApprovalRequest } from "../calls/pipeline.ts";
import { english, type MessageId, type Say } from "../messages/messages.ts";
import type { CallEffects } from "../policy/effects.ts";
import type { Span } from "../types.ts";
import { layOut, type Row, rowLines } from "./marked_text.ts";

/** How it is shown. */
export interface ApprovalView {
  readonly columns: number;
  /** Whether what is marked can be underlined. */
  readonly styled: boolean;
  /** Whether nothing is left out. */
  readonly all: boolean;
  /** English if left out. */
  readonly say?: Say;
}

/** What is shown. */
export interface ApprovalText {
  /** Without line ends. */
  readonly lines: readonly string[];
  /** Whether something was left out. */
  readonly cut: boolean;
}

/** A titled part of it. */
interface Section {
  readonly title: string;
  readonly text: string;
  readonly spans: readonly Span[];
  /** Rows that are shown of it, where not all is. */
  readonly rows: number;
}

const INDENT = "    ";

/** Where the rules that ask found what they ask about. */
function riskySpans({ evaluation }: ApprovalRequest): Span[] {
  return evaluation.parts.filter(({ decision }) => decision === evaluation.decision)
    .flatMap(({ matches }) => matches)
    .flatMap(({ decision, span }) => decision === evaluation.decision && span ? [span] : []);
}

/** The call: a command as it would run, anything else in a few words. */
function callSection(request: ApprovalRequest, say: Say): Section {
  const { tool, brief, subjects } = request;
  const title = say("approval.title", { tool });
  const [only] = subjects;
  if (subjects.length === 1 && only?.kind === "command") {
    return { title, text: only.command.trimEnd(), spans: riskySpans(request), rows: 12 };
  }
  return { title, text: brief, spans: [], rows: 12 };
}

/** What is hidden in the call, such as a command that was encoded. */
function judgedText({ evaluation }: ApprovalRequest, shown: string): string {
  const hidden = evaluation.parts
    .filter(({ decision, text }) => decision === evaluation.decision && !shown.includes(text));
  return [...new Set(hidden.map(({ text }) => text))].join("\n");
}

function sectionsOf(request: ApprovalRequest, effects: CallEffects, say: Say): Section[] {
  const call = callSection(request, say);
  const reasons = decisiveRules(request.evaluation)
    .map(({ matched, reason, rule }) => say("approval.rule", { matched, reason, rule }));
  const plain = (title: MessageId, text: string, rows: number) => (
    { title: say(title), text, spans: [], rows }
  );
  return [
    call,
    plain("approval.judged", judgedText(request, call.text), 6),
    plain("approval.because", [...new Set(reasons)].join("\n"), 6),
    plain("approval.deletes", effects.deletes.join("\n"), 5),
    plain("approval.writes", effects.writes.join("\n"), 5),
    plain("approval.reaches", effects.hosts.join("\n"), 5),
    plain("approval.effects", request.preview?.trimEnd() ?? "", 15),
  ].filter(({ title, text }, index) => index === 0 || (title !== "" && text !== ""));
}

/** The rows that are shown: the first ones, and those that are marked; null: left out here. */
function chosen(rows: readonly Row[], most: number): (Row | null)[] {
  if (rows.length <= most) return [...rows];
  const half = Math.ceil(most / 2);
  const marked = [...rows.keys()].filter((at) =>
    at >= half && rows[at]?.some((piece) => piece.marked)
  );
  const kept = marked.length === 0
    ? [...rows.keys()].slice(0, most)
    : [...[...rows.keys()].slice(0, half), ...marked.slice(0, most - half)];
  const shown: (Row | null)[] = [];
  let next = 0;
  for (const at of kept) {
    if (at > next) shown.push(null);
    shown.push(rows[at] ?? []);
    next = at + 1;
  }
  return next < rows.length ? [...shown, null] : shown;
}

function sectionLines(section: Section, { columns, styled, all }: ApprovalView): ApprovalText {
  const rows = layOut(section.text, section.spans, columns - INDENT.length);
  const shown = chosen(rows, all ? Infinity : section.rows);
  const lines = shown.flatMap((row) => row === null ? ["…"] : rowLines(row, styled));
  return {
    lines: [section.title, ...lines.map((line) => INDENT + line)],
    cut: shown.includes(null),
  };
}

/** Lays out what a person is asked about; every line of others' text is indented. */
export function approvalText(
  request: ApprovalRequest,
  effects: CallEffects,
  view: ApprovalView,
): ApprovalText {
  const { say = english } = view;
  const parts = sectionsOf(request, effects, say).map((section) => sectionLines(section, view));
  return {
    lines: ["", ...parts.flatMap(({ lines }) => lines)],
    cut: parts.some(({ cut }) => cut),
  };
}
