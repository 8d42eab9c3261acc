/**
 * What all pieces of a page are made with.
 *
 * @module
 */

import type { Say } from "../../messages/messages.ts";
import { figure } from "../wording.ts";
import { type Html, joined, tag } from "./html.ts";
import { prose } from "./prose.ts";
import type { PageTexts, TextKind } from "./page_texts.ts";

/** What the pieces of a page are written with. */
export interface PageParts {
  readonly say: Say;
  /** A time of the wall, of milliseconds since the epoch. */
  readonly timeText: (ms: number) => string;
  /** The session whose export has what is left out. */
  readonly session: string;
  readonly texts: PageTexts;
}

/** A text that may be long, and says so where some of it is left out. */
export function longText(
  { name, kind, text, style = null }: {
    readonly name: "pre" | "div";
    readonly kind: TextKind;
    readonly text: string;
    readonly style?: string | null;
  },
  { texts, say, session }: PageParts,
): Html {
  const { text: shown, left } = texts.take(kind, text);
  const note = left === 0
    ? null
    : tag("p", { class: "dim cut" }, say("report.cut_rest", { count: figure(left), session }));
  return joined(tag(name, { class: style }, name === "div" ? prose(shown) : shown), note);
}

/** A short text in its place; what is too long for that ends with an ellipsis. */
export function shortText(text: string, { texts }: PageParts): string {
  return texts.take("said", text).text;
}
