/**
 * A line as keys change it.
 *
 * @module
 */

import { printable } from "./printable.ts";

const CTRL_C = "\u0003";
const CTRL_U = "\u0015";
const ESCAPE = "\u001b";
const BACKSPACES: readonly string[] = ["\u007f", "\b"];

/** A line, after some keys. */
export interface TypedLine {
  readonly text: string;
  /** Whether Enter or Ctrl-C has ended it; null: it goes on. */
  readonly ending: "enter" | "interrupt" | null;
  /** Keys after Enter. */
  readonly rest: string;
}

function withoutLast(text: string): string {
  const [...parts] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  return parts.slice(0, -1).map(({ segment }) => segment).join("");
}

/** A text after keys that end no line: Backspace, Ctrl-U, and what is typed. */
export function editedText(text: string, keys: string): string {
  let edited = text;
  for (const key of keys) {
    if (key === CTRL_U) edited = "";
    else if (BACKSPACES.includes(key)) edited = withoutLast(edited);
    else edited += /[\r\n\t]/.test(key) ? " " : printable(key);
  }
  return edited;
}

/**
 * A line after keys, which may have come together.
 *
 * @param keys A piece that begins with Escape is a key with a code, and does nothing.
 */
export function typedLine(text: string, keys: string): TypedLine {
  if (keys.startsWith(ESCAPE)) return { text, ending: null, rest: "" };
  if (keys.includes(CTRL_C)) return { text, ending: "interrupt", rest: "" };
  const [, typed = "", end = "", rest = ""] = /^([^\r\n]*)(\r\n|\r|\n)?(.*)$/s.exec(keys) ?? [];
  return { text: editedText(text, typed), ending: end === "" ? null : "enter", rest };
}
