/**
 * What a terminal can show beside text. Only the sixteen colours that the person chose are used.
 *
 * @module
 */

import type { Environment } from "../ports.ts";

/** Puts text in a style; the text itself stays as it is. */
export type Style = (text: string) => string;

/** The styles that there are. */
export interface Styles {
  /** Whether they do anything. */
  readonly enabled: boolean;
  readonly bold: Style;
  readonly italic: Style;
  readonly underline: Style;
  readonly dim: Style;
  readonly code: Style;
  readonly heading: Style;
  readonly good: Style;
  readonly bad: Style;
}

/** Codes that begin and end a style. Source: ECMA-48, SGR. */
const CODES = {
  bold: ["1", "22"],
  italic: ["3", "23"],
  underline: ["4", "24"],
  dim: ["2", "22"],
  code: ["36", "39"],
  heading: ["1;4", "22;24"],
  good: ["32", "39"],
  bad: ["31", "39"],
} as const;

function styled(name: keyof typeof CODES): Style {
  const [begin, end] = CODES[name];
  return (text) => text === "" ? "" : `\x1b[${begin}m${text}\x1b[${end}m`;
}

const PLAIN: Style = (text) => text;

/** The styles, or the same that do nothing. */
export function createStyles(enabled: boolean): Styles {
  const style = (name: keyof typeof CODES) => enabled ? styled(name) : PLAIN;
  return {
    enabled,
    bold: style("bold"),
    italic: style("italic"),
    underline: style("underline"),
    dim: style("dim"),
    code: style("code"),
    heading: style("heading"),
    good: style("good"),
    bad: style("bad"),
  };
}

/** What can be done with a terminal. */
export interface Ability {
  /** Whether the cursor can be moved and lines be erased. */
  readonly cursor: boolean;
  /** Whether text can be styled. */
  readonly styles: boolean;
}

/**
 * What the terminal of this process can do, by `TERM` and `NO_COLOR`.
 *
 * @see https://no-color.org
 */
export function abilityOf(env: Environment): Ability {
  const term = env.get("TERM") ?? "";
  const cursor = term !== "" && term !== "dumb";
  return { cursor, styles: cursor && (env.get("NO_COLOR") ?? "") === "" };
}
