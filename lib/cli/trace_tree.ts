/**
 * A traced run as a tree of lines.
 *
 * @module
 */

import { decisiveRules } from "../calls/denial.ts";
import type { Say } from "../messages/messages.ts";
import type { ContextPart } from "../trace/composition.ts";
import { sparkline } from "../trace/sparkline.ts";
import type { TracedCall, TracedRun, TracedStep, TracedTask } from "../trace/traced_run.ts";
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

/** A time in few characters: `12 ms`, `3.4 s`, `2 min 5 s`. */
export function spanText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round(ms % 60_000 / 1000)} s`;
}

/** Texts between dots; empty ones are left out. */
function dotted(...texts: readonly string[]): string {
  return texts.map(cellOf).filter((text) => text !== "").join(" · ");
}

/** What was decided of a call, and by which rules. */
function decisionText({ evaluation, approval }: TracedCall, say: Say): string {
  if (evaluation === null) return "";
  const rules = [...new Set(decisiveRules(evaluation).map(({ rule }) => rule))].join(", ");
  const decided = rules === "" ? evaluation.decision : `${evaluation.decision} (${rules})`;
  if (approval === null) return decided;
  const id = approval.granted ? "trace.approved" : "trace.not_approved";
  return `${decided}, ${say(id, { by: say(`trace.by.${approval.by}`) })}`;
}

/** What a call came to, in a few words. */
function outcomeText({ observation }: TracedCall, say: Say): string {
  if (observation === null) return say("trace.unfinished");
  const { status, summary, error } = observation;
  return status === "success" ? summary : `${status}: ${error?.message ?? summary}`;
}

function callText(call: TracedCall, say: Say): string {
  const time = call.ms === null ? "" : spanText(call.ms);
  const what = `${call.tool} ${call.brief}`;
  return dotted(what, decisionText(call, say), outcomeText(call, say), time);
}

function stepText(step: TracedStep, say: Say): string {
  const { startedMs, answeredMs, usage, content, closing } = step;
  const time = answeredMs === null ? "" : spanText(answeredMs - startedMs);
  const tokens = usage === null
    ? ""
    : say("trace.tokens", { in: usage.input_tokens, out: usage.output_tokens });
  const name = closing ? say("trace.closing") : say("trace.step", { step: step.step });
  const retries = step.retries === 0 ? "" : say("trace.retries", { count: step.retries });
  const thought = content.trim().split("\n")[0] ?? "";
  return dotted(name, time, tokens, retries, thought);
}

function taskBranch(
  { agent, intent, status, error, latencyMs, runs }: TracedTask,
  say: Say,
): Branch {
  const time = latencyMs === null ? "" : spanText(latencyMs);
  const text = dotted(`${agent}/${intent}`, status, error ?? "", time);
  return { text, below: runs.map((run) => runBranch(run, say)) };
}

function callBranch(call: TracedCall, say: Say): Branch {
  return { text: callText(call, say), below: call.tasks.map((task) => taskBranch(task, say)) };
}

function stepBranch(step: TracedStep, say: Say): Branch {
  const compactions = step.compactions.map(({ tokensBefore: before, tokensAfter: after }) => ({
    text: say("trace.compacted", { before, after }),
    below: [],
  }));
  const calls = step.calls.map((call) => callBranch(call, say));
  return { text: stepText(step, say), below: [...compactions, ...calls] };
}

/** How a run ended, and what it took. */
function endText({ result, startedMs, lastMs, steps }: TracedRun, say: Say): string {
  const calls = steps.reduce((sum, step) => sum + step.calls.length, 0);
  const made = steps.filter(({ closing, step }) => !closing && step > 0).length;
  const counts = dotted(say("trace.steps", { count: made }), say("trace.calls", { count: calls }));
  if (result === null) return dotted(say("trace.unfinished"), counts, spanText(lastMs - startedMs));
  const { stop_reason, status, usage, elapsed_ms } = result;
  const tokens = say("trace.tokens", { in: usage.input_tokens, out: usage.output_tokens });
  return dotted(stop_reason ?? status, counts, spanText(elapsed_ms), tokens);
}

function runBranch(run: TracedRun, say: Say): Branch {
  const head = dotted(say("trace.run", { id: run.runId }), run.model, endText(run, say));
  const answer = run.result?.answer?.trim().split("\n")[0] ?? "";
  const last = answer === "" ? [] : [{ text: say("trace.answer", { answer }), below: [] }];
  return { text: head, below: [...run.steps.map((step) => stepBranch(step, say)), ...last] };
}

function* linesOf({ below }: Branch, indent: string): Generator<string> {
  for (const [index, branch] of below.entries()) {
    const isLast = index === below.length - 1;
    yield `${indent}${isLast ? "└─" : "├─"} ${branch.text}`;
    yield* linesOf(branch, `${indent}${isLast ? "   " : "│  "}`);
  }
}

/** A run as a tree. */
export function treeLines(run: TracedRun, { say, columns }: TreeManner): string[] {
  const branch = runBranch(run, say);
  const task = `  ${cellOf(run.task)}`;
  return [branch.text, task, ...linesOf(branch, "")].map((line) => cutToColumns(line, columns));
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
export function compositionLines(parts: readonly ContextPart[], { say }: TreeManner): string[] {
  if (parts.length === 0) return [];
  const all = parts.reduce((sum, { sent }) => sum + sent, 0);
  const rows = parts.map(({ name, tokens, sent }) => [
    `  ${partName(name, say)}`,
    String(tokens),
    String(sent),
    `${Math.round(100 * sent / Math.max(1, all))} %`,
  ]);
  const head = [say("trace.part"), say("trace.part_tokens"), say("trace.part_sent"), ""];
  return [
    say("trace.composition"),
    ...textTable([[`  ${head[0]}`, ...head.slice(1)], ...rows]).trimEnd().split("\n"),
  ];
}

function partName(name: string, say: Say): string {
  switch (name) {
    case "instructions":
    case "task":
    case "model":
      return say(`trace.part.${name}`);
    default:
      return cellOf(name.replace(/^tool /, ""));
  }
}

/** The line of a call, for whoever follows a run. */
export function callLine(call: TracedCall, { say, columns }: TreeManner): string {
  return cutToColumns(`│  ├─ ${callText(call, say)}`, columns);
}

/** The line of a step, for whoever follows a run. */
export function stepLine(step: TracedStep, { say, columns }: TreeManner): string {
  return cutToColumns(`├─ ${stepText(step, say)}`, columns);
}

/** The last line of a run, for whoever follows it. */
export function endLine(run: TracedRun, { say, columns }: TreeManner): string {
  return cutToColumns(`└─ ${endText(run, say)}`, columns);
}
