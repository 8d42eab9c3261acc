/**
 * Holding a final answer to its form: checked, and asked for again where it does not fit.
 *
 * @module
 */

import type { EventBody, RunError } from "../events.ts";
import type { JsonObject } from "../types.ts";
import type { AnswerForm } from "./form.ts";

/** How often a model is asked for its answer again. Source: the issue on programs. */
export const MAX_CORRECTIONS = 2;

/** Said behind the progress of every step: nothing but the final answer is meant. */
export function formReminder(schema: JsonObject): string {
  return "Once you can answer, answer with one JSON value that fits this JSON Schema, and with " +
    `nothing else, no text around it and no code fence: ${JSON.stringify(schema)}`;
}

/** The last line of the request for another answer. */
export function formRequest(schema: JsonObject): string {
  return "No more tools can be called. Answer now with one JSON value that fits this JSON " +
    `Schema, and with nothing else: ${JSON.stringify(schema)}`;
}

function correctionOf(errors: readonly string[]): string {
  return `Your answer does not fit its JSON Schema: ${errors.join("; ")}. Answer again with the ` +
    "same content as JSON that fits. Invent nothing: where something was not obtained, use what " +
    "the schema has for that.";
}

/** What a checked answer is told as. */
export type AnswerChecked = Extract<EventBody, { type: "answer_checked" }>;

/**
 * Checks a final answer.
 *
 * @param text The answer as the model gave it.
 * @param corrections How often it was asked for again.
 * @param mayAsk Whether the run has anything left to ask with.
 */
export function checkedAnswer(
  form: AnswerForm,
  text: string,
  { corrections, mayAsk }: { readonly corrections: number; readonly mayAsk: boolean },
): AnswerChecked {
  const type = "answer_checked";
  const checked = form.check(text);
  if (checked.fits) {
    const { text: answer, data } = checked;
    return { type, fits: true, answer, data, errors: [], corrections, correction: null };
  }
  const { errors } = checked;
  const again = mayAsk && corrections < MAX_CORRECTIONS;
  const correction = again ? correctionOf(errors) : null;
  return { type, fits: false, answer: null, data: null, errors, corrections, correction };
}

/** Why a run ends whose answer does not fit. */
export function unmetError({ errors, corrections }: AnswerChecked): RunError {
  const times = corrections === 1 ? "1 correction" : `${corrections} corrections`;
  return {
    code: "schema_unmet",
    message: `The answer does not fit the schema after ${times}: ${errors.join("; ")}`,
    hint: "Look at the schema and the question, or use another model.",
  };
}
