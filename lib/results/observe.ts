/**
 * From a tool's outcome to what a model gets to see.
 *
 * @module
 */

import type {
  Json,
  JsonObject,
  Observation,
  ObservationError,
  TextLimit,
  ToolOutcome,
  Truncation,
} from "../types.ts";
import { clip } from "./characters.ts";
import { limitText } from "./head_tail.ts";

/** Characters of one observation at the most, whatever the tool. Source: the design. */
export const LAST_RESORT_CHARS = 8000;

/** Room for the status and for what is said of cuts. */
const ENVELOPE_CHARS = 400;

/** Characters of an error's message and of its hint: names and texts of calls stand in them. */
const ERROR_CHARS = 1000;

/** A text field is never cut below this by the last resort. */
const LEAST_FIELD_CHARS = 200;

interface Bounded {
  readonly data: JsonObject;
  readonly truncated: readonly Truncation[];
}

function cutField(bounded: Bounded, field: string, text: string, limit: TextLimit): Bounded {
  const limited = limitText(text, limit);
  if (limited.omittedChars === 0) return bounded;
  const { totalChars, omittedChars, omittedLines } = limited;
  return {
    data: { ...bounded.data, [field]: limited.text },
    truncated: [...bounded.truncated, { field, totalChars, omittedChars, omittedLines }],
  };
}

function longestText(data: JsonObject): [string, string] | null {
  let longest: [string, string] | null = null;
  for (const [field, value] of Object.entries(data)) {
    if (typeof value === "string" && value.length > (longest?.[1].length ?? LEAST_FIELD_CHARS)) {
      longest = [field, value];
    }
  }
  return longest;
}

function halves(chars: number): TextLimit {
  const head = Math.ceil(chars / 2);
  return { head, tail: chars - head };
}

/** Cuts the longest texts until everything fits; what is no text is cut as JSON. */
function boundWhole(bounded: Bounded): Bounded {
  const most = LAST_RESORT_CHARS - ENVELOPE_CHARS;
  for (let current = bounded;;) {
    const json = JSON.stringify(current.data);
    if (json.length <= most) return current;
    const longest = longestText(current.data);
    if (longest === null) {
      return cutField({ ...current, data: {} }, "json", json, halves(most / 2));
    }
    const [field, text] = longest;
    const escaped = JSON.stringify(text).length / text.length;
    const wanted = text.length - Math.ceil((json.length - most) / escaped) - ENVELOPE_CHARS;
    const kept = Math.max(LEAST_FIELD_CHARS / 2, Math.min(wanted, text.length / 2));
    current = cutField(current, field, text, halves(Math.floor(kept)));
  }
}

function bound(data: JsonObject, limits: { readonly [field: string]: TextLimit }): Bounded {
  let bounded: Bounded = { data, truncated: [] };
  for (const [field, limit] of Object.entries(limits)) {
    const value = data[field];
    if (typeof value === "string") bounded = cutField(bounded, field, value, limit);
  }
  return boundWhole(bounded);
}

/** A failed call as an observation; what its error says is bounded too. */
export function failed(
  status: Exclude<Observation["status"], "success">,
  error: ObservationError,
): Observation {
  const message = clip(error.message, ERROR_CHARS);
  const bounded = { ...error, message, hint: clip(error.hint, ERROR_CHARS) };
  return { status, data: null, error: bounded, truncated: [], summary: `${status}: ${message}` };
}

/**
 * Brings a tool's outcome within its limits.
 *
 * @param outcome What the tool brought back.
 * @param limits The tool's limits by field; each text has its own.
 * @returns An observation of at most {@linkcode LAST_RESORT_CHARS} characters.
 */
export function observe(
  outcome: ToolOutcome,
  limits: { readonly [field: string]: TextLimit },
): Observation {
  if (!outcome.ok) return failed("error", outcome.error);
  const bounded = bound(outcome.data, limits);
  return {
    status: "success",
    data: bounded.data,
    error: null,
    truncated: [...(outcome.truncated ?? []), ...bounded.truncated],
    summary: outcome.summary,
  };
}

/** The observation as text for the model: one JSON object. */
export function renderObservation(observation: Observation): string {
  const { status, data, error, truncated, note } = observation;
  const cuts: Json = truncated.map((cut) => ({
    field: cut.field,
    total_chars: cut.totalChars,
    omitted_chars: cut.omittedChars,
  }));
  return JSON.stringify({
    status,
    ...(data === null ? {} : { data }),
    ...(error === null ? {} : { error }),
    ...(truncated.length === 0 ? {} : { truncated: cuts }),
    ...(note === undefined ? {} : { note }),
  });
}
