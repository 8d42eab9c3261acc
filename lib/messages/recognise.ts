/**
 * Sentences that programs are told, for people: what the loop, the model and the files say stays
 * English in events and results, and is said in another language where it is shown.
 *
 * @module
 */

import en from "./en.json" with { type: "json" };
import type { MessageId, Say, Text, Values } from "./messages.ts";

/** Ids of sentences that are made outside the face begin with this. */
const PREFIX = "sentence.";

/** Where a mistake in a file is. */
const PLACE = /^([^\s:][^:]*:\d+:\d+: )([^]+)$/;

/** A sentence in English, as a pattern with a group for each placeholder. */
interface Form {
  readonly id: MessageId;
  readonly pattern: RegExp;
  readonly fixedChars: number;
}

const PLACEHOLDER = /\{(\w+)\}/g;

function formOf(id: string, template: string): Form {
  const escaped = template.split(PLACEHOLDER)
    .map((part, index) => index % 2 === 0 ? RegExp.escape(part) : `(?<${part}>[^]+?)`);
  return {
    id: id.replace(/_one$/, "") as MessageId,
    pattern: new RegExp(`^${escaped.join("")}$`),
    fixedChars: template.replace(PLACEHOLDER, "").length,
  };
}

/** Made where it is first needed; those with more words of their own first. */
let forms: readonly Form[] | null = null;

function allForms(): readonly Form[] {
  forms ??= Object.entries(en)
    .filter(([id]) => id.startsWith(PREFIX))
    .map(([id, template]) => formOf(id, template))
    .toSorted((one, other) => other.fixedChars - one.fixedChars);
  return forms;
}

/**
 * Says an English sentence of the program's in the language of people. What its placeholders stand
 * for may be such a sentence itself.
 *
 * @returns The text itself where it is not known.
 */
export function recognise(text: string, say: Say): string {
  if (say.language === "en") return text;
  const [, place, rest] = PLACE.exec(text) ?? [];
  if (place !== undefined && rest !== undefined) return place + recognise(rest, say);
  for (const { id, pattern } of allForms()) {
    const found = pattern.exec(text);
    if (found === null) continue;
    return tell({ id, values: { ...found.groups } }, say);
  }
  return text;
}

/** What stands for a placeholder, in the language of people. */
function toldValue(value: Values[string], say: Say): string | number {
  return typeof value === "number" ? value : tell(value, say);
}

/** The words of a text for people, with all in it that is known. */
export function tell(text: Text, say: Say): string {
  if (typeof text === "string") return recognise(text, say);
  const values = Object.entries(text.values)
    .map(([name, value]) => [name, toldValue(value, say)] as const);
  return say(text.id, Object.fromEntries(values));
}
