/**
 * `rein kb add`: documents into the knowledge base.
 *
 * @module
 */

import { message, type Say } from "../messages/messages.ts";
import type { AddedFile, Knowledge } from "../retrieval/knowledge.ts";
import { absolutePath } from "../sandbox/grants.ts";
import { Interruption, SIGNAL_EXIT_CODES } from "./exit_code.ts";
import { UsageError } from "./failure.ts";
import type { KnowledgeCommandOptions } from "./kb_command.ts";
import { type KnowledgeContext, print, tell, withKnowledge } from "./kb_open.ts";
import { embedderHere } from "./embedder.ts";

/** After as many files people are told how far it is. */
const PROGRESS_FILES = 100;

/** Files that are named as refused. */
const MAX_NAMED = 20;

/** Pieces that get a vector at once: some minutes of a small server. */
const MAX_EMBEDDED = 20_000;

/** Adds all, and tells people of it; what is done is in `files`, even if it ends early. */
async function addAll(
  knowledge: Knowledge,
  paths: readonly string[],
  files: AddedFile[],
  context: KnowledgeContext,
): Promise<void> {
  let refused = 0;
  for (const path of paths) {
    for await (const file of knowledge.add(path, context.signal)) {
      files.push(file);
      if (file.outcome === "refused" && ++refused <= MAX_NAMED) {
        await tell(context, message("kb.skipped", { why: file.reason ?? "" }));
      }
      if (files.length % PROGRESS_FILES === 0) {
        await tell(context, message("kb.so_far", { count: files.length }));
      }
    }
  }
  if (refused > MAX_NAMED) {
    await tell(context, message("kb.skipped_more", { count: refused - MAX_NAMED }));
  }
  for (const note of await knowledge.embed(MAX_EMBEDDED, context.signal)) await tell(context, note);
}

function report(files: readonly AddedFile[], say: Say) {
  const pathsOf = (outcome: AddedFile["outcome"]) =>
    files.filter((file) => file.outcome === outcome).map(({ path }) => path);
  const [added, replaced, unchanged] = [
    pathsOf("added"),
    pathsOf("replaced"),
    pathsOf("unchanged"),
  ];
  const refused = files.filter(({ outcome }) => outcome === "refused")
    .map(({ path, reason }) => ({ path, reason }));
  const pieces = files.reduce((sum, file) => sum + file.pieces, 0);
  const text = say("kb.added", {
    documents: message("kb.documents", { count: added.length }),
    replaced: replaced.length,
    unchanged: unchanged.length,
    pieces: message("kb.pieces", { count: pieces }),
  });
  return { json: { added, replaced, unchanged, refused, pieces }, text: `${text}\n` };
}

/**
 * Adds what is at the paths.
 *
 * @returns The exit code: 1 if something that was named itself could not be added, or that of the
 * signal that interrupted it.
 * @throws {UsageError} If the knowledge base can't be used.
 */
export async function addDocuments(
  paths: readonly string[],
  { output }: KnowledgeCommandOptions,
  context: KnowledgeContext,
): Promise<number> {
  const { ports, signal } = context;
  const embedder = await embedderHere(ports, signal);
  return await withKnowledge(context, { make: true, embedder }, async (knowledge) => {
    if (knowledge === null) {
      throw new UsageError(message("kb.no_place"), message("kb.no_place_hint"));
    }
    const named = [...new Set(paths.map((path) => absolutePath(path, ports.files.cwd())))];
    const files: AddedFile[] = [];
    try {
      await addAll(knowledge, named, files, context);
    } catch (error) {
      if (!(signal.aborted && signal.reason instanceof Interruption)) throw error;
      await tell(context, message("kb.interrupted"));
    }
    await print(context, output, report(files, ports.say));
    if (signal.reason instanceof Interruption) return SIGNAL_EXIT_CODES[signal.reason.signal];
    const failed = files.some(({ path, outcome }) => outcome === "refused" && named.includes(path));
    return failed ? 1 : 0;
  });
}
