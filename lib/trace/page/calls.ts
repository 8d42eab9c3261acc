/**
 * Calls on a page: what was asked for, what was decided, what it brought.
 *
 * @module
 */

import type { TracedCall, TracedRun, TracedTask } from "../traced_run.ts";
import {
  approvalText,
  decisionText,
  faultText,
  figure,
  outcomeText,
  spanText,
} from "../wording.ts";
import { type Html, type HtmlPart, tag } from "./html.ts";
import { longText, type PageParts, shortText } from "./parts.ts";

/** Where a call is, and how the runs below it are written. */
export interface CallPlace {
  /** The id of its element; those below begin with it. */
  readonly id: string;
  readonly runPart: (run: TracedRun, id: string, parts: PageParts) => Html;
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Every rule that took part in a decision. */
function decisionTable(call: TracedCall, parts: PageParts): HtmlPart {
  const { evaluation, approval } = call;
  const { say } = parts;
  if (evaluation === null) return null;
  const rows = evaluation.parts.flatMap(({ text, matches }) =>
    matches.map(({ rule, decision, reason }) =>
      tag(
        "tr",
        {},
        tag("td", {}, tag("code", {}, shortText(text, parts))),
        tag("td", { class: decision === "deny" ? "state bad" : null }, decision),
        tag("td", {}, rule),
        tag("td", {}, reason),
      )
    )
  );
  const heads = ["report.part", "report.decision", "report.rule", "report.reason"] as const;
  const head = tag("tr", {}, heads.map((id) => tag("th", { scope: "col" }, say(id))));
  const why = approval !== null && "reason" in approval ? approval.reason ?? "" : "";
  const asked = [approvalText(call, say), why].filter((text) => text !== "").join(": ");
  return [
    tag("h4", {}, say("report.evaluation")),
    tag("table", { class: "decision" }, tag("thead", {}, head), tag("tbody", {}, rows)),
    asked === "" ? null : tag("p", {}, asked),
  ];
}

/** The texts of an output as they are, and the rest as JSON. */
function outputPart({ observation }: TracedCall, parts: PageParts): HtmlPart {
  const { say } = parts;
  if (observation === null) return tag("p", { class: "dim" }, say("trace.unfinished"));
  const { data, error, truncated, note } = observation;
  const fields = Object.entries(data ?? {});
  const isLong = (value: unknown): value is string =>
    typeof value === "string" && value.includes("\n");
  const short = Object.fromEntries(fields.filter(([, value]) => !isLong(value)));
  const output = (text: string) => longText({ name: "pre", kind: "output", text }, parts);
  return [
    error === null
      ? null
      : tag("p", { class: "state bad" }, `${error.code}: ${faultText(error.message, error.hint)}`),
    Object.keys(short).length === 0 ? null : output(jsonText(short)),
    fields.map(([name, value]) => isLong(value) ? [tag("h5", {}, name), output(value)] : null),
    truncated.map(({ field, omitted_chars: count }) =>
      tag("p", { class: "dim" }, say("report.cut", { field, count: figure(count) }))
    ),
    note === undefined ? null : tag("p", { class: "dim" }, note),
  ];
}

function taskPart(task: TracedTask, { id, runPart }: CallPlace, parts: PageParts): Html {
  const { agent, intent, status, error, latencyMs, runs } = task;
  const time = latencyMs === null ? "" : ` · ${spanText(latencyMs)}`;
  const state = status === "success" ? "state good" : "state bad";
  return tag(
    "div",
    { class: "delegated" },
    tag(
      "p",
      {},
      tag("b", {}, agent),
      ` / ${intent} · `,
      tag("span", { class: state }, status),
      tag("span", { class: "dim" }, time),
      error === null ? null : ` · ${error.message}`,
    ),
    runs.map((run, at) => runPart(run, `${id}r${at}`, parts)),
  );
}

function stateOf({ observation }: TracedCall): string {
  if (observation === null) return "open";
  return observation.status === "success" ? "done" : "failed";
}

function summaryPart(call: TracedCall, parts: PageParts): Html {
  const { say } = parts;
  const { tool, brief, ms } = call;
  const facts = [decisionText(call, say), ms === null ? "" : spanText(ms)];
  const outcome = shortText(outcomeText(call, say), parts);
  return tag(
    "summary",
    {},
    tag("b", {}, tool),
    " ",
    tag("code", {}, shortText(brief, parts)),
    tag(
      "span",
      { class: "line" },
      tag("span", { class: stateOf(call) === "failed" ? "state bad" : null }, outcome),
      tag(
        "span",
        { class: "dim" },
        facts.filter((text) => text !== "").map((text) => ` · ${text}`),
      ),
    ),
  );
}

/** A call, folded. */
export function callPart(call: TracedCall, { id, runPart }: CallPlace, parts: PageParts): Html {
  const { say } = parts;
  const { arguments: given, tasks } = call;
  return tag(
    "details",
    { class: `call ${stateOf(call)}`, id },
    summaryPart(call, parts),
    tag("h4", {}, say("report.arguments")),
    longText({ name: "pre", kind: "said", text: jsonText(given) }, parts),
    decisionTable(call, parts),
    tag("h4", {}, say("report.output")),
    outputPart(call, parts),
    tasks.map((task, at) => taskPart(task, { id: `${id}t${at}`, runPart }, parts)),
  );
}
