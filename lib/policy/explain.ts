/**
 * What a model is told where a call is not simply allowed.
 *
 * @module
 */
import type { Evaluation } from "../types.ts";

/** A refusal in words. */
export interface Explanation {
  /** Which part, which rule, why; one line. */
  readonly message: string;
  /** What to do instead; one line. */
  readonly hint: string;
}

/** Explains the strictest part of an evaluation. */
export function explain({ decision, parts }: Evaluation): Explanation {
  const part = parts.find((one) => one.decision === decision);
  const match = part?.matches[0];
  const text = (part?.text ?? "").replaceAll(/\s+/g, " ").slice(0, 200);
  const word = { allow: "is allowed", ask: "needs approval", deny: "is denied" }[decision];
  const suggestions = parts.flatMap(({ matches }) => matches)
    .filter((one) => one.decision === decision && one.suggest !== null);
  return {
    message: `"${text}" ${word} by rule ${match?.rule ?? "rein.empty"}: ${match?.reason ?? ""}`,
    hint: suggestions[0]?.suggest ?? "Find a way that only reads, or leave this step to a person",
  };
}
