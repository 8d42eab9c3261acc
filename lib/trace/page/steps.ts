/**
 * Steps on a page: what the model said and thought, what it called.
 *
 * @module
 */

import type { TracedCompaction, TracedRun, TracedStep } from "../traced_run.ts";
import { compactionText, endFacts, stepFacts, stepName } from "../wording.ts";
import { callPart } from "./calls.ts";
import { type Html, type HtmlPart, tag } from "./html.ts";
import { longText, type PageParts, shortText } from "./parts.ts";

function sentences(title: string, texts: readonly string[], parts: PageParts): HtmlPart {
  if (texts.length === 0) return null;
  return [
    tag("h4", {}, title),
    tag("ul", {}, texts.map((text) => tag("li", {}, shortText(text, parts)))),
  ];
}

/** Room that was made, and what was kept of what left. */
function compactionPart(compaction: TracedCompaction, parts: PageParts): Html {
  const { say } = parts;
  const { digest } = compaction;
  const text = compactionText(compaction, say);
  if (digest === null) return tag("p", { class: "compacted" }, text);
  const facts = digest.facts.map((fact) => fact.text);
  return tag(
    "details",
    { class: "compacted" },
    tag("summary", {}, text),
    sentences(say("report.facts"), facts, parts),
    sentences(say("report.decisions"), digest.decisions, parts),
    sentences(say("report.open"), digest.open, parts),
  );
}

function thoughtsPart({ reasoning }: TracedStep, parts: PageParts): HtmlPart {
  if (reasoning === null || reasoning.trim() === "") return null;
  return tag(
    "details",
    { class: "thoughts" },
    tag("summary", { class: "dim" }, parts.say("report.reasoning")),
    longText({ name: "pre", kind: "said", text: reasoning }, parts),
  );
}

/** A run of another agent, folded, below the task that led to it. */
function delegatedRun(run: TracedRun, id: string, parts: PageParts): Html {
  const { say } = parts;
  const facts = [say("trace.run", { id: run.runId }), run.model, ...endFacts(run, say)];
  const answer = run.result?.answer?.trim() ?? "";
  return tag(
    "details",
    { class: "run", id },
    tag("summary", { class: "dim" }, facts.join(" · ")),
    tag("p", {}, shortText(run.task, parts)),
    run.steps.map((step, at) => stepPart(step, `${id}s${at}`, parts)),
    answer === ""
      ? null
      : longText({ name: "div", kind: "said", text: answer, style: "answer" }, parts),
  );
}

/**
 * A step with its calls.
 *
 * @param id The id of its element; those of its calls begin with it.
 */
export function stepPart(step: TracedStep, id: string, parts: PageParts): Html {
  const { say } = parts;
  const said = step.content.trim();
  return tag(
    "section",
    { class: "step", id },
    tag(
      "h3",
      {},
      stepName(step, say),
      tag("span", { class: "dim" }, stepFacts(step, say).map((text) => ` · ${text}`)),
    ),
    step.compactions.map((compaction) => compactionPart(compaction, parts)),
    thoughtsPart(step, parts),
    said === ""
      ? null
      : longText({ name: "div", kind: "said", text: said, style: "thought" }, parts),
    step.calls.map((call, at) =>
      callPart(call, { id: `${id}c${at}`, runPart: delegatedRun }, parts)
    ),
  );
}
