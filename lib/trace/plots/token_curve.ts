/**
 * How the requests of a run grew.
 *
 * @module
 */

import type { Say } from "../../messages/messages.ts";
import { type Html, tag } from "../page/html.ts";
import type { TracedRun } from "../traced_run.ts";
import { figure, stepName, tokensText } from "../wording.ts";
import { AXIS, drawing, label, rounded, ticksOf, WIDTH } from "./drawing.ts";

const HEIGHT = 180;
const [LEFT, RIGHT, TOP, BOTTOM] = [70, WIDTH - 30, 12, HEIGHT - AXIS];

/** Names of steps that fit below the curve. */
const NAMED_STEPS = 30;

/** Points that are told apart by dots of the usual size. */
const LARGE_DOTS = 100;

/** Draws the input tokens of each request; null where there is none. */
export function tokenCurve({ steps }: TracedRun, say: Say): Html | null {
  const counted = steps.flatMap((step) => step.usage === null ? [] : [{ step, usage: step.usage }]);
  if (counted.length === 0) return null;
  const most = counted.reduce((sum, { usage }) => Math.max(sum, usage.input_tokens), 1);
  const last = counted.length - 1;
  const x = (at: number) =>
    rounded(last === 0 ? (LEFT + RIGHT) / 2 : LEFT + (RIGHT - LEFT) * at / last);
  const y = (tokens: number) => rounded(BOTTOM - (BOTTOM - TOP) * tokens / most);
  const points = counted.map(({ usage }, at) => `${x(at)},${y(usage.input_tokens)}`).join(" ");
  const grid = ticksOf(most).map((tokens) => [
    tag("line", { class: "grid", x1: LEFT, x2: RIGHT, y1: y(tokens), y2: y(tokens) }),
    label(figure(tokens), { x: LEFT - 8, y: y(tokens) + 4, style: "tick end" }),
  ]);
  const dots = counted.map(({ step, usage }, at) => {
    const style = step.compactions.length > 0 ? "dot compacted" : "dot";
    const r = counted.length > LARGE_DOTS ? 2 : 4;
    const title = `${stepName(step, say)} · ${tokensText(usage, say)}`;
    const place = { cx: x(at), cy: y(usage.input_tokens), r };
    return tag("circle", { class: style, ...place }, tag("title", {}, title));
  });
  const every = Math.ceil(counted.length / NAMED_STEPS);
  const names = counted.map(({ step }, at) =>
    at % every === 0 && !step.closing
      ? label(String(step.step), { x: x(at), y: HEIGHT - 6, style: "tick" })
      : null
  );
  const area = `${x(0)},${BOTTOM} ${points} ${x(last)},${BOTTOM}`;
  const curve = [
    tag("polygon", { class: "area", points: area }),
    tag("polyline", { class: "curve", points }),
  ];
  return drawing(HEIGHT, say("report.curve"), grid, curve, dots, names);
}
