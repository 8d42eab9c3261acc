/**
 * What the model sees: system prompt, conversation, one progress line. What
 * changes every step comes last, so that a server's prompt cache keeps the rest.
 *
 * @module
 */

import type { RunRecord } from "../record.ts";
import type { Message } from "../types.ts";
import systemPrompt from "./system.txt" with { type: "text" };

/** Facts about the place where rein runs. */
export interface Place {
  readonly os: string;
  readonly cwd: string;
  /** The day, as `2026-11-29`. */
  readonly date: string;
}

/**
 * Turns a run's record into the messages of the next request.
 *
 * @param last What is said behind everything else: how far the run is, or a closing request.
 */
export type Assembler = (record: RunRecord, last: string) => readonly Message[];

/** Said with the last request of a run that reached its step limit. */
export const SUMMARY_REQUEST =
  "The step limit is reached; no more tools can be called. Answer now in text: what was found, " +
  "what that says about the task, and what is still open.";

/** Says how far a run is: `[Step 3/15]`. */
export function progressLine(record: RunRecord, maxSteps: number): string {
  return `[Step ${record.steps}/${maxSteps}]`;
}

/** Builds the assembler of a run. */
export function createAssembler(place: Place): Assembler {
  const facts = `System: ${place.os}. Working directory: ${place.cwd}. Date: ${place.date}.`;
  const system: Message = { role: "system", content: `${systemPrompt}\n${facts}` };
  return (record, last) => [system, ...record.messages, { role: "user", content: last }];
}
