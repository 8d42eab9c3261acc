/**
 * The plots of a page, as SVG: when what happened, how the requests grew, what took the room, who
 * gave tasks to whom.
 *
 * @module
 */

import type { Say } from "../messages/messages.ts";
import type { ContextPart } from "./composition.ts";
import { Html, html, type HtmlPart } from "./html.ts";
import type { TracedRun } from "./traced_run.ts";

/** Widths and heights, in units of the drawing; a page scales it to its width. */
const WIDTH = 960;
const LANE = 26;
const CURVE_HEIGHT = 180;
const AXIS = 24;
const NODE = { width: 220, height: 40, gapX: 60, gapY: 18 };

/** Something that took time. */
interface Bar {
  readonly lane: string;
  readonly kind: "model" | "call" | "failed" | "task";
  readonly title: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The element of the page that tells more; null: none. */
  readonly target: string | null;
}

function barsOf(run: TracedRun, index: number): Bar[] {
  return run.steps.flatMap((step, at) => {
    const target = `r${index}s${at}`;
    const model = step.answeredMs === null ? [] : [{
      lane: "model",
      kind: "model" as const,
      title: `${step.step}`,
      fromMs: step.startedMs,
      toMs: step.answeredMs,
      target,
    }];
    const calls = step.calls.map((call, position): Bar => ({
      lane: call.tool,
      kind: call.observation?.status === "success" ? "call" : "failed",
      title: `${call.tool} ${call.brief}`,
      fromMs: call.startedMs,
      toMs: call.startedMs + (call.ms ?? 0),
      target: `${target}c${position}`,
    }));
    const tasks = step.calls.flatMap((call) =>
      call.tasks.map((task): Bar => ({
        lane: task.agent,
        kind: "task",
        title: `${task.agent}/${task.intent}: ${task.status}`,
        fromMs: Math.max(call.startedMs, call.startedMs + (call.ms ?? 0) - (task.latencyMs ?? 0)),
        toMs: call.startedMs + (call.ms ?? 0),
        target: null,
      }))
    );
    return [...model, ...calls, ...tasks];
  });
}

/** A number in few digits. */
function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function secondsText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${rounded(ms / 1000)} s`;
}

/** Marks of an axis: about five, at round numbers. */
export function ticksOf(most: number): readonly number[] {
  if (most <= 0) return [0];
  const raw = most / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? raw;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => rounded(index * step));
}

function drawing(height: number, label: string, content: HtmlPart): Html {
  return html`
    <svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">
      <title>${label}</title>${content}
    </svg>
  `;
}

/** When the model was asked and calls ran, on one line of time. */
export function timeline(run: TracedRun, index: number, say: Say): Html {
  const bars = barsOf(run, index);
  const lanes = [...new Set(bars.map(({ lane }) => lane))];
  const fromMs = run.startedMs;
  const most = Math.max(1, run.lastMs - fromMs, ...bars.map(({ toMs }) => toMs - fromMs));
  const [left, right] = [170, WIDTH - 16];
  const x = (ms: number) => rounded(left + (right - left) * ms / most);
  const height = lanes.length * LANE + AXIS;
  const ticks = ticksOf(most).map((ms) =>
    html`
      <line class="grid" x1="${x(ms)}" x2="${x(ms)}" y1="0" y2="${height - AXIS}" />
      <text class="tick" x="${x(ms)}" y="${height - 6}">${secondsText(ms)}</text>
    `
  );
  const names = lanes.map((lane, row) =>
    html`
      <text class="lane" x="${left - 10}" y="${row * LANE + LANE * 0.68}">${lane === "model"
        ? say("report.model")
        : clip(lane, 22)}</text>
    `
  );
  const drawn = bars.map((bar) => {
    const row = lanes.indexOf(bar.lane);
    const width = Math.max(2, x(bar.toMs - fromMs) - x(bar.fromMs - fromMs));
    const rect = html`
      <rect
        class="${bar.kind}"
        x="${x(bar.fromMs - fromMs)}"
        y="${row * LANE + 5}"
        width="${rounded(width)}"
        height="${LANE - 10}"
        rx="2"
      >
        <title>${bar.title} · ${secondsText(bar.toMs - bar.fromMs)}</title>
      </rect>
    `;
    return bar.target === null ? rect : html`
      <a href="#${bar.target}" tabindex="-1">${rect}</a>
    `;
  });
  return drawing(height, say("report.timeline"), [ticks, names, drawn]);
}

function clip(text: string, chars: number): string {
  const all = Array.from(text);
  return all.length <= chars ? text : `${all.slice(0, chars - 1).join("")}…`;
}

/** Tokens of each request, in and out; null where there is none. */
export function tokenCurve({ steps }: TracedRun, say: Say): Html | null {
  const counted = steps.flatMap(({ step, usage, compactions }) =>
    usage === null ? [] : [{ step, usage, compacted: compactions.length > 0 }]
  );
  if (counted.length === 0) return null;
  const most = Math.max(1, ...counted.map(({ usage }) => usage.input_tokens + usage.output_tokens));
  const [left, right, bottom] = [70, WIDTH - 20, CURVE_HEIGHT - AXIS];
  const x = (at: number) =>
    rounded(
      counted.length === 1 ? (left + right) / 2 : left + (right - left) * at / (counted.length - 1),
    );
  const y = (tokens: number) => rounded(bottom - (bottom - 12) * tokens / most);
  const points = counted.map(({ usage }, at) => `${x(at)},${y(usage.input_tokens)}`).join(" ");
  const grid = ticksOf(most).map((tokens) =>
    html`
      <line class="grid" x1="${left}" x2="${right}" y1="${y(tokens)}" y2="${y(tokens)}" />
      <text class="tick end" x="${left - 8}" y="${y(tokens) + 4}">${tokens.toLocaleString(
        "en",
      )}</text>
    `
  );
  const dots = counted.map(({ step, usage, compacted }, at) =>
    html`
      <circle class="${compacted ? "dot compacted" : "dot"}" cx="${x(at)}" cy="${y(
        usage.input_tokens,
      )}" r="4">
        <title>${say("trace.step", { step })}: ${say("trace.tokens", {
          in: usage.input_tokens,
          out: usage.output_tokens,
        })}</title>
      </circle>
      <text class="tick" x="${x(at)}" y="${CURVE_HEIGHT - 6}">${counted.length > 40
        ? ""
        : step}</text>
    `
  );
  const area = `${x(0)},${bottom} ${points} ${x(counted.length - 1)},${bottom}`;
  return drawing(CURVE_HEIGHT, say("report.curve"), [
    grid,
    html`
      <polygon class="area" points="${area}" /><polyline class="curve" points="${points}" />
    `,
    dots,
  ]);
}

/** What took the room, as bars; the numbers stand beside them. */
export function compositionBars(
  parts: readonly ContextPart[],
  nameOf: (name: string) => string,
  say: Say,
): Html {
  const all = parts.reduce((sum, { sent }) => sum + sent, 0);
  const most = Math.max(1, ...parts.map(({ sent }) => sent));
  const [left, right] = [210, WIDTH - 190];
  const rows = parts.map(({ name, sent }, row) => {
    const width = rounded((right - left) * sent / most);
    const middle = row * LANE + LANE * 0.68;
    const share = `${Math.round(100 * sent / Math.max(1, all))} %`;
    return html`
      <text class="lane" x="${left - 10}" y="${middle}">${clip(nameOf(name), 26)}</text>
      <rect
        class="part"
        x="${left}"
        y="${row * LANE + 5}"
        width="${Math.max(1, width)}"
        height="${LANE - 10}"
        rx="2"
      /><text class="tick start" x="${left + Math.max(1, width) + 8}" y="${middle}">${sent
        .toLocaleString("en")} · ${share}</text>
    `;
  });
  return drawing(Math.max(1, parts.length) * LANE + 4, say("report.composition"), rows);
}

/** Who gave a task, and who got it. */
interface Node {
  readonly title: string;
  readonly note: string;
  readonly failed: boolean;
  readonly below: readonly Node[];
}

function tasksBelow(run: TracedRun): readonly Node[] {
  return run.steps.flatMap(({ calls }) =>
    calls.flatMap(({ tasks }) =>
      tasks.map(({ agent, intent, status, runs }) => ({
        title: agent,
        note: `${intent} · ${status}`,
        failed: status !== "success",
        below: runs.flatMap(tasksBelow),
      }))
    )
  );
}

/** A node with its place; those below it stand to its right. */
function* placed(node: Node, depth: number, fromRow: number): Generator<{
  readonly node: Node;
  readonly x: number;
  readonly y: number;
  readonly rows: number;
  readonly parent: boolean;
}> {
  const rows = rowsOf(node);
  const y = (fromRow + (rows - 1) / 2) * (NODE.height + NODE.gapY);
  yield { node, x: depth * (NODE.width + NODE.gapX), y, rows, parent: depth > 0 };
  let row = fromRow;
  for (const below of node.below) {
    yield* placed(below, depth + 1, row);
    row += rowsOf(below);
  }
}

function rowsOf({ below }: Node): number {
  return Math.max(1, below.reduce((sum, node) => sum + rowsOf(node), 0));
}

function depthOf({ below }: Node): number {
  return 1 + Math.max(0, ...below.map(depthOf));
}

/** Delegation as a graph; null where nothing was given away. */
export function delegationGraph(run: TracedRun, say: Say): Html | null {
  const below = tasksBelow(run);
  if (below.length === 0) return null;
  const root: Node = { title: "rein", note: run.runId, failed: false, below };
  const width = depthOf(root) * (NODE.width + NODE.gapX) - NODE.gapX + 4;
  const height = rowsOf(root) * (NODE.height + NODE.gapY);
  const nodes = [...placed(root, 0, 0)];
  const place = new Map(nodes.map((each) => [each.node, each]));
  const edges = nodes.flatMap((from) =>
    from.node.below.map((node) => {
      const to = place.get(node);
      if (to === undefined) return null;
      const [x1, y1] = [from.x + NODE.width + 2, from.y + NODE.height / 2 + 2];
      const [x2, y2] = [to.x + 2, to.y + NODE.height / 2 + 2];
      const middle = (x1 + x2) / 2;
      return html`
        <path
          class="edge"
          d="M${x1},${y1} C${middle},${y1} ${middle},${y2} ${x2},${y2}"
        />
      `;
    })
  );
  const boxes = nodes.map(({ node, x, y }) =>
    html`
      <g class="${node.failed ? "node failed" : "node"}">
        <rect x="${x + 2}" y="${y + 2}" width="${NODE.width}" height="${NODE.height}" rx="6" />
        <text x="${x + 12}" y="${y + 19}">${clip(node.title, 26)}</text>
        <text class="note" x="${x + 12}" y="${y + 35}">${clip(node.note, 32)}</text>
      </g>
    `
  );
  const label = say("report.delegation");
  return html`
    <svg
      viewBox="0 0 ${width} ${height}"
      style="max-width:${width}px"
      role="img"
      aria-label="${label}"
    >
      <title>${label}</title>${edges}${boxes}
    </svg>
  `;
}
