/**
 * Making a conversation shorter: first what was said beside calls, then whole rounds, which leave
 * facts, decisions and open points behind.
 *
 * @module
 */

import type { Digest } from "../events.ts";
import {
  compacted,
  type CompactionBody,
  type Conversation,
  type Entry,
  type RoundEntry,
} from "../record.ts";
import type { Budget } from "./budget.ts";
import { keepFacts } from "./facts.ts";
import { sumUp, type SumUpPorts } from "./sum_up.ts";

/** What is to be made shorter, and how far. */
export interface Need {
  readonly conversation: Conversation;
  readonly task: string;
  readonly cause: CompactionBody["cause"];
  readonly budget: Budget;
  /** Tokens of the request as it would be made now. */
  readonly tokensBefore: number;
}

/** What a compaction counts and asks with. */
export interface CompactPorts extends SumUpPorts {
  /** Tokens of the request that a conversation would come to. */
  requestTokens(conversation: Conversation): number;
  /** Tokens of an entry as it stands in a conversation. */
  entryTokens(entry: Entry, conversation: Conversation): number;
  /** Tokens of a text. */
  textTokens(text: string): number;
}

/** The newest rounds, in which nothing that was said is shortened. */
const WHOLE_ROUNDS = 2;

/** Digests whose decisions are shown at the most. */
const MAX_DIGESTS = 8;

/** Tokens around a line of a list: its dash and its end. */
const LINE_TOKENS = 3;

/** Where even the newest round does not fit, its share is halved so often. */
const MAX_HALVINGS = 3;

function lineTokens(text: string, ports: CompactPorts): number {
  return ports.textTokens(text) + LINE_TOKENS;
}

function isRound(entry: Entry): entry is RoundEntry {
  return entry.kind === "round";
}

function condenseThrough({ entries, compaction }: Conversation): number {
  const older = entries.filter(isRound).at(-1 - WHOLE_ROUNDS)?.number ?? 0;
  return Math.max(compaction.condensedThrough, older);
}

/** A compaction by which nothing leaves but the ends of thoughts and of long rounds. */
function condensing({ conversation, cause, budget, tokensBefore }: Need, factor: number) {
  const { compaction } = conversation;
  return {
    type: "context_compacted",
    cause,
    window: budget.window,
    tokens_before: tokensBefore,
    tokens_after: tokensBefore,
    condensed_through: condenseThrough(conversation),
    summarised_through: compaction.summarisedThrough,
    round_tokens: Math.floor(budget.round / factor),
    by: null,
    digest: null,
    facts: compaction.facts,
    facts_left: compaction.factsLeft,
    digests_shown: compaction.digests.length,
    usage: null,
  } as const satisfies CompactionBody;
}

/** The first of the newest entries that stay: as many as fit, the newest round of the task always. */
function firstKept(conversation: Conversation, budget: Budget, ports: CompactPorts): number {
  const { entries, taskEntry } = conversation;
  const newest = entries.findLast(isRound)?.number ?? 0;
  let first = entries.length;
  let tokens = 0;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index]!;
    if (entry.number !== taskEntry) tokens += ports.entryTokens(entry, conversation);
    const never = entry.number > taskEntry && entry.number >= newest;
    if (tokens > budget.recent && !never) break;
    first = index;
  }
  return first;
}

/** What leaves, the oldest first; never the task. */
function leavingOf(conversation: Conversation, budget: Budget, ports: CompactPorts): Entry[] {
  const { entries, taskEntry } = conversation;
  return entries.slice(0, firstKept(conversation, budget, ports))
    .filter(({ number }) => number !== taskEntry);
}

/** As many points as fit, what is open first. */
function boundPoints(digest: Digest, maxTokens: number, ports: CompactPorts): Digest {
  let left = maxTokens;
  const fit = (points: readonly string[]) =>
    points.filter((point) => {
      left -= lineTokens(point, ports);
      return left >= 0;
    });
  const open = fit(digest.open);
  return { facts: digest.facts, open, decisions: fit(digest.decisions) };
}

/** How many of the newest digests there is room for. */
function shownDigests(digests: readonly Digest[], maxTokens: number, ports: CompactPorts): number {
  let shown = 0;
  let tokens = 0;
  for (const { decisions, open } of digests.toReversed().slice(0, MAX_DIGESTS)) {
    const points = shown === 0 ? [...decisions, ...open] : decisions;
    for (const point of points) tokens += lineTokens(point, ports);
    if (tokens > maxTokens && shown > 0) break;
    shown++;
  }
  return shown;
}

/** A compaction with the tokens that it comes to. */
function counted(body: CompactionBody, need: Need, ports: CompactPorts): CompactionBody {
  const tokens = ports.requestTokens(compacted(need.conversation, body));
  return { ...body, tokens_after: tokens };
}

/** A smaller share for each round, where the request would not fit otherwise. */
function fitting(body: CompactionBody, need: Need, ports: CompactPorts): CompactionBody {
  let tried = counted(body, need, ports);
  for (let halvings = 0; halvings < MAX_HALVINGS; halvings++) {
    if (tried.tokens_after <= need.budget.most) break;
    tried = counted({ ...tried, round_tokens: Math.floor(tried.round_tokens / 2) }, need, ports);
  }
  return tried;
}

async function summarising(
  without: CompactionBody,
  leaving: readonly Entry[],
  need: Need,
  ports: CompactPorts,
): Promise<CompactionBody> {
  const { conversation: { compaction }, task, budget } = need;
  const sum = await sumUp({ task, entries: leaving, known: compaction, budget }, ports);
  const digest = boundPoints(sum.digest, budget.digests, ports);
  const known = [...compaction.facts, ...digest.facts];
  const kept = keepFacts(known, budget.facts, ({ text }) => lineTokens(text, ports));
  const digests = [...compaction.digests, digest];
  return {
    ...without,
    by: sum.by,
    digest,
    facts: kept.facts,
    facts_left: compaction.factsLeft + kept.left,
    digests_shown: shownDigests(digests, budget.digests, ports),
    usage: sum.usage,
  };
}

/**
 * Works out a compaction; the model is asked for a summary where that is worth it.
 *
 * @returns Null where too little can leave for it to be worth it, or to fit.
 * @throws The signal's reason, if it is aborted.
 */
export async function compactionOf(
  need: Need,
  ports: CompactPorts,
): Promise<CompactionBody | null> {
  const { conversation, budget, tokensBefore } = need;
  const plain = counted(condensing(need, ports.factor), need, ports);
  if (plain.tokens_after <= budget.lowWater) return plain;
  const leaving = leavingOf(compacted(conversation, plain), budget, ports);
  const through = leaving.at(-1)?.number ?? conversation.compaction.summarisedThrough;
  const without = fitting({ ...plain, summarised_through: through }, need, ports);
  const freed = tokensBefore - without.tokens_after;
  if (freed < budget.progress || without.tokens_after > budget.most) return null;
  if (leaving.length === 0) return without;
  return fitting(await summarising(without, leaving, need, ports), need, ports);
}
