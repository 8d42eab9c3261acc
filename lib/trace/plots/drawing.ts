/**
 * What the plots of a page share: drawings as SVG, axes, names that keep to their place.
 *
 * @module
 */

import { clip } from "../../results/characters.ts";
import { type Html, type HtmlPart, tag } from "../page/html.ts";

/** The width of a drawing, in its own units; a page scales it. */
export const WIDTH = 960;

/** The height of a lane of bars. */
export const LANE = 26;

/** The room of an axis below a plot. */
export const AXIS = 24;

/** Characters of a name that can be seen at the most; its place cuts what is wider. */
const NAME_CHARS = 60;

/** A number in few digits. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Marks of an axis from 0 up: about five, at round numbers; 0 alone where there is no more. */
export function ticksOf(most: number): readonly number[] {
  if (!(most > 0)) return [0];
  const raw = most / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  return ticksBy([1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw), most);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Distances of marks that are round on a clock. */
const CLOCK_STEPS = [
  ...[20, 30, 60, 120, 300, 600, 1200, 1800].map((seconds) => seconds * SECOND),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * HOUR),
];

/** As `ticksOf`, for milliseconds: at round times where they are minutes and hours. */
export function timeTicksOf(mostMs: number): readonly number[] {
  const step = CLOCK_STEPS.find((size) => size >= mostMs / 5);
  return mostMs <= MINUTE || step === undefined ? ticksOf(mostMs) : ticksBy(step, mostMs);
}

function ticksBy(step: number = 1, most: number): readonly number[] {
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => rounded(index * step));
}

/** A drawing of the full width. */
export function drawing(height: number, label: string, ...content: readonly HtmlPart[]): Html {
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height };
  return tag("svg", { ...size, role: "img", "aria-label": label }, content);
}

/** A line of text at a point. */
export function label(
  text: string,
  { x, y, style }: { readonly x: number; readonly y: number; readonly style: string },
): Html {
  return tag("text", { class: style, x: rounded(x), y: rounded(y) }, text);
}

/** A name that is cut where its place ends, whatever its font. */
export function nameIn(
  text: string,
  box: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly style?: string;
  },
): Html {
  const { style = null, ...place } = box;
  const shown = tag(
    "text",
    { class: style, x: 0, y: rounded(box.height * 0.7) },
    clip(text, NAME_CHARS),
  );
  return tag("svg", place, tag("title", {}, text), shown);
}
