/**
 * How a model's window is shared out.
 *
 * @module
 */

/** Shares of a window, in tokens. */
export interface Budget {
  /** What the model takes at once, the answer included. */
  readonly window: number;
  /** A request of more than this is not sent: at least a tenth is left for the answer. */
  readonly most: number;
  /** A request of more than this is compacted first. */
  readonly highWater: number;
  /** What a compaction aims at. */
  readonly lowWater: number;
  /** For what is known. */
  readonly facts: number;
  /** For what was decided and what is open. */
  readonly digests: number;
  /** For the newest rounds, which stay whole. */
  readonly recent: number;
  /** For the newest round alone. */
  readonly round: number;
  /** What a compaction must free to be worth it. */
  readonly progress: number;
}

/** Left for the answer, at the least. Source: the issue. */
const ANSWER_SHARE = 0.1;

/** Left for the answer where the window is small, but never more than twice the least. */
const ANSWER_TOKENS = 2000;

/** What is left free beside the answer, for the estimate's error. */
const HIGH_WATER_SHARE = 0.85;

/**
 * Shares of the room that the system prompt, the tools and the task leave; together little more
 * than half, so that a compaction buys as many steps as it keeps.
 */
const FACTS_SHARE = 0.16;
const DIGESTS_SHARE = 0.08;
const RECENT_SHARE = 0.3;

/** More than this nobody reads, however large the window. */
const FACTS_TOKENS = 6000;
const DIGESTS_TOKENS = 3000;

/** Source: the issue. */
const PROGRESS_SHARE = 0.05;

/** One round takes this share of the window at the most, and half of what is free. */
export const ROUND_SHARE = 0.25;

/** Tokens left for the answer: a tenth of the window, up to a fifth where that is little. */
export function answerTokens(window: number): number {
  const least = Math.ceil(window * ANSWER_SHARE);
  return Math.max(least, Math.min(ANSWER_TOKENS, 2 * least));
}

/**
 * Shares out a window.
 *
 * @param window Tokens that the model takes at once; from 1.
 * @param fixed Tokens of what is in every request: system prompt, tools, task, last line.
 * @returns Whole tokens; shares are 0 where the fixed part leaves no room.
 */
export function budgetOf(window: number, fixed: number): Budget {
  const most = window - Math.ceil(window * ANSWER_SHARE);
  const highWater = Math.min(
    window - answerTokens(window),
    Math.floor(window * HIGH_WATER_SHARE),
  );
  const room = Math.max(0, highWater - fixed);
  const facts = Math.min(FACTS_TOKENS, Math.floor(room * FACTS_SHARE));
  const digests = Math.min(DIGESTS_TOKENS, Math.floor(room * DIGESTS_SHARE));
  const recent = Math.floor(room * RECENT_SHARE);
  return {
    window,
    most,
    highWater,
    lowWater: Math.min(highWater, fixed + facts + digests + recent),
    facts,
    digests,
    recent,
    round: Math.floor(Math.min(window * ROUND_SHARE, Math.max(0, most - fixed) / 2)),
    progress: Math.ceil(window * PROGRESS_SHARE),
  };
}
