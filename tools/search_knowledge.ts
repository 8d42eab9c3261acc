/**
 * `search_knowledge`: documents that the person gave rein to know.
 *
 * @module
 */

import { DatabaseError } from "../lib/ports.ts";
import { clip } from "../lib/results/characters.ts";
import type { Hit } from "../lib/retrieval/passages.ts";
import type { KnowledgeSource } from "../lib/retrieval/knowledge.ts";
import type { Tool, ToolOutcome } from "../lib/types.ts";

/** What the model may ask for. */
export interface SearchKnowledgeArgs {
  readonly query: string;
  readonly limit?: number;
}

/** Passages given if no limit is asked for, and at the most. */
const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 8;

/** Characters of all passages together, so that they pass the last resort whole. */
const ALL_CHARS = 7000;

function passagesOf(hits: readonly Hit[]): string {
  const chars = Math.floor(ALL_CHARS / Math.max(DEFAULT_LIMIT, hits.length));
  return hits.map(({ place, excerpt }) => `[${place}]\n${clip(excerpt, chars)}`).join("\n\n");
}

async function search(
  knowledge: KnowledgeSource,
  { query, limit = DEFAULT_LIMIT }: SearchKnowledgeArgs,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { hits, notes } = await knowledge.search(query, limit, signal);
  const similar = hits.every(({ exact }) => !exact);
  const note = [
    ...(hits.length === 0 ? ["Nothing was found; try other words."] : []),
    ...(hits.length > 0 && similar ? ["None has every word; these are similar."] : []),
    ...notes,
  ].join(" ");
  return {
    ok: true,
    data: {
      passages: passagesOf(hits),
      found: hits.length,
      ...(note === "" ? {} : { note }),
    },
    summary: hits.length === 1 ? "1 passage" : `${hits.length} passages`,
  };
}

/** Builds the tool. */
export function createSearchKnowledge(knowledge: KnowledgeSource): Tool<SearchKnowledgeArgs> {
  return {
    name: "search_knowledge",
    description:
      "Search the documents that the person collected (runbooks, manuals, notes). Cite " +
      "the place that stands before each passage.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 300, description: "Words to find." },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: MAX_LIMIT,
          description: `Passages at the most; ${DEFAULT_LIMIT} if left out.`,
        },
      },
      required: ["query"],
      additionalProperties: false,
    },
    effect: "read",
    timeoutMs: 30_000,
    limits: { passages: { head: ALL_CHARS, tail: 500 } },
    subjects: () => [{ kind: "path", access: "read", path: knowledge.path }],
    brief: ({ query }) => query,
    run: async (args, { signal }) => {
      try {
        return await search(knowledge, args, signal);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        const { message } = error;
        const hint = "Go on without it, and say so.";
        return { ok: false, error: { code: "knowledge", message, hint, retriable: false } };
      }
    },
  };
}
