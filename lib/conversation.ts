/**
 * The conversation of a session: what was said, turns with their results, and what is kept of what
 * has left the model's context.
 *
 * @module
 */

import type { Digest, EventBody, Fact } from "./events.ts";
import type { AssistantMessage, CallStatus, Message } from "./types.ts";

/** What somebody said: the person's task, or rein in its name. */
export interface SaidEntry {
  readonly kind: "said";
  /** From 1, in the order of the conversation. */
  readonly number: number;
  readonly content: string;
}

/** A turn of the model with the results of its calls: never parted. */
export interface RoundEntry {
  readonly kind: "round";
  readonly number: number;
  readonly step: number;
  readonly message: AssistantMessage;
  /** What came of each call, as the model reads it, by the call's id. */
  readonly results: Map<string, RoundResult>;
}

/** What came of a call. */
export interface RoundResult {
  readonly content: string;
  readonly done: DoneCall;
}

/** A call that has ended, in a few words. */
export interface DoneCall {
  readonly step: number;
  /** Its tool and its arguments: `run_shell ls /var/log`. */
  readonly what: string;
  readonly status: CallStatus;
  /** Its result: `3 lines`. */
  readonly summary: string;
}

/** A piece of the conversation. */
export type Entry = SaidEntry | RoundEntry;

/** What has left the model's context, and what is kept of it. */
export interface Compaction {
  /** The window that a server's refusal told of, in tokens; null if none did. */
  window: number | null;
  /** Tokens that one round takes at the most, uncorrected; null before the first compaction. */
  roundTokens: number | null;
  /** Up to this entry, what was said beside calls is shortened. */
  condensedThrough: number;
  /** Up to this entry, nothing is left in the conversation but the task. */
  summarisedThrough: number;
  /** The newest digests, the newest last. */
  digests: readonly Digest[];
  facts: readonly Fact[];
  /** Facts that are not among these any more, since there was no room for them. */
  factsLeft: number;
  /** Compactions so far. */
  count: number;
}

/** What the model's messages are made from. */
export interface Conversation {
  /** The conversation of the session, without what was summarised. */
  readonly entries: readonly Entry[];
  /** The number of the entry that is the task. */
  readonly taskEntry: number;
  readonly compaction: Compaction;
}

/** What a compaction says of the conversation. */
export type CompactionBody = Extract<EventBody, { type: "context_compacted" }>;

/** The conversation as a compaction leaves it; changes nothing. */
export function compacted(conversation: Conversation, body: CompactionBody): Conversation {
  const { entries, taskEntry, compaction } = conversation;
  const { summarised_through: through, digest } = body;
  const digests = digest === null ? compaction.digests : [...compaction.digests, digest];
  return {
    entries: entries.filter(({ number }) => number > through || number === taskEntry),
    taskEntry,
    compaction: {
      window: body.cause === "refused" ? body.window : compaction.window,
      roundTokens: body.round_tokens,
      condensedThrough: body.condensed_through,
      summarisedThrough: through,
      digests: digests.slice(Math.max(0, digests.length - body.digests_shown)),
      facts: body.facts,
      factsLeft: body.facts_left,
      count: compaction.count + 1,
    },
  };
}

/** The results of a round by the ids of their calls, in the order of the calls. */
export function resultsOf({ message, results }: RoundEntry): [string, RoundResult][] {
  return message.calls.flatMap(({ id }): [string, RoundResult][] => {
    const result = results.get(id);
    return result === undefined ? [] : [[id, result]];
  });
}

/** The messages of an entry: a call is never parted from its result. */
export function messagesOf(entry: Entry): Message[] {
  if (entry.kind === "said") return [{ role: "user", content: entry.content }];
  const results = resultsOf(entry).map(([callId, { content }]): Message => ({
    role: "tool",
    callId,
    content,
  }));
  return [entry.message, ...results];
}
