/**
 * Agents and their intents in a few words, for a model: as many as fit.
 *
 * @module
 */

import { isJsonObject } from "../json_object.ts";
import { estimateText } from "../context/estimate.ts";
import { clip } from "../results/characters.ts";
import type { Json } from "../types.ts";
import type { Agent, Intent } from "./types.ts";

/** Tokens that the list of agents may take. Source: the issue on business agents. */
export const DIRECTORY_TOKENS = 1500;

/** Characters of one description. */
const DESCRIPTION_CHARS = 200;

/** Values of a choice that are listed. */
const MAX_VALUES = 8;

/** A schema as a type: `string`, `"a"|"b"`, `integer[]`. */
function typeText(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return "any";
  const { type, enum: values, items } = schema;
  if (Array.isArray(values)) {
    const shown = values.slice(0, MAX_VALUES).map((value: Json) => JSON.stringify(value));
    return values.length > MAX_VALUES ? `${shown.join("|")}|…` : shown.join("|");
  }
  if (type === "array") return `${typeText(items)}[]`;
  return Array.isArray(type) ? type.join("|") : typeof type === "string" ? type : "any";
}

/** What an intent takes: `order: string, days?: integer`. */
export function signatureOf({ parameters }: Pick<Intent, "parameters">): string {
  const { properties, required } = parameters;
  if (!isJsonObject(properties)) return "";
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties)
    .map(([name, schema]) => `${name}${needed.includes(name) ? "" : "?"}: ${typeText(schema)}`)
    .join(", ");
}

function oneLine(text: string): string {
  return clip(text.replace(/\s+/g, " ").trim(), DESCRIPTION_CHARS);
}

/** An intent as a line. */
export function intentLine(intent: Intent): string {
  const effect = intent.access === "read" ? "" : " [changes]";
  return `- ${intent.name}(${signatureOf(intent)})${effect}: ${oneLine(intent.description)}`;
}

/** An agent as a line. */
export function agentLine({ name, description }: Agent): string {
  return `${name}: ${oneLine(description)}`;
}

/** What did not fit, and how it is found. */
function leftText(agents: number, intents: number): string {
  const plural = (count: number, noun: string) => `${count} more ${noun}${count === 1 ? "" : "s"}`;
  const parts = [
    ...(agents === 0 ? [] : [plural(agents, "agent")]),
    ...(intents === 0 ? [] : [plural(intents, "intent")]),
  ];
  return `There are ${parts.join(" with ")}: find them by search.`;
}

/**
 * Lists agents with their intents, in their order, as far as they fit.
 *
 * @param budgetTokens By estimate; the note on what is left out comes on top.
 * @returns Lines; the last one says how much is left out, if anything is.
 */
export function describeAgents(agents: readonly Agent[], budgetTokens = DIRECTORY_TOKENS): string {
  const lines: string[] = [];
  let [tokens, agentsLeft, intentsLeft] = [0, 0, 0];
  const fits = (line: string) => {
    tokens += estimateText(`${line}\n`);
    return tokens <= budgetTokens;
  };
  for (const agent of agents) {
    const [first, ...rest] = agent.intents;
    // An agent without any of its intents says too little.
    const head = first === undefined ? [] : [agentLine(agent), intentLine(first)];
    if (head.length === 0 || !fits(head.join("\n"))) {
      agentsLeft++;
      intentsLeft += agent.intents.length;
      continue;
    }
    lines.push(...head);
    for (const intent of rest) {
      const line = intentLine(intent);
      if (fits(line)) lines.push(line);
      else intentsLeft++;
    }
  }
  if (agentsLeft + intentsLeft > 0) lines.push(leftText(agentsLeft, intentsLeft));
  return lines.join("\n");
}
