/**
 * `rein kb search`: passages of the knowledge base.
 *
 * @module
 */

import type { Found, Hit } from "../retrieval/passages.ts";
import type { KnowledgeCommandOptions } from "./kb_command.ts";
import { type KnowledgeContext, print, tell, withKnowledge } from "./kb_open.ts";
import { embedderHere } from "./embedder.ts";

const NOTHING: Found = { hits: [], notes: [] };

/** A passage for people: its place, and its text indented. */
function textOf({ place, excerpt, exact }: Hit): string {
  const lines = excerpt.split("\n").map((line) => `    ${line}`.trimEnd());
  return `${place}${exact ? "" : " (similar)"}\n${lines.join("\n")}\n`;
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
    if (knowledge === null) await tell(context, "the knowledge base is empty");
    const { hits, notes } = await knowledge?.search(query, limit, signal) ?? NOTHING;
    for (const note of notes) await tell(context, note);
    if (knowledge !== null && hits.length === 0) await tell(context, "nothing was found");
    await print(context, output, {
      json: { query, hits: hits.map(({ source, ...hit }) => ({ path: source, ...hit })), notes },
      text: hits.map(textOf).join("\n"),
    });
    return hits.length === 0 ? 1 : 0;
  });
}
