/**
 * What is kept of rounds that leave: by the model, in pieces that fit its window, or else by rein.
 *
 * @module
 */

import type { Digest, TokenUsage } from "../events.ts";
import type { Compaction, Entry } from "../record.ts";
import type { Budget } from "./budget.ts";
import { knownText } from "./known.ts";
import { mechanicalDigest } from "./mechanical.ts";
import {
  askSummary,
  SUMMARY_PROMPT_TOKENS,
  type SummaryPorts,
  summaryTokensOf,
} from "./summary.ts";
import { cutText } from "./fit_round.ts";

/** What is to be summed up. */
export interface Leaving {
  readonly task: string;
  readonly entries: readonly Entry[];
  /** What is known from before. */
  readonly known: Pick<Compaction, "facts" | "digests">;
  readonly budget: Budget;
}

/** What summing up counts and asks with. */
export interface SumUpPorts {
  /** Tokens by the server for each estimated one. */
  readonly factor: number;
  /** Null where the model is not asked. */
  readonly summary: SummaryPorts | null;
}

/** What was summed up. */
export interface SummedUp {
  readonly digest: Digest;
  /** `model`, if it wrote any of it. */
  readonly by: "model" | "rein";
  readonly usage: TokenUsage | null;
}

/** A model reads so much at once, or this share of a larger window: of more, much would get lost. */
const PIECE_TOKENS = 24_000;
const PIECE_SHARE = 0.12;

/** Pieces that the model is asked for; what is before them rein sums up. */
const MAX_PIECES = 4;

/** Below this the model is not asked: its instructions would be longer. */
const WORTH_ASKING_TOKENS = 400;

interface Piece {
  readonly entries: Entry[];
  tokens: number;
}

/** Whole entries in their order, in pieces of a bounded size; a longer one is a piece by itself. */
function piecesOf(entries: readonly Entry[], maxTokens: number): Piece[] {
  const pieces: Piece[] = [];
  for (const entry of entries) {
    const tokens = summaryTokensOf(entry);
    const last = pieces.at(-1);
    if (last && last.tokens + tokens <= maxTokens) {
      last.entries.push(entry);
      last.tokens += tokens;
    } else {
      pieces.push({ entries: [entry], tokens });
    }
  }
  return pieces;
}

function pieceTokensOf({ budget }: Leaving, factor: number): number {
  const known = budget.facts + budget.digests;
  const free = (budget.most - known) / factor - SUMMARY_PROMPT_TOKENS;
  return Math.floor(Math.min(Math.max(PIECE_TOKENS, budget.window * PIECE_SHARE), free));
}

function plus(one: TokenUsage | null, other: TokenUsage | null): TokenUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    estimated: one.estimated || other.estimated,
  };
}

/** Joins what was summed up piece by piece; the newest knows best what is open. */
function join(one: Digest, next: Digest): Digest {
  return {
    facts: [...one.facts, ...next.facts],
    decisions: [...one.decisions, ...next.decisions],
    open: next.open,
  };
}

class SumUp {
  readonly #leaving: Leaving;
  readonly #ports: SumUpPorts;
  #digest: Digest;
  #usage: TokenUsage | null = null;
  #by: SummedUp["by"] = "rein";
  /** A model that has failed once is not asked for the next piece. */
  #asks: boolean;

  constructor(leaving: Leaving, ports: SumUpPorts) {
    this.#leaving = leaving;
    this.#ports = ports;
    this.#asks = ports.summary !== null;
    this.#digest = { facts: [], decisions: [], open: leaving.known.digests.at(-1)?.open ?? [] };
  }

  async run(): Promise<SummedUp> {
    const maxTokens = pieceTokensOf(this.#leaving, this.#ports.factor);
    const pieces = piecesOf(this.#leaving.entries, Math.max(1, maxTokens));
    const tokens = pieces.reduce((sum, piece) => sum + piece.tokens, 0);
    if (tokens < WORTH_ASKING_TOKENS || maxTokens < WORTH_ASKING_TOKENS) this.#asks = false;
    for (const [index, { entries }] of pieces.entries()) {
      const asked = index >= pieces.length - MAX_PIECES
        ? await this.#ask(entries, maxTokens)
        : null;
      this.#digest = join(this.#digest, asked ?? mechanicalDigest(entries, this.#digest.open));
    }
    return { digest: this.#digest, by: this.#by, usage: this.#usage };
  }

  async #ask(entries: readonly Entry[], maxTokens: number): Promise<Digest | null> {
    const { summary } = this.#ports;
    if (!this.#asks || summary === null) return null;
    const { task } = this.#leaving;
    const piece = { task, known: this.#knownText(), entries, maxTokens };
    const { digest, usage } = await askSummary(piece, summary);
    this.#usage = plus(this.#usage, usage);
    this.#asks = digest !== null;
    if (digest !== null) this.#by = "model";
    return digest;
  }

  #knownText(): string | null {
    const { known, budget } = this.#leaving;
    const facts = [...known.facts, ...this.#digest.facts];
    const digests = [...known.digests, this.#digest];
    const text = knownText({ facts, digests, factsLeft: 0 }, false);
    const maxTokens = (budget.facts + budget.digests) / this.#ports.factor;
    return text === null ? null : cutText(text, maxTokens);
  }
}

/**
 * Sums up what leaves.
 *
 * @throws The signal's reason, if it is aborted.
 */
export function sumUp(leaving: Leaving, ports: SumUpPorts): Promise<SummedUp> {
  return new SumUp(leaving, ports).run();
}
