/**
 * A line editor as a pure function: a state and a key give the next state, or an answer. A place in
 * the text is an offset in UTF-16 units, always between graphemes.
 *
 * @module
 */

import { english, type Say } from "../../messages/messages.ts";
import type { Key, KeyName } from "./keys.ts";

/** What is being written. */
export interface Editor {
  readonly text: string;
  readonly cursor: number;
  /** What was written before, the oldest first. */
  readonly history: readonly string[];
  /** The entry of the history that is shown; its length: the new text. */
  readonly at: number;
  /** The new text, while an entry of the history is shown. */
  readonly draft: string;
  /** Whether Ctrl-C was the last key, so that another one leaves. */
  readonly leaving: boolean;
  /** Lines below the text, such as what Tab found; gone with the next key. */
  readonly hint: readonly string[];
}

/** What a key leads to. */
export type Step =
  | { readonly kind: "edit"; readonly editor: Editor }
  | { readonly kind: "submit"; readonly text: string }
  | { readonly kind: "leave"; readonly by: "interrupt" | "end_of_input" }
  /** What stands before the cursor is to be completed. */
  | { readonly kind: "complete"; readonly editor: Editor }
  | { readonly kind: "clear_screen"; readonly editor: Editor }
  /** What calls bring back is to be shown, or hidden again. */
  | { readonly kind: "toggle_output"; readonly editor: Editor };

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** An empty text. */
export function newEditor(history: readonly string[] = []): Editor {
  const fresh = { text: "", cursor: 0, draft: "", leaving: false, hint: [] };
  return { ...fresh, history, at: history.length };
}

/** The place one grapheme before. */
function before(text: string, cursor: number): number {
  // A grapheme never spans a line end, so that the line is all that has to be looked at.
  const start = lineStart(text, cursor);
  if (start === cursor) return Math.max(0, cursor - 1);
  const last = [...graphemes.segment(text.slice(start, cursor))].at(-1);
  return start + (last?.index ?? 0);
}

/** The place one grapheme after. */
function after(text: string, cursor: number): number {
  for (const { segment } of graphemes.segment(text.slice(cursor))) return cursor + segment.length;
  return cursor;
}

/** The beginning of the word at or before a place. */
function wordBefore(text: string, cursor: number): number {
  const [, blanks = ""] = /(\s*)$/.exec(text.slice(0, cursor)) ?? [];
  const [, word = ""] = /(\S*)$/.exec(text.slice(0, cursor - blanks.length)) ?? [];
  return cursor - blanks.length - word.length;
}

function wordAfter(text: string, cursor: number): number {
  const [found = ""] = /^\s*\S*/.exec(text.slice(cursor)) ?? [];
  return cursor + found.length;
}

function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

/** Puts text in place of what stands between two places. */
export function replaceBetween(editor: Editor, from: number, to: number, text: string): Editor {
  const { text: whole } = editor;
  const rest = whole.slice(to);
  return { ...editor, text: whole.slice(0, from) + text + rest, cursor: from + text.length };
}

function insert(editor: Editor, text: string): Editor {
  return replaceBetween(editor, editor.cursor, editor.cursor, text);
}

function cut(editor: Editor, from: number, to: number): Editor {
  return replaceBetween(editor, from, to, "");
}

/** Shows an entry of the history; what was being written is kept. */
function recall(editor: Editor, at: number): Editor {
  const { history, text } = editor;
  if (at < 0 || at > history.length || at === editor.at) return editor;
  const draft = editor.at === history.length ? text : editor.draft;
  const shown = at === history.length ? draft : history[at] ?? "";
  return { ...editor, text: shown, cursor: shown.length, at, draft };
}

/** Graphemes between the beginning of the line and a place. */
function columnOf(text: string, cursor: number): number {
  return [...graphemes.segment(text.slice(lineStart(text, cursor), cursor))].length;
}

/** The place at a column of the line that begins at `start`, or its end. */
function placeAt(text: string, start: number, column: number): number {
  const line = text.slice(start, lineEnd(text, start));
  return start + ([...graphemes.segment(line)][column]?.index ?? line.length);
}

/** A line up, or else back in the history. */
function up(editor: Editor): Editor {
  const { text, cursor, at } = editor;
  const start = lineStart(text, cursor);
  if (start === 0) return recall(editor, at - 1);
  const above = lineStart(text, start - 1);
  return { ...editor, cursor: placeAt(text, above, columnOf(text, cursor)) };
}

/** A line down, or else forward in the history. */
function down(editor: Editor): Editor {
  const { text, cursor, at } = editor;
  const end = lineEnd(text, cursor);
  if (end === text.length) return recall(editor, at + 1);
  return { ...editor, cursor: placeAt(text, end + 1, columnOf(text, cursor)) };
}

/** Ends a text, unless a backslash asks for one more line. */
function enter(editor: Editor): Step {
  const { text, cursor } = editor;
  const goesOn = text.slice(0, cursor).endsWith("\\") && cursor === lineEnd(text, cursor);
  if (goesOn) return edit(replaceBetween(editor, cursor - 1, cursor, "\n"));
  return text.trim() === "" ? edit(editor) : { kind: "submit", text };
}

function interrupt(editor: Editor, wasLeaving: boolean, say: Say): Step {
  if (wasLeaving) return { kind: "leave", by: "interrupt" };
  return edit({ ...newEditor(editor.history), leaving: true, hint: [say("session.leave_hint")] });
}

function edit(editor: Editor): Step {
  return { kind: "edit", editor };
}

type Change = (editor: Editor) => Editor;

const move = (to: (text: string, cursor: number) => number): Change => (editor) => ({
  ...editor,
  cursor: to(editor.text, editor.cursor),
});

const cutTo = (to: (text: string, cursor: number) => number): Change => (editor) => {
  const place = to(editor.text, editor.cursor);
  return cut(editor, Math.min(place, editor.cursor), Math.max(place, editor.cursor));
};

/** Keys that change the state and no more. */
const CHANGES: { readonly [name in KeyName]?: Change } = {
  newline: (editor) => insert(editor, "\n"),
  backspace: cutTo(before),
  delete: cutTo(after),
  left: move(before),
  right: move(after),
  word_left: move(wordBefore),
  word_right: move(wordAfter),
  home: move(lineStart),
  end: move(lineEnd),
  cut_after: cutTo(lineEnd),
  cut_before: cutTo(lineStart),
  cut_word: cutTo(wordBefore),
  up,
  down,
};

/** What a key does to what is being written. */
export function onKey(state: Editor, key: Key, say: Say = english): Step {
  const editor = { ...state, hint: [], leaving: false };
  if (key.kind === "text") return edit(insert(editor, key.text));
  switch (key.name) {
    case "enter":
      return enter(editor);
    case "tab":
      return { kind: "complete", editor };
    case "clear_screen":
      return { kind: "clear_screen", editor };
    case "toggle_output":
      return { kind: "toggle_output", editor };
    case "interrupt":
      return interrupt(editor, state.leaving, say);
    case "end_of_input":
      if (editor.text === "") return { kind: "leave", by: "end_of_input" };
      return edit(cutTo(after)(editor));
    default:
      return edit(CHANGES[key.name]?.(editor) ?? editor);
  }
}
