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

/** A sentence in English. */
interface Form {
  readonly id: MessageId;
  /** What it begins and ends with: most others are told from it by that. */
  readonly beginning: string;
  readonly end: string;
  /** A group for each placeholder. */
  readonly pattern: RegExp;
  readonly fixedChars: number;
  /** Whether it is that of one thing. */
  readonly isOne: boolean;
}

const PLACEHOLDER = /\{(\w+)\}/g;

/** What a placeholder stands for, where not just for anything. */
const SHAPES: { readonly [name: string]: string } = {
  count: "\\d[\\d,.]*",
  total: "\\d[\\d,.]*",
  first: "\\d[\\d,.]*",
  last: "\\d[\\d,.]*",
  status: "\\d+",
  variable: "[A-Z][A-Z0-9_]+(?: in .+?)?",
  word: "[\\w-]+",
  list: "[\\w-]+(?:, [\\w-]+)*",
};

/** Placeholders that stand for sentences; all others stand for names and data. */
const SENTENCES: readonly string[] = [
  "asked",
  "corrections",
  "error",
  "faults",
  "last_try",
  "more",
  "most",
  "notes",
  "parts",
  "rest",
  "shown",
  "summary",
  "time",
  "wanted",
  "what",
  "who",
  "why",
];

/** Longer texts are no sentences. */
const MOST_CHARS = 10_000;

function formOf(key: string, template: string): Form {
  const parts = template.split(PLACEHOLDER);
  const source = parts.map((part, index) => {
    if (index % 2 === 0) return RegExp.escape(part);
    return `(?<${part}>${Object.hasOwn(SHAPES, part) ? SHAPES[part] : "[^]+?"})`;
  });
  return {
    id: key.replace(/_one$/, "") as MessageId,
    beginning: parts[0] ?? "",
    end: parts.at(-1) ?? "",
    pattern: new RegExp(`^${source.join("")}$`),
    fixedChars: template.replace(PLACEHOLDER, "").length,
    isOne: key.endsWith("_one"),
  };
}

/** Made where it is first needed; those with more words of their own first. */
let forms: readonly Form[] | null = null;

function allForms(): readonly Form[] {
  forms ??= Object.entries(en)
    .filter(([id]) => id.startsWith(PREFIX))
    .map(([key, template]) => formOf(key, template))
    .toSorted((one, other) => other.fixedChars - one.fixedChars);
  return forms;
}

/**
 * Says an English sentence of the program's in the language of people. Some of its placeholders
 * stand for such sentences themselves.
 *
 * @returns The text itself where it is not known.
 */
export function recognise(text: string, say: Say): string {
  if (say.language === "en") return text;
  const [, place, rest] = PLACE.exec(text) ?? [];
  if (place !== undefined && rest !== undefined) return place + recognise(rest, say);
  if (text.length > MOST_CHARS) return text;
  for (const { id, beginning, end, pattern, isOne } of allForms()) {
    if (!text.startsWith(beginning) || !text.endsWith(end)) continue;
    const found = pattern.exec(text);
    if (found === null) continue;
    return tell({ id, values: { ...(isOne ? { count: 1 } : {}), ...found.groups } }, say);
  }
  return text;
}

/** What stands for a placeholder, in the language of people. */
function toldValue(name: string, value: Values[string], say: Say): string | number {
  if (typeof value === "object") return tell(value, say);
  return typeof value === "string" && SENTENCES.includes(name) ? recognise(value, say) : value;
}

/** The words of a text for people, with all in it that is known. */
export function tell(text: Text, say: Say): string {
  if (typeof text === "string") return recognise(text, say);
  const values = Object.entries(text.values)
    .map(([name, value]) => [name, toldValue(name, value, say)] as const);
  return say(text.id, Object.fromEntries(values));
}
