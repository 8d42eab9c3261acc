/**
 * `rein kb search`: passages of the knowledge base.
 *
 * @module
 */

import { message, type Say } from "../messages/messages.ts";
import type { Found, Hit } from "../retrieval/passages.ts";
import type { KnowledgeCommandOptions } from "./kb_command.ts";
import { type KnowledgeContext, print, tell, withKnowledge } from "./kb_open.ts";
import { embedderHere } from "./embedder.ts";

const NOTHING: Found = { hits: [], notes: [] };

/** A passage for people: its place, and its text indented. */
function textOf({ place, excerpt, exact }: Hit, say: Say): string {
  const lines = excerpt.split("\n").map((line) => `    ${line}`.trimEnd());
  const head = exact ? place : say("kb.similar", { place });
  return `${head}\n${lines.join("\n")}\n`;
}

/**
 * Prints passages, best first.
 *
 * @returns The exit code: 1 if nothing was found.
 * @throws {UsageError} If the knowledge base can't be used.
 */
export async function searchDocuments(
  query: string,
  { output, limit }: KnowledgeCommandOptions & { readonly limit: number },
  context: KnowledgeContext,
): Promise<number> {
  const { ports, signal } = context;
  const embedder = await embedderHere(ports, signal);
  return await withKnowledge(context, { make: false, embedder }, async (knowledge) => {
    if (knowledge === null) await tell(context, message("kb.empty"));
    const { hits, notes } = await knowledge?.search(query, limit, signal) ?? NOTHING;
    for (const note of notes) await tell(context, note);
    if (knowledge !== null && hits.length === 0) await tell(context, message("kb.nothing_found"));
    await print(context, output, {
      json: { query, hits: hits.map(({ source, ...hit }) => ({ path: source, ...hit })), notes },
      text: hits.map((hit) => textOf(hit, ports.say)).join("\n"),
    });
    return hits.length === 0 ? 1 : 0;
  });
}
