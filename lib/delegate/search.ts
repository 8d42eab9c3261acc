/**
 * Finding agents and intents by words, in any language.
 *
 * @module
 */

import { pairsOf, wordsOf } from "../retrieval/query.ts";
import { agentLine, intentLine } from "./describe.ts";
import type { Agent, Intent } from "./types.ts";

/** An intent that was found. */
export interface FoundIntent {
  readonly agent: Agent;
  readonly intent: Intent;
}

/** Intents that are given at once at the most. */
export const MAX_FOUND = 10;

/** What a whole word counts for, where a pair of characters counts for one. */
const WORD_SCORE = 4;

function textOf({ agent, intent }: FoundIntent): string {
  const { name, description } = agent;
  const parameters = JSON.stringify(intent.parameters);
  return [name, description, intent.name, intent.description, parameters].join("\n").toLowerCase();
}

/**
 * Finds intents that have something of the words: those with more of them first, and among equals
 * in the order of the directory. Words may be parts of longer ones.
 *
 * @param words Without any, all intents are found.
 */
export function findIntents(agents: readonly Agent[], words: string): readonly FoundIntent[] {
  const wanted = wordsOf(words.toLowerCase());
  const pairs = pairsOf(wanted);
  const all = agents.flatMap((agent) => agent.intents.map((intent) => ({ agent, intent })));
  if (wanted.length === 0) return all.slice(0, MAX_FOUND);
  const scored = all.map((found) => {
    const text = textOf(found);
    const holds = (part: string) => text.includes(part);
    return { found, score: WORD_SCORE * wanted.filter(holds).length + pairs.filter(holds).length };
  });
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND).map(({ found }) => found);
}

/** An intent with all that is needed to use it. */
function foundText({ agent, intent }: FoundIntent): string {
  const { parameters, example } = intent;
  return [
    `${agentLine(agent)}`,
    intentLine(intent),
    `  parameters: ${JSON.stringify(parameters)}`,
    ...(example === null ? [] : [`  example: ${JSON.stringify(example)}`]),
  ].join("\n");
}

/** What was found, as text for a model. */
export function foundIntentsText(found: readonly FoundIntent[]): string {
  return found.map(foundText).join("\n\n");
}
