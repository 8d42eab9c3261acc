/**
 * `rein kb list` and `rein kb remove`: what is in the knowledge base.
 *
 * @module
 */

import type { KnowledgeDocument } from "../retrieval/knowledge.ts";
import { absolutePath } from "../sandbox/grants.ts";
import type { KnowledgeCommandOptions } from "./kb_command.ts";
import { counted, type KnowledgeContext, print, tell, withKnowledge } from "./kb_open.ts";

const NO_EMBEDDER = { make: false, embedder: null };

function entryOf({ path, pieces, bytes, addedMs, state }: KnowledgeDocument) {
  return { path, pieces, bytes, added_at: new Date(addedMs).toISOString(), state };
}

function lineOf({ path, pieces, bytes, addedMs, state }: KnowledgeDocument): string {
  const day = new Date(addedMs).toISOString().slice(0, 10);
  const changed = state === "current" ? "" : `, ${state} since`;
  const size = counted(bytes, "byte");
  return `${path}  ${counted(pieces, "piece")}, ${size}, added ${day}${changed}\n`;
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
    if (documents.length === 0) await tell(context, "the knowledge base is empty");
    await print(context, output, {
      json: { documents: documents.map(entryOf) },
      text: documents.map(lineOf).join(""),
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
      await tell(context, `the knowledge base has nothing at "${path}"`);
    }
    await print(context, output, {
      json: { removed, unknown },
      text: `${counted(removed.length, "document")} removed\n`,
    });
    return unknown.length > 0 ? 1 : 0;
  });
}
