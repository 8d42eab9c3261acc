/**
 * What is kept of rounds where no model sums them up: a fact for each call, from what it brought.
 *
 * @module
 */

import type { Digest, Fact } from "../events.ts";
import {
  type Entry,
  GO_ON,
  resultsOf,
  type RoundEntry,
  type RoundResult,
  type SaidEntry,
} from "../record.ts";
import { clip } from "../results/characters.ts";
import { ERROR_WORDS } from "../results/error_words.ts";

/** Characters of a fact at the most. */
export const FACT_CHARS = 300;

/** Characters of it that say which call it was. */
const WHAT_CHARS = 80;

/** Characters of it that say what the call brought. */
const TOLD_CHARS = 180;

/** Characters of a result that are looked at. */
const LOOKED_AT_CHARS = 8000;

/** What a number makes a line worth, where any line is worth 1 and a severe one up to 4. */
const NUMBER_WORTH = 0.5;

/** Where something was left out; see `lib/results/head_tail.ts`. */
const CUT = /\[… .* left out here.* …\]/;

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) =>
    typeof item === "number" || typeof item === "boolean" ? [`${name} ${item}`] : textsOf(item)
  );
}

/** The lines of a result, without its envelope. */
function linesOf(content: string): string[] {
  let texts: string[];
  try {
    const { data, error } = JSON.parse(content);
    texts = textsOf(data ?? error?.message);
  } catch {
    // It was cut, or is no observation of ours.
    texts = [content.replaceAll("\\n", "\n")];
  }
  return texts.join("\n").slice(0, LOOKED_AT_CHARS).split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !CUT.test(line));
}

/** The same for lines that say the same of something else. */
function formOf(line: string): string {
  return line.toLowerCase().replace(/\d+/g, "#");
}

function worthOf(line: string, alike: number): number {
  const lower = line.toLowerCase();
  const worst = Math.max(
    0,
    ...ERROR_WORDS.map(({ word, severity }) => lower.includes(word) ? severity : 0),
  );
  return (1 + worst + (/\d/.test(line) ? NUMBER_WORTH : 0)) / Math.sqrt(alike);
}

/** The lines that tell most, in their order: they stand out, and name trouble or numbers. */
function tellingOf(lines: readonly string[]): string {
  const alike = new Map<string, number>();
  for (const form of lines.map(formOf)) alike.set(form, (alike.get(form) ?? 0) + 1);
  const ranked = [...new Set(lines)]
    .map((line, index) => ({ line, index, worth: worthOf(line, alike.get(formOf(line)) ?? 1) }))
    .toSorted((a, b) => b.worth - a.worth || a.index - b.index);
  const chosen: { line: string; index: number }[] = [];
  let chars = 0;
  for (const one of ranked) {
    chars += one.line.length + 2;
    if (chars > TOLD_CHARS && chosen.length > 0) break;
    chosen.push(one);
  }
  const text = chosen.toSorted((a, b) => a.index - b.index).map(({ line }) => line).join("; ");
  return clip(text, TOLD_CHARS);
}

function callFact(id: string, { content, done }: RoundResult): Fact {
  const what = clip(done.what.replace(/\s+/g, " "), WHAT_CHARS);
  const told = tellingOf(linesOf(content));
  // A failed call's summary is its error, which its content says as well.
  const summary = done.status === "success" ? done.summary : done.status;
  const text = `${what} → ${clip(summary, WHAT_CHARS)}${told === "" ? "" : `: ${told}`}`;
  return { text: clip(text, FACT_CHARS), call: id, step: done.step };
}

function roundFacts(round: RoundEntry): Fact[] {
  const { message, step } = round;
  const calls = resultsOf(round).map(([id, result]) => callFact(id, result));
  if (message.calls.length > 0 || message.content.trim() === "") return calls;
  const answer = message.content.replace(/\s+/g, " ").trim();
  return [{ text: clip(`Answered: ${answer}`, FACT_CHARS), call: null, step }];
}

/** What a person said, as a fact; what rein said in its name is none. */
export function saidFacts({ content }: SaidEntry): Fact[] {
  if (content === GO_ON) return [];
  const text = content.replace(/\s+/g, " ").trim();
  return [{ text: clip(`The person said: ${text}`, FACT_CHARS), call: null, step: 0 }];
}

/**
 * Sums up without a model.
 *
 * @param entries What leaves the context.
 * @param open What was open before: nobody has looked whether it still is.
 */
export function mechanicalDigest(entries: readonly Entry[], open: readonly string[]): Digest {
  const facts = entries.flatMap((entry) =>
    entry.kind === "said" ? saidFacts(entry) : roundFacts(entry)
  );
  return { facts, decisions: [], open };
}
