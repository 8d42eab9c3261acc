/**
 * `rein kb list` and `rein kb remove`: what is in the knowledge base.
 *
 * @module
 */

import { message, type Say } from "../messages/messages.ts";
import type { KnowledgeDocument } from "../retrieval/knowledge.ts";
import { absolutePath } from "../sandbox/grants.ts";
import type { KnowledgeCommandOptions } from "./kb_command.ts";
import { type KnowledgeContext, print, tell, withKnowledge } from "./kb_open.ts";

const NO_EMBEDDER = { make: false, embedder: null };

function entryOf({ path, pieces, bytes, addedMs, state }: KnowledgeDocument) {
  return { path, pieces, bytes, added_at: new Date(addedMs).toISOString(), state };
}

/** How a document stands beside its file, in the list. */
const LISTED = {
  current: "kb.listed",
  changed: "kb.listed_changed",
  gone: "kb.listed_gone",
} as const;

function lineOf({ path, pieces, bytes, addedMs, state }: KnowledgeDocument, say: Say): string {
  const day = new Date(addedMs).toISOString().slice(0, 10);
  const values = {
    path,
    pieces: message("kb.pieces", { count: pieces }),
    bytes: message("kb.bytes", { count: bytes }),
    day,
  };
  return `${say(LISTED[state], values)}\n`;
}

/**
 * Prints the documents by their paths.
 *
 * @returns The exit code, 0.
 * @throws {UsageError} If the knowledge base can't be used.
 */
export function listDocuments(
  { output }: KnowledgeCommandOptions,
  context: KnowledgeContext,
): Promise<number> {
  return withKnowledge(context, NO_EMBEDDER, async (knowledge) => {
    const documents = await knowledge?.list(context.signal) ?? [];
    if (documents.length === 0) await tell(context, message("kb.empty"));
    await print(context, output, {
      json: { documents: documents.map(entryOf) },
      text: documents.map((document) => lineOf(document, context.ports.say)).join(""),
    });
    return 0;
  });
}

/**
 * Removes documents, and those below directories.
 *
 * @returns The exit code: 1 if there was nothing at one of the paths.
 * @throws {UsageError} If the knowledge base can't be used.
 */
export function removeDocuments(
  paths: readonly string[],
  { output }: KnowledgeCommandOptions,
  context: KnowledgeContext,
): Promise<number> {
  return withKnowledge(context, NO_EMBEDDER, async (knowledge) => {
    const removed: string[] = [];
    const unknown: string[] = [];
    for (const path of new Set(paths)) {
      const found = knowledge?.remove(absolutePath(path, context.ports.files.cwd())) ?? [];
      removed.push(...found);
      if (found.length > 0) continue;
      unknown.push(path);
      await tell(context, message("kb.nothing_at", { path }));
    }
    const documents = message("kb.documents", { count: removed.length });
    await print(context, output, {
      json: { removed, unknown },
      text: `${context.ports.say("kb.removed", { documents })}\n`,
    });
    return unknown.length > 0 ? 1 : 0;
  });
}
