/**
 * The answers to an approval: a pure pair of what a key does and what the last rows of the screen
 * show.
 *
 * @module
 */

import { english, type MessageId, type Say } from "../messages/messages.ts";
import { layOut, widthOf } from "./marked_text.ts";
import { printable } from "./printable.ts";
import { editedText } from "./typed_line.ts";

/** What a person may answer. */
export type Answer =
  | { readonly kind: "once" }
  /** This exact call, as long as this process has the session. */
  | { readonly kind: "always" }
  /** Null: without a reason. */
  | { readonly kind: "no"; readonly reason: string | null }
  /** No, and the run ends. */
  | { readonly kind: "stop" };

/** Where the question stands. */
export interface QuestionState {
  /** `why`: the reason is being typed. */
  readonly mode: "choose" | "why";
  /** The reason so far. */
  readonly reason: string;
  /** What the person should know of the last key, or null. */
  readonly note: string | null;
}

/** What a key does: it leads on, or asks for all of the text, or answers. */
export type Reaction =
  | { readonly kind: "go_on"; readonly state: QuestionState }
  | { readonly kind: "show_all" }
  | { readonly kind: "answered"; readonly answer: Answer };

/** The question as it is first asked. */
export const ASKED: QuestionState = { mode: "choose", reason: "", note: null };

/** Characters of a reason. */
const REASON_CHARS = 500;

const CTRL_C = "\u0003";
const ESCAPE = "\u001b";

/** The keys, and what they mean. */
const KEYS: readonly (readonly [key: string, meaning: MessageId])[] = [
  ["y", "approval.key_y"],
  ["a", "approval.key_a"],
  ["n", "approval.key_n"],
  ["w", "approval.key_w"],
  ["s", "approval.key_s"],
];

function noted(state: QuestionState, note: string): Reaction {
  return { kind: "go_on", state: { ...state, note } };
}

function answered(answer: Answer): Reaction {
  return { kind: "answered", answer };
}

/** The one key of a piece that somebody may have ended with Enter, or null: it was pasted. */
function oneKey(typed: string): string | null {
  const key = typed.length === 2 ? typed.replace(/[\r\n]$/, "") : typed;
  return [...key].length === 1 ? key.toLowerCase() : null;
}

function choose(state: QuestionState, typed: string, say: Say): Reaction {
  const key = oneKey(typed);
  switch (key) {
    case "y":
      return answered({ kind: "once" });
    case "a":
      return answered({ kind: "always" });
    case "n":
      return answered({ kind: "no", reason: null });
    case "s":
      return answered({ kind: "stop" });
    case "w":
      return { kind: "go_on", state: { mode: "why", reason: "", note: null } };
    case "v":
      return { kind: "show_all" };
    case "\r":
    case "\n":
      return noted(state, say("approval.enter"));
    case null:
      if (typed.startsWith(ESCAPE)) return noted(state, say("approval.that_key"));
      return noted(state, say("approval.several"));
    default: {
      const name = printable(key).trim();
      const known = name !== "";
      return noted(
        state,
        known ? say("approval.wrong_key", { key: name }) : say("approval.that_key"),
      );
    }
  }
}

/** Types a reason: Enter sends it, Escape leaves it; other keys with codes do nothing. */
function typeReason(state: QuestionState, typed: string, say: Say): Reaction {
  if (typed === ESCAPE) return { kind: "go_on", state: ASKED };
  if (typed.startsWith(ESCAPE)) return { kind: "go_on", state };
  const keys = typed.replace(/[\r\n]+$/, "");
  const reason = editedText(state.reason, keys).slice(0, REASON_CHARS);
  if (keys === typed) return { kind: "go_on", state: { ...state, reason, note: null } };
  if (reason.trim() !== "") return answered({ kind: "no", reason: reason.trim() });
  return noted(state, say("approval.type_why"));
}

/** What comes of what was typed. Ctrl-C stops, wherever it stands. */
export function onKey(state: QuestionState, typed: string, say: Say = english): Reaction {
  if (typed.includes(CTRL_C)) return answered({ kind: "stop" });
  return state.mode === "why" ? typeReason(state, typed, say) : choose(state, typed, say);
}

/**
 * The keys and what they mean, as many in a row as fit.
 *
 * @param cut Whether something is left to be seen.
 */
export function keyLines(columns: number, cut: boolean, say: Say = english): string[] {
  const keys = cut ? [...KEYS, ["v", "approval.key_v"] as const] : KEYS;
  const lines: string[] = [];
  for (const item of keys.map(([key, meaning]) => `${key} ${say(meaning)}`)) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(last) + 3 + widthOf(item) <= columns) {
      lines[lines.length - 1] = `${last}   ${item}`;
    } else lines.push(`  ${item}`);
  }
  return lines;
}

/** The question itself. */
const QUESTION: Readonly<Record<QuestionState["mode"], MessageId>> = {
  choose: "approval.question",
  why: "approval.why",
};

/** The end of a text that fits in so many columns. */
function tail(text: string, columns: number): string {
  const [...parts] = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text);
  let width = 0;
  let from = parts.length;
  for (; from > 0; from--) {
    width += widthOf(parts[from - 1]?.segment ?? "");
    if (width > columns) break;
  }
  return parts.slice(from).map(({ segment }) => segment).join("");
}

/** The last rows of the screen; the cursor stands at the end of the last one. */
export function renderQuestion(
  { mode, reason, note }: QuestionState,
  columns: number,
  say: Say = english,
): string[] {
  const question = say(QUESTION[mode]);
  const notes = note === null
    ? []
    : layOut(note, [], columns).map((row) => row.map(({ text }) => text).join(""));
  return [...notes, question + tail(reason, columns - widthOf(question) - 1)];
}

/** An answer as it stays on the screen, after the question. */
export function answerText(answer: Answer, say: Say = english): string {
  switch (answer.kind) {
    case "once":
      return say("approval.once");
    case "always":
      return say("approval.always");
    case "no":
      return answer.reason === null
        ? say("approval.no")
        : say("approval.no_why", { reason: answer.reason });
    case "stop":
      return say("approval.stop");
  }
}
