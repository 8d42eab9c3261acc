/**
 * What a model is shown that is asked for its last words: as much as fits.
 *
 * @module
 */

import type { Conversation, Entry } from "../record.ts";

/** What fits, and how that is told. */
export interface LastWordsOptions {
  /** Tokens that the request may take. */
  readonly most: number;
  /** Tokens by the server for each estimated one. */
  readonly factor: number;
  /** Tokens of the request that a conversation would come to. */
  tokensOf(conversation: Conversation): number;
}

/** The task and the newest entries, as many of these. */
function withNewest({ entries, taskEntry }: Conversation, count: number): Entry[] {
  const first = entries.length - count;
  return entries.filter(({ number }, index) => number === taskEntry || index >= first);
}

/** With what is known or without it, and the newest entries that fit, shortened if need be. */
function shortened(base: Conversation, options: LastWordsOptions): Conversation | null {
  const { most, factor, tokensOf } = options;
  const bare = { ...base, entries: withNewest(base, 0) };
  const free = most - tokensOf(bare);
  if (free < 0) return null;
  const half = Math.floor(free / 2 / factor);
  const roundTokens = Math.min(base.compaction.roundTokens ?? half, half);
  const shorter = { ...base, compaction: { ...base.compaction, roundTokens } };
  let best: Conversation = bare;
  for (let count = 1; count <= base.entries.length; count++) {
    const more = { ...shorter, entries: withNewest(base, count) };
    if (tokensOf(more) > most) break;
    best = more;
  }
  return best;
}

/**
 * Chooses what the last request shows.
 *
 * @returns Null where there is nothing to sum up, or not even the task fits.
 */
export function lastWords(
  conversation: Conversation,
  options: LastWordsOptions,
): Conversation | null {
  const { entries, taskEntry, compaction } = conversation;
  const begun = entries.some(({ kind, number }) => kind === "round" && number > taskEntry);
  if (!begun && compaction.summarisedThrough <= taskEntry) return null;
  if (options.tokensOf(conversation) <= options.most) return conversation;
  const unknowing = { ...compaction, facts: [], digests: [], factsLeft: 0 };
  return shortened(conversation, options) ??
    shortened({ ...conversation, compaction: unknowing }, options);
}
