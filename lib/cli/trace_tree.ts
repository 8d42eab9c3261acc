/**
 * A traced run as a tree of lines.
 *
 * @module
 */

import type { Say } from "../messages/messages.ts";
import type { ContextPart } from "../trace/composition.ts";
import { sparkline } from "../trace/sparkline.ts";
import type { TracedCall, TracedRun, TracedStep, TracedTask } from "../trace/traced_run.ts";
import type { Told } from "../trace/tracer.ts";
import {
  compactionText,
  decisionText,
  endFacts,
  outcomeText,
  partText,
  spanText,
  stepFacts,
  stepName,
} from "../trace/wording.ts";
import { cellOf, cutToColumns, textTable } from "./text_table.ts";

/** How a tree is shown. */
export interface TreeManner {
  readonly say: Say;
  /** Of a line; longer ones are cut. */
  readonly columns: number;
}

/** Something with what belongs below it. */
interface Branch {
  readonly text: string;
  readonly below: readonly Branch[];
}

/** Columns of a sparkline. */
const CURVE_COLUMNS = 60;

/** Texts between dots; empty ones are left out. */
function dotted(...texts: readonly string[]): string {
  return texts.map(cellOf).filter((text) => text !== "").join(" · ");
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

function callText(call: TracedCall, say: Say): string {
  const time = call.ms === null ? "" : spanText(call.ms);
  const what = `${call.tool} ${call.brief}`;
  return dotted(what, decisionText(call, say), outcomeText(call, say), time);
}

function stepText(step: TracedStep, say: Say): string {
  return dotted(stepName(step, say), ...stepFacts(step, say), firstLine(step.content));
}

function taskBranch(task: TracedTask, say: Say): Branch {
  const { agent, intent, status, error, latencyMs, runs } = task;
  const time = latencyMs === null ? "" : spanText(latencyMs);
  const text = dotted(`${agent}/${intent}`, status, error?.message ?? "", time);
  return { text, below: runs.map((run) => runBranch(run, say)) };
}

function callBranch(call: TracedCall, say: Say): Branch {
  return { text: callText(call, say), below: call.tasks.map((task) => taskBranch(task, say)) };
}

function stepBranch(step: TracedStep, say: Say): Branch {
  const compactions = step.compactions.map((each) => ({
    text: compactionText(each, say),
    below: [],
  }));
  const calls = step.calls.map((call) => callBranch(call, say));
  return { text: stepText(step, say), below: [...compactions, ...calls] };
}

function headText({ runId, model }: TracedRun, say: Say): string {
  return dotted(say("trace.run", { id: runId }), model);
}

/** The first line of a run's answer; none where it has none. */
function answerTexts({ result }: TracedRun, say: Say): string[] {
  const answer = firstLine(result?.answer ?? "");
  return answer === "" ? [] : [cellOf(say("trace.answer", { answer }))];
}

function runBranch(run: TracedRun, say: Say): Branch {
  const answers = answerTexts(run, say).map((text) => ({ text, below: [] }));
  const text = dotted(headText(run, say), ...endFacts(run, say));
  return { text, below: [...run.steps.map((step) => stepBranch(step, say)), ...answers] };
}

function* linesOf({ below }: Branch, indent: string): Generator<string> {
  for (const [index, branch] of below.entries()) {
    const isLast = index === below.length - 1;
    yield `${indent}${isLast ? "└─" : "├─"} ${branch.text}`;
    yield* linesOf(branch, `${indent}${isLast ? "   " : "│  "}`);
  }
}

function cut(lines: readonly string[], { columns }: TreeManner): string[] {
  return lines.map((line) => cutToColumns(line, columns));
}

/** A run as a tree. */
export function treeLines(run: TracedRun, manner: TreeManner): string[] {
  const branch = runBranch(run, manner.say);
  return cut([branch.text, `  ${cellOf(run.task)}`, ...linesOf(branch, "")], manner);
}

/** What is new in a run, as lines of a tree that grows. */
export function toldLines(told: Told, manner: TreeManner): string[] {
  const { say } = manner;
  switch (told.what) {
    case "began":
      return cut([headText(told.run, say), `  ${cellOf(told.run.task)}`], manner);
    case "answered":
      return cut([`├─ ${stepText(told.step, say)}`], manner);
    case "compacted":
      return cut([`├─ ${compactionText(told.compaction, say)}`], manner);
    case "called": {
      const branch = callBranch(told.call, say);
      return cut([`│  ├─ ${branch.text}`, ...linesOf(branch, "│  │  ")], manner);
    }
    case "ended": {
      const answers = answerTexts(told.run, say).map((text) => `├─ ${text}`);
      return cut([...answers, `└─ ${dotted(...endFacts(told.run, say))}`], manner);
    }
  }
}

/** The tokens of each request as a curve; none where there are less than two. */
export function curveLines({ steps }: TracedRun, { say, columns }: TreeManner): string[] {
  const tokens = steps.flatMap(({ usage }) => usage === null ? [] : [usage.input_tokens]);
  if (tokens.length < 2) return [];
  const room = Math.max(10, Math.min(CURVE_COLUMNS, columns - 30));
  const range = { least: Math.min(...tokens), most: Math.max(...tokens) };
  return [say("trace.curve", { curve: sparkline(tokens, room), ...range })];
}

/** Where the context went, as a table. */
export function compositionLines(parts: readonly ContextPart[], manner: TreeManner): string[] {
  if (parts.length === 0) return [];
  const { say } = manner;
  const all = parts.reduce((sum, { sent }) => sum + sent, 0);
  const rows = parts.map(({ name, tokens, sent }) => [
    `  ${cellOf(partText(name, say))}`,
    String(tokens),
    String(sent),
    `${Math.round(100 * sent / Math.max(1, all))} %`,
  ]);
  const head = [`  ${say("trace.part")}`, say("trace.part_tokens"), say("trace.part_sent"), ""];
  const table = textTable([head, ...rows]).trimEnd().split("\n");
  return cut([say("trace.composition"), ...table], manner);
}
