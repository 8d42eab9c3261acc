/**
 * Whether a run goes round in circles: the same call with the same result, again and again.
 *
 * @module
 */

import type { Json, Observation } from "./types.ts";

/** A call that comes again within so many calls is the same once more. Source: the design. */
export const NEAR_CALLS = 6;

/** How often the same call with the same result may be seen: the third time ends the run. */
export const MAX_TIMES = 3;

/** Fields of arguments that only say why a call is made. */
const COSMETIC: ReadonlySet<string> = new Set([
  ...["comment", "description", "explanation", "intent", "justification", "note", "purpose"],
  ...["rationale", "reason", "reasoning", "summary", "thought", "thoughts", "title"],
]);

/** Fields of results that say how long something took. */
const TIMES = /^(ms|elapsed|duration|seconds)$|_(ms|seconds)$/;

/** The same value whatever the order of its keys and the white space in its texts. */
function canonical(value: Json | undefined, left: (key: string) => boolean): string {
  if (typeof value === "string") return JSON.stringify(value.replace(/\s+/g, " ").trim());
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  if (Array.isArray(value)) {
    return `[${value.map((item: Json) => canonical(item, left)).join(",")}]`;
  }
  const fields = Object.entries(value)
    .filter(([key]) => left(key))
    .toSorted(([a], [b]) => a < b ? -1 : 1)
    .map(([key, item]) => `${JSON.stringify(key)}:${canonical(item as Json, left)}`);
  return `{${fields.join(",")}}`;
}

/** The result as far as it can be compared: each output that is kept has another id. */
function resultOf({ status, data, error }: Observation): string {
  const result = canonical(data ?? error?.code ?? null, (key) => !TIMES.test(key));
  return `${status} ${result.replace(/\bout\d+\b/g, "out")}`;
}

/** One call as it is compared. */
export interface ComparedCall {
  readonly tool: string;
  readonly arguments: Json;
  readonly observation: Observation;
  /** The step in which it was made: a model has not seen the results of its own turn. */
  readonly step: number;
}

/** The same text for the same call with the same result. */
function signatureOf({ tool, arguments: args, observation }: ComparedCall): string {
  // A tool that does not exist is the same mistake whatever it is given.
  const given = observation.error?.code === "unknown_tool"
    ? ""
    : canonical(args, (key) => !COSMETIC.has(key));
  return `${tool} ${given} ${resultOf(observation)}`;
}

interface Seen {
  readonly times: number;
  readonly index: number;
  readonly step: number;
}

/** The calls of a run, as far back as they matter. */
export class Repetition {
  readonly #seen = new Map<string, Seen>();
  #count = 0;
  #most = 0;

  /** Whether some call has been seen too often. */
  get tooOften(): boolean {
    return this.#most >= MAX_TIMES;
  }

  /** How often a call has been seen once it is added; 1 for a new one. Changes nothing. */
  timesOf(call: ComparedCall): number {
    const before = this.#seen.get(signatureOf(call));
    if (before === undefined || this.#count - before.index > NEAR_CALLS) return 1;
    return before.step === call.step ? before.times : before.times + 1;
  }

  /** Adds a finished call. */
  add(call: ComparedCall): void {
    const times = this.timesOf(call);
    const signature = signatureOf(call);
    this.#seen.delete(signature);
    this.#seen.set(signature, { times, index: this.#count++, step: call.step });
    this.#most = Math.max(this.#most, times);
    for (const [old, { index }] of this.#seen) {
      if (this.#count - index <= NEAR_CALLS) return;
      this.#seen.delete(old);
    }
  }
}
