/**
 * Traced runs as one page, which needs no network and works from a disk: what was asked, when what
 * happened, every call with its decision and its output, the plots, the facts, the answer.
 *
 * @module
 */

import { createHash } from "node:crypto";
import type { Say } from "../../messages/messages.ts";
import { clip } from "../../results/characters.ts";
import { VERSION } from "../../version.ts";
import { compositionOf } from "../composition.ts";
import { compositionBars } from "../plots/composition_bars.ts";
import { delegationGraph } from "../plots/delegation_graph.ts";
import { timeline } from "../plots/timeline.ts";
import { tokenCurve } from "../plots/token_curve.ts";
import type { TracedRun } from "../traced_run.ts";
import { endFacts, faultText } from "../wording.ts";
import { Html, type HtmlPart, joined, tag } from "./html.ts";
import script from "./page.js" with { type: "text" };
import style from "./page.css" with { type: "text" };
import { longText, type PageParts, shortText } from "./parts.ts";
import { withinBounds } from "./page_texts.ts";
import { stepPart } from "./steps.ts";

/** What a page tells of. */
export interface Traced {
  readonly session: string;
  /** In their order. */
  readonly runs: readonly TracedRun[];
}

/** In which words a page is written. */
export interface PageManner {
  readonly say: Say;
  /** A time of the wall, of milliseconds since the epoch. */
  readonly timeText: (ms: number) => string;
}

/** Characters of a task that stand in a heading. */
const HEADING_CHARS = 300;

/** Characters of a page's title. */
const TITLE_CHARS = 80;

function sourceOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** Nothing is fetched, and nothing runs but our own script, whatever the page holds. */
function contentPolicy(): string {
  return [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    `script-src ${sourceOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** What holds of a whole run, in a few words each. */
function headPart(run: TracedRun, { say, timeText }: PageParts): Html {
  const [state = "", ...facts] = endFacts(run, say);
  const good = run.result === null ? "" : run.result.status === "success" ? "good" : "bad";
  const texts = [run.model, timeText(run.startedMs), ...facts, say("trace.run", { id: run.runId })];
  return tag(
    "ul",
    { class: "facts" },
    tag("li", { class: `state ${good}` }, state),
    texts.filter((text) => text !== "").map((text) => tag("li", {}, text)),
  );
}

function answerPart({ result }: TracedRun, parts: PageParts): HtmlPart {
  if (result === null) return null;
  const { answer, error, ending } = result;
  const faults = [ending?.why ?? "", error === null ? "" : faultText(error.message, error.hint)]
    .filter((text) => text.trim() !== "");
  const said = answer?.trim() ?? "";
  if (faults.length === 0 && said === "") return null;
  const shown = said === ""
    ? null
    : longText({ name: "div", kind: "said", text: said, style: "answer" }, parts);
  return block(
    parts.say("report.answer"),
    joined(faults.map((text) => tag("p", { class: "state bad" }, text)), shown),
  );
}

/** A part of a run under its heading; nothing where there is nothing. */
function block(title: string, content: Html | null, aside: HtmlPart = null): HtmlPart {
  if (content === null) return null;
  return [tag("h2", {}, title, aside), tag("div", { class: "card" }, content)];
}

/** The plots of a run; they have no long texts, and are drawn once. */
interface Plots {
  readonly timeline: Html | null;
  readonly delegation: Html | null;
  readonly curve: Html | null;
  readonly composition: Html | null;
}

function plotsOf(run: TracedRun, id: string, say: Say): Plots {
  const wide = (drawn: Html | null) => drawn === null ? null : tag("div", { class: "wide" }, drawn);
  const curve = wide(tokenCurve(run, say));
  const compacted = run.steps.some(({ compactions }) => compactions.length > 0);
  const note = tag("p", { class: "dim" }, say("report.compacted"));
  return {
    timeline: wide(timeline(run, id, say)),
    delegation: wide(delegationGraph(run, id, say)),
    curve: curve === null || !compacted ? curve : joined(curve, note),
    composition: wide(compositionBars(compositionOf(run), say)),
  };
}

/** The facts of a run; each leads to the call that showed it. */
function factsPart({ facts, steps }: TracedRun, id: string, parts: PageParts): HtmlPart {
  if (facts.length === 0) return null;
  const { say } = parts;
  const targets = new Map(
    steps.flatMap(({ calls }, at) => calls.map((call, of) => [call.id, `${id}s${at}c${of}`])),
  );
  const rows = facts.map(({ text, call, step }) => {
    const name = step === 0 ? "" : say("trace.step", { step });
    const target = call === null ? undefined : targets.get(call);
    const source = target === undefined ? name : tag("a", { href: `#${target}` }, name || call);
    return tag(
      "tr",
      {},
      tag("td", {}, shortText(text, parts)),
      tag("td", { class: "source" }, source),
    );
  });
  return block(say("report.facts"), tag("table", {}, tag("tbody", {}, rows)));
}

function taskPart({ task }: TracedRun, parts: PageParts): HtmlPart {
  const heading = tag("h1", {}, clip(task.trim(), HEADING_CHARS));
  if (task.trim().length <= HEADING_CHARS) return heading;
  const whole = longText({ name: "pre", kind: "said", text: task }, parts);
  return [heading, tag("details", {}, tag("summary", {}, parts.say("report.task")), whole)];
}

function runPart(run: TracedRun, id: string, plots: Plots, parts: PageParts): Html {
  const { say } = parts;
  const steps = run.steps.map((step, at) => stepPart(step, `${id}s${at}`, parts));
  const keys = tag("span", { class: "keys" }, say("report.keys"));
  return tag(
    "article",
    { id },
    taskPart(run, parts),
    headPart(run, parts),
    answerPart(run, parts),
    block(say("report.timeline"), plots.timeline),
    block(say("report.delegation"), plots.delegation),
    block(say("report.steps"), steps.length === 0 ? null : joined(steps), keys),
    block(say("report.curve"), plots.curve),
    block(say("report.composition"), plots.composition),
    factsPart(run, id, parts),
  );
}

/** Makes the page of runs; its size is bounded whatever they brought. */
export function pageOf({ session, runs }: Traced, { say, timeText }: PageManner): string {
  const title = clip(runs.at(-1)?.task.trim() || "rein", TITLE_CHARS);
  const head = tag(
    "head",
    {},
    tag("meta", { charset: "utf-8" }),
    tag("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    tag("meta", { "http-equiv": "Content-Security-Policy", content: contentPolicy() }),
    tag("meta", { name: "generator", content: `rein ${VERSION}` }),
    tag("title", {}, title),
    tag("style", {}, new Html(style)),
  );
  const drawn = runs.map((run, at) => ({ run, id: `r${at}`, plots: plotsOf(run, `r${at}`, say) }));
  const articles = withinBounds((texts) => {
    const parts = { say, timeText, session, texts };
    return joined(drawn.map(({ run, id, plots }) => runPart(run, id, plots, parts)));
  });
  const body = tag(
    "body",
    {},
    tag("header", {}, tag("b", {}, "rein trace"), ` · ${say("report.session", { id: session })}`),
    tag("main", {}, articles),
    tag("script", {}, new Html(script)),
  );
  return `<!DOCTYPE html>\n${tag("html", { lang: say.language }, head, body).text}\n`;
}
