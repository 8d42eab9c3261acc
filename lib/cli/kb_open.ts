/**
 * What the commands of `rein kb` share.
 *
 * @module
 */

import { message, type Text } from "../messages/messages.ts";
import { tell as told } from "../messages/recognise.ts";
import { DatabaseError, type Ports } from "../ports.ts";
import type { Embedder } from "../retrieval/embed.ts";
import { type Knowledge, openKnowledge } from "../retrieval/knowledge.ts";
import { UsageError } from "./failure.ts";
import { printable } from "./printable.ts";

/** The process around a command. */
export interface KnowledgeContext {
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** The form of what the commands print for programs. */
export const SCHEMA = "rein-kb/1";

/**
 * Works with the knowledge base, and closes it.
 *
 * @param options `make`: whether it is made where it is missing. `embedder`: null for words alone.
 * @param work Handed null where there is none.
 * @throws {UsageError} If it can't be used.
 */
export async function withKnowledge<T>(
  { ports }: KnowledgeContext,
  options: { readonly make: boolean; readonly embedder: Embedder | null },
  work: (knowledge: Knowledge | null) => Promise<T>,
): Promise<T> {
  let knowledge: Knowledge | null = null;
  try {
    knowledge = await openKnowledge(ports, options);
    return await work(knowledge);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    const hint = error.code === "damaged"
      ? message("kb.damaged_hint")
      : message("kb.unusable_hint");
    throw new UsageError(error.message, hint, error);
  } finally {
    knowledge?.close();
  }
}

/** Prints one object for programs, or text for people. */
export async function print(
  { ports }: KnowledgeContext,
  output: "text" | "json",
  { json, text }: { readonly json: object; readonly text: string },
): Promise<void> {
  const line = `${JSON.stringify({ schema: SCHEMA, ...json })}\n`;
  await ports.terminal.out(output === "json" ? line : printable(text));
}

/** Tells people something beside the result, in one line. */
export async function tell({ ports }: KnowledgeContext, text: Text): Promise<void> {
  const words = told(text, ports.say).replace(/\s+/g, " ");
  await ports.terminal.err(printable(`rein: ${words}\n`));
}
