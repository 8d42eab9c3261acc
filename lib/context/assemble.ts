/**
 * What the model sees: system prompt, conversation, one progress line. What
 * changes every step comes last, so that a server's prompt cache keeps the rest.
 *
 * @module
 */

import { messagesOf, type RunRecord } from "../record.ts";
import type { Message } from "../types.ts";
import systemPrompt from "./system.txt" with { type: "text" };

/** Facts about the place where rein runs. */
export interface Place {
  readonly os: string;
  readonly cwd: string;
  /** The day, as `2026-11-29`. */
  readonly date: string;
}

/** The messages of a request. */
export type Assembler = (record: RunRecord, last: string) => readonly Message[];

/** Builds the assembler of a run. */
export function createAssembler(place: Place): Assembler {
  const facts = `System: ${place.os}. Working directory: ${place.cwd}. Date: ${place.date}.`;
  const system: Message = { role: "system", content: `${systemPrompt}\n${facts}` };
  return (record, last) => [
    system,
    ...record.entries.flatMap(messagesOf),
    { role: "user", content: last },
  ];
}
