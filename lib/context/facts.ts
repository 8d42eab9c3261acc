/**
 * Which facts stay where there is no room for all.
 *
 * @module
 */

import type { Fact } from "../events.ts";

/** Facts that stay, the oldest first, and how many do not. */
export interface KeptFacts {
  readonly facts: readonly Fact[];
  readonly left: number;
}

/** How much more the newest fact is worth than the oldest. */
const RECENCY = 0.3;

/** Words and numbers; Han by character, as nothing parts them. */
const WORDS = /\p{Script=Han}|[\p{L}\p{N}][\p{L}\p{N}._:/-]*[\p{L}\p{N}]|[\p{L}\p{N}]/gu;

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.toLowerCase().match(WORDS) ?? [])];
}

/** Numbers aside: a number is nearly always one that no other fact has. */
function formOf(text: string): string {
  return text.toLowerCase().replace(/\d[\d.,:]*/g, "#").replace(/\s+/g, " ").trim();
}

/** The same for facts that say the same. */
function keyOf({ text }: Fact): string {
  return wordsOf(text).join(" ");
}

function withoutRepeats(facts: readonly Fact[]): Fact[] {
  const first = new Map<string, Fact>();
  for (const fact of facts) {
    const key = keyOf(fact);
    if (!first.has(key)) first.set(key, fact);
  }
  return [...first.values()];
}

/** How rare the words of each fact are among all: a fact of words that all have says little. */
function specificityOf(facts: readonly Fact[]): number[] {
  const words = facts.map(({ text }) => wordsOf(formOf(text)));
  const counts = new Map<string, number>();
  for (const word of words.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  return words.map((own, index) => {
    const rarity = own.map((word) => Math.log(1 + facts.length / (counts.get(word) ?? 1)));
    const mean = rarity.reduce((sum, value) => sum + value, 0) / Math.max(1, own.length);
    return mean * (1 + RECENCY * index / facts.length);
  });
}

/** The order in which facts leave: those with a newer one of their form first, then the plainest. */
function leavingOrder(facts: readonly Fact[]): number[] {
  const forms = facts.map(({ text }) => formOf(text));
  const newest = new Map(forms.map((form, index) => [form, index]));
  const old = forms.map((form, index) => newest.get(form) !== index);
  const specificity = specificityOf(facts);
  return [...facts.keys()].toSorted((a, b) => {
    if (old[a] !== old[b]) return old[a] ? -1 : 1;
    return old[a] ? a - b : specificity[a]! - specificity[b]!;
  });
}

/**
 * Keeps what fits. A fact that is there twice stays once; then those leave of which there is a
 * newer one with other numbers, the oldest first; then those whose words are the least rare.
 *
 * @param facts The oldest first.
 * @param maxTokens For all together.
 * @param tokensOf The tokens of one.
 */
export function keepFacts(
  facts: readonly Fact[],
  maxTokens: number,
  tokensOf: (fact: Fact) => number,
): KeptFacts {
  const different = withoutRepeats(facts);
  const sizes = different.map(tokensOf);
  let tokens = sizes.reduce((sum, size) => sum + size, 0);
  if (tokens <= maxTokens) return { facts: different, left: 0 };
  const left = new Set<number>();
  for (const index of leavingOrder(different)) {
    if (tokens <= maxTokens) break;
    left.add(index);
    tokens -= sizes[index]!;
  }
  return { facts: different.filter((_fact, index) => !left.has(index)), left: left.size };
}
