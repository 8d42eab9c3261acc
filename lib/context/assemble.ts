/**
 * What the model sees: system prompt, task, what is known, the recent rounds, one progress line.
 * What changes every step comes last, so that a server's prompt cache keeps the rest.
 *
 * @module
 */

import type { Conversation, Entry } from "../record.ts";
import type { Message } from "../types.ts";
import { ROUND_SHARE } from "./budget.ts";
import { fitRound } from "./fit_round.ts";
import { knownText } from "./known.ts";
import systemPrompt from "./system.txt" with { type: "text" };

/** Facts about the place where rein runs. */
export interface Place {
  readonly os: string;
  readonly cwd: string;
  /** The day, as `2026-11-29`. */
  readonly date: string;
  /** What else the system prompt says, for this kind of run; left out: nothing. */
  readonly rules?: string;
}

/** What the messages depend on beside the conversation. */
export interface Shape {
  /** Tokens that the model takes at once. */
  readonly window: number;
  /** Whether a tool is offered that finds what was seen earlier. */
  readonly recall: boolean;
}

/** Makes the messages of a request. */
export interface Assembler {
  /**
   * All messages; while nothing is compacted, later ones begin with the same, but for the last.
   *
   * @param last What is said behind everything else.
   */
  messages(conversation: Conversation, last: string, shape: Shape): readonly Message[];
  /** The messages of one entry, as they stand among the others. */
  entry(entry: Entry, conversation: Conversation, shape: Shape): readonly Message[];
}

interface Made {
  /** What they were made with. */
  readonly key: string;
  readonly messages: readonly Message[];
}

/** Tokens that one round takes at the most, by estimate, uncorrected. */
function roundTokensOf({ compaction }: Conversation, { window }: Shape): number {
  return compaction.roundTokens ?? Math.floor(window * ROUND_SHARE);
}

class RunAssembler implements Assembler {
  readonly #system: Message;
  /** Messages are made once: a round is cut once, and a message is counted once. */
  readonly #made = new WeakMap<Entry, Made>();
  #known: Message = { role: "user", content: "" };

  constructor(system: string) {
    this.#system = { role: "system", content: system };
  }

  messages(conversation: Conversation, last: string, shape: Shape): readonly Message[] {
    const { entries, compaction } = conversation;
    const later = entries.findIndex(({ number }) => number > compaction.summarisedThrough);
    const from = later === -1 ? entries.length : later;
    const made = entries.map((entry) => this.entry(entry, conversation, shape));
    return [
      this.#system,
      ...made.slice(0, from).flat(),
      ...this.#knownOf(conversation, shape),
      ...made.slice(from).flat(),
      { role: "user", content: last },
    ];
  }

  entry(entry: Entry, conversation: Conversation, shape: Shape): readonly Message[] {
    const maxTokens = roundTokensOf(conversation, shape);
    const condensed = entry.number <= conversation.compaction.condensedThrough;
    const results = entry.kind === "round" ? entry.results.size : 0;
    const key = `${maxTokens} ${condensed} ${results}`;
    const before = this.#made.get(entry);
    if (before?.key === key || (before !== undefined && entry.kind === "said")) {
      return before.messages;
    }
    const messages: readonly Message[] = entry.kind === "said"
      ? [{ role: "user", content: entry.content }]
      : fitRound(entry, { maxTokens, condensed });
    this.#made.set(entry, { key, messages });
    return messages;
  }

  #knownOf({ compaction }: Conversation, { recall }: Shape): readonly Message[] {
    const content = knownText(compaction, recall);
    if (content === null) return [];
    if (content !== this.#known.content) this.#known = { role: "user", content };
    return [this.#known];
  }
}

/** Builds the assembler of a run. */
export function createAssembler({ os, cwd, date, rules }: Place): Assembler {
  const facts = `System: ${os}. Working directory: ${cwd}. Date: ${date}.`;
  const more = rules === undefined ? "" : `\n${rules}`;
  return new RunAssembler(`${systemPrompt}\n${facts}${more}`);
}
