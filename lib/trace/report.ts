/**
 * Traced runs as one page, which needs no network and works from a disk: what was asked, when what
 * happened, every call with its decision and its output, the plots, the facts, the answer.
 *
 * @module
 */

import { decisiveRules } from "../calls/denial.ts";
import type { Say } from "../messages/messages.ts";
import { VERSION } from "../version.ts";
import { compositionOf } from "./composition.ts";
import { Html, html, type HtmlPart } from "./html.ts";
import { compositionBars, delegationGraph, timeline, tokenCurve } from "./plots.ts";
import script from "./report.js" with { type: "text" };
import style from "./report.css" with { type: "text" };
import type { TracedCall, TracedRun, TracedStep, TracedTask } from "./traced_run.ts";

/** Nothing is fetched, whatever the page holds. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/** What the pieces of a page are written with. */
interface PageParts {
  readonly say: Say;
  /** A time of the wall. */
  readonly timeText: (ms: number) => string;
}

function secondsText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function partName(name: string, say: Say): string {
  switch (name) {
    case "instructions":
    case "task":
    case "model":
      return say(`trace.part.${name}`);
    default:
      return name.replace(/^tool /, "");
  }
}

function jsonText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Every rule that took part in a decision. */
function decisionTable({ evaluation, approval }: TracedCall, { say }: PageParts): HtmlPart {
  if (evaluation === null) return null;
  const rows = evaluation.parts.flatMap(({ text, matches }) =>
    matches.map(({ rule, decision, reason }) =>
      html`
        <tr>
          <td><code>${text}</code></td>
          <td>${decision}</td>
          <td>${rule}</td>
          <td>${reason}</td>
        </tr>
      `
    )
  );
  const head = html`
    <tr>
      <th>${say("report.part")}</th>
      <th>${say("report.decision")}</th>
      <th>${say("report.rule")}</th>
      <th>${say("report.reason")}</th>
    </tr>
  `;
  const asked = approval === null ? null : html`
    <p>${say(approval.granted ? "trace.approved" : "trace.not_approved", {
      by: say(`trace.by.${approval.by}`),
    })}${"reason" in approval && approval.reason ? `: ${approval.reason}` : ""}</p>
  `;
  return html`
    <table>
      <thead>${head}</thead>
      <tbody>${rows}</tbody>
    </table>${asked}
  `;
}

/** The texts of an output as they are, and the rest as JSON. */
function outputParts({ observation }: TracedCall, { say }: PageParts): HtmlPart {
  if (observation === null) {
    return html`
      <p class="dim">${say("trace.unfinished")}</p>
    `;
  }
  const { data, error, truncated, note } = observation;
  const fields = Object.entries(data ?? {});
  const long = fields.filter(([, value]) => typeof value === "string" && value.includes("\n"));
  const short = Object.fromEntries(fields.filter((field) => !long.includes(field)));
  return [
    error === null ? null : html`
      <p class="state bad">${error.code}: ${error.message} ${error.hint}</p>
    `,
    Object.keys(short).length === 0 ? null : html`
      <pre>${jsonText(short)}</pre>
    `,
    long.map(([name, value]) =>
      html`
        <h3>${name}</h3><pre>${value as string}</pre>
      `
    ),
    truncated.map(({ field, omitted_chars: count }) =>
      html`
        <p class="dim">${say("report.cut", { field, count })}</p>
      `
    ),
    note === undefined ? null : html`
      <p class="dim">${note}</p>
    `,
  ];
}

function taskPart(task: TracedTask, parts: PageParts): Html {
  const time = task.latencyMs === null ? "" : ` · ${secondsText(task.latencyMs)}`;
  const state = task.status === "success" ? "good" : "bad";
  const runs = task.runs.map((run, index) => runBody(run, `${task.taskId}-${index}`, parts));
  return html`
    <div class="nested">
      <p>
        <b>${task.agent}</b>/${task.intent} <span class="state ${state}">${task.status}</span><span
          class="dim"
        >${time}</span>${task.error === null ? "" : ` ${task.error}`}
      </p>${runs}
    </div>
  `;
}

function callPart(call: TracedCall, id: string, parts: PageParts): Html {
  const { say } = parts;
  const { tool, brief, evaluation, observation, ms, tasks } = call;
  const rules = evaluation === null
    ? ""
    : ` · ${evaluation.decision} (${
      [...new Set(decisiveRules(evaluation).map(({ rule }) => rule))].join(", ")
    })`;
  const outcome = observation === null ? say("trace.unfinished") : observation.summary;
  const failed = observation?.status === "success" ? "" : " failed";
  const time = ms === null ? "" : ` · ${secondsText(ms)}`;
  return html`
    <details class="call${failed}" id="${id}">
      <summary>
        <b>${tool}</b> <code>${brief}</code>
        <span class="dim">${rules} · ${outcome}${time}</span>
      </summary>
      <h3>${say("report.arguments")}</h3>
      <pre>${jsonText(call.arguments)}</pre>
      <h3>${say("report.evaluation")}</h3>${decisionTable(call, parts)}
      <h3>${say("report.output")}</h3>${outputParts(call, parts)} ${tasks.map((task) =>
        taskPart(task, parts)
      )}
    </details>
  `;
}

function stepPart(
  step: TracedStep,
  id: string,
  parts: PageParts,
): Html {
  const { say } = parts;
  const { usage, answeredMs, startedMs, reasoning, content, compactions, calls } = step;
  const name = step.closing ? say("trace.closing") : say("trace.step", { step: step.step });
  const facts = [
    answeredMs === null ? "" : secondsText(answeredMs - startedMs),
    usage === null ? "" : say("trace.tokens", { in: usage.input_tokens, out: usage.output_tokens }),
    step.retries === 0 ? "" : say("trace.retries", { count: step.retries }),
    ...compactions.map(({ tokensBefore: before, tokensAfter: after }) =>
      say("trace.compacted", { before, after })
    ),
  ].filter((text) => text !== "").join(" · ");
  const thoughts = reasoning === null || reasoning === "" ? null : html`
    <details>
      <summary class="dim">${say("report.reasoning")}</summary>
      <pre>${reasoning}</pre>
    </details>
  `;
  const said = content.trim() === "" ? null : html`
    <p class="thought">${content.trim()}</p>
  `;
  return html`
    <section class="step" id="${id}">
      <h3>${name} <span class="dim">${facts}</span></h3>
      ${thoughts}${said}${calls.map((call, index) => callPart(call, `${id}c${index}`, parts))}
    </section>
  `;
}

/** What holds of a whole run, in a few words each. */
function headFacts(run: TracedRun, { say, timeText }: PageParts): Html {
  const { result, steps } = run;
  const calls = steps.reduce((sum, step) => sum + step.calls.length, 0);
  const made = steps.filter(({ closing, step }) => !closing && step > 0).length;
  const state = result === null ? say("trace.unfinished") : result.stop_reason ?? result.status;
  const good = result?.status === "success" ? "good" : "bad";
  const tokens = result === null
    ? ""
    : say("trace.tokens", { in: result.usage.input_tokens, out: result.usage.output_tokens });
  const time = secondsText(result?.elapsed_ms ?? run.lastMs - run.startedMs);
  const texts = [
    run.model,
    timeText(run.startedMs),
    time,
    say("trace.steps", { count: made }),
    say("trace.calls", { count: calls }),
    tokens,
    say("trace.run", { id: run.runId }),
  ].filter((text) => text !== "");
  return html`
    <ul class="facts"><li><span class="state ${good}">${state}</span></li>${texts.map((text) =>
      html`
        <li>${text}</li>
      `
    )}</ul>
  `;
}

function answerPart({ result }: TracedRun, { say }: PageParts): HtmlPart {
  if (result === null) return null;
  const { answer, error, ending } = result;
  const why = ending === null ? null : html`
    <p class="state bad">${ending.why}</p>
  `;
  const failed = error === null ? null : html`
    <p class="state bad">${error.message} ${error.hint}</p>
  `;
  const said = answer === null ? null : html`
    <div class="answer">${answer.trim()}</div>
  `;
  if (why === null && failed === null && said === null) return null;
  return html`
    <h2>${say("report.answer")}</h2><div class="card">${why}${failed}${said}</div>
  `;
}

/** The steps of a run, one below the other. */
function runBody(run: TracedRun, prefix: string, parts: PageParts): Html {
  return html`
    ${headFacts(run, parts)}${run.steps.map((step, index) =>
      stepPart(step, `${prefix}s${index}`, { ...parts, answer })
    )}
  `;
}

function plot(title: string, drawn: Html | null): HtmlPart {
  if (drawn === null) return null;
  return html`
    <h2>${title}</h2><div class="card"><div class="wide">${drawn}</div></div>
  `;
}

function runPart(run: TracedRun, index: number, parts: PageParts): Html {
  const { say } = parts;
  const composition = compositionOf(run);
  const facts = run.facts.map(({ text, call, step }) =>
    html`
      <tr>
        <td>${text}</td>
        <td class="dim">${call ?? say("trace.step", { step })}</td>
      </tr>
    `
  );
  return html`
    <article id="r${index}">
      <h1>${run.task}</h1>${headFacts(run, parts)} ${answerPart(run, parts)} ${plot(
        say("report.timeline"),
        timeline(run, index, say),
      )} ${plot(say("report.delegation"), delegationGraph(run, say))}
      <h2>${say("report.steps")}</h2>
      <div class="card">${run.steps.map((step, at) =>
        stepPart(step, `r${index}s${at}`, { ...parts, answer })
      )}</div>
      ${plot(say("report.curve"), tokenCurve(run, say))} ${plot(
        say("report.composition"),
        composition.length === 0
          ? null
          : compositionBars(composition, (name) => partName(name, say), say),
      )} ${facts.length === 0 ? null : html`
        <h2>${say(
          "report.facts",
        )}</h2><div class="card"><table><tbody>${facts}</tbody></table></div>
      `}
    </article>
  `;
}

/**
 * Makes the page of runs.
 *
 * @param runs Of one session, in their order.
 * @param timeText A time of the wall, of milliseconds since the epoch.
 */
export function reportOf(
  runs: readonly TracedRun[],
  say: Say,
  timeText: (ms: number) => string,
): string {
  const parts = { say, timeText };
  const title = runs.at(-1)?.task ?? "rein";
  return html`
    <!DOCTYPE html>
    <html lang="${say.language}">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">
        <meta name="generator" content="rein ${VERSION}">
        <title>${title}</title>
        <style>
        ${new Html(style)}
        </style>
      </head>
      <body>
        ${runs.map((run, index) => runPart(run, index, parts))}
        <div class="keys">${say("report.keys")}</div>
        <script>
        ${new Html(script)}
        </script>
      </body>
    </html>
  `.text;
}
