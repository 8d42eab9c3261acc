/**
 * The knowledge base as a run has it.
 *
 * @module
 */

import { DatabaseError, type Ports } from "../ports.ts";
import type { Embedder } from "../retrieval/embed.ts";
import type { KnowledgeSource } from "../retrieval/knowledge.ts";
import { knowledgeExists } from "../retrieval/knowledge_path.ts";

/** How a run gets at it. */
export interface KnowledgeOptions {
  /** Asked only where there is a knowledge base. */
  readonly embedder: () => Promise<Embedder | null>;
  /** Told of one that can't be used. */
  readonly warn: (text: string) => Promise<void>;
}

/**
 * Finds the knowledge base. Where there is none, that takes one look at its file.
 *
 * @returns Null if there is none, no document in it, or if it can't be used.
 */
export async function knowledgeOfRun(
  ports: Pick<Ports, "databases" | "files" | "clock">,
  { embedder, warn }: KnowledgeOptions,
): Promise<KnowledgeSource | null> {
  if (!await knowledgeExists(ports)) return null;
  const { findKnowledge } = await import("../retrieval/knowledge.ts");
  try {
    return await findKnowledge(ports, await embedder());
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    await warn(`The knowledge base is left out: ${error.message}`);
    return null;
  }
}
