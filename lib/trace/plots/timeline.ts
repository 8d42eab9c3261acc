/**
 * When the model was asked and calls ran, on one line of time.
 *
 * @module
 */

import { clip } from "../../results/characters.ts";
import type { Say } from "../../messages/messages.ts";
import { type Html, tag } from "../page/html.ts";
import type { TracedCall, TracedRun, TracedStep } from "../traced_run.ts";
import { spanText, stepName } from "../wording.ts";
import { AXIS, drawing, label, LANE, nameIn, rounded, timeTicksOf, WIDTH } from "./drawing.ts";

/** Something that took time. */
interface Bar {
  readonly lane: string;
  readonly kind: "model" | "call" | "failed" | "task";
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The element of the page that tells more. */
  readonly target: string;
}

/** Where the lanes of bars begin and end. */
const [LEFT, RIGHT] = [160, WIDTH - 30];

/** Characters of a title that a pointer brings up. */
const TITLE_CHARS = 200;

/** The least width of a bar that can be hit. */
const LEAST_WIDTH = 3;

function modelBars(step: TracedStep, target: string, say: Say): Bar[] {
  const { startedMs: fromMs, answeredMs: toMs } = step;
  if (toMs === null) return [];
  const title = stepName(step, say);
  return [{ lane: say("report.model"), kind: "model", title, fromMs, toMs, target }];
}

function callBars(call: TracedCall, target: string): Bar[] {
  const { tool, brief, observation, startedMs, ms, tasks } = call;
  const toMs = startedMs + (ms ?? 0);
  const bar: Bar = {
    lane: tool,
    kind: observation?.status === "success" ? "call" : "failed",
    title: `${tool} ${brief}`,
    fromMs: startedMs,
    toMs,
    target,
  };
  const given = tasks.map(({ agent, intent, status, latencyMs }): Bar => ({
    lane: agent,
    kind: status === "success" ? "task" : "failed",
    title: `${agent} / ${intent}: ${status}`,
    fromMs: Math.max(startedMs, toMs - (latencyMs ?? 0)),
    toMs,
    target,
  }));
  return [bar, ...given];
}

function barsOf(run: TracedRun, id: string, say: Say): Bar[] {
  return run.steps.flatMap((step, at) => [
    ...modelBars(step, `${id}s${at}`, say),
    ...step.calls.flatMap((call, position) => callBars(call, `${id}s${at}c${position}`)),
  ]);
}

function barPart(bar: Bar, row: number, x: (ms: number) => number): Html {
  const from = x(bar.fromMs);
  const title = `${clip(bar.title, TITLE_CHARS)} · ${spanText(bar.toMs - bar.fromMs)}`;
  const rect = tag("rect", {
    class: bar.kind,
    x: from,
    y: row * LANE + 5,
    width: rounded(Math.max(LEAST_WIDTH, x(bar.toMs) - from)),
    height: LANE - 10,
    rx: 2,
  }, tag("title", {}, title));
  // The keyboard has the calls themselves.
  return tag("a", { href: `#${bar.target}`, tabindex: -1 }, rect);
}

/**
 * Draws it.
 *
 * @param id Of the run's element: bars lead to the steps and calls below it.
 */
export function timeline(run: TracedRun, id: string, say: Say): Html | null {
  const bars = barsOf(run, id, say);
  if (bars.length === 0) return null;
  const lanes = new Map([...new Set(bars.map(({ lane }) => lane))].map((lane, row) => [lane, row]));
  const lastMs = bars.reduce((last, { toMs }) => Math.max(last, toMs), run.lastMs);
  const most = Math.max(1, lastMs - run.startedMs);
  const x = (ms: number) => rounded(LEFT + (RIGHT - LEFT) * (ms - run.startedMs) / most);
  const bottom = lanes.size * LANE;
  const ticks = timeTicksOf(most).map((ms) => {
    const at = x(run.startedMs + ms);
    const line = tag("line", { class: "grid", x1: at, x2: at, y1: 0, y2: bottom });
    return [
      line,
      label(spanText(ms).replace(".0 s", " s"), { x: at, y: bottom + AXIS - 6, style: "tick" }),
    ];
  });
  const names = [...lanes].map(([lane, row]) =>
    nameIn(lane, { x: 0, y: row * LANE, width: LEFT - 12, height: LANE })
  );
  const drawn = bars.map((bar) => barPart(bar, lanes.get(bar.lane) ?? 0, x));
  return drawing(bottom + AXIS, say("report.timeline"), ticks, names, drawn);
}
