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
import { Collector, type CollectPorts } from "./collect.ts";
import { limitText } from "./head_tail.ts";
import type { Patterns } from "./inspect.ts";
import { redactData, redactText } from "./redact_data.ts";

/** Characters of one observation at the most, whatever the tool. Source: the design. */
export const LAST_RESORT_CHARS = 8000;

/** Room for the status and for what is said of cuts. */
const ENVELOPE_CHARS = 600;

/** Characters of an error's message and of its hint: names and texts of calls stand in them. */
const ERROR_CHARS = 1000;

/** A text field is never cut below this by the last resort. */
const LEAST_FIELD_CHARS = 200;

/** A tool's limits by field. */
type Limits = { readonly [field: string]: TextLimit };

interface Bounded {
  readonly data: JsonObject;
  readonly truncated: readonly Truncation[];
}

/** A text that was cut before loses more of what is left; what it has lost is kept already. */
function cutAgain(bounded: Bounded, before: Truncation, text: string, limit: TextLimit): Bounded {
  const { text: shorter, omittedChars, omittedLines } = limitText(text, limit);
  const cut = {
    ...before,
    omitted_chars: before.omitted_chars + omittedChars,
    omitted_lines: before.omitted_lines + omittedLines,
  };
  const truncated = bounded.truncated.map((other) => other === before ? cut : other);
  return { data: { ...bounded.data, [before.field]: shorter }, truncated };
}

function cutField(
  bounded: Bounded,
  field: string,
  text: string,
  { limit, ports }: { readonly limit: TextLimit; readonly ports: CollectPorts },
): Bounded {
  const before = bounded.truncated.find((cut) => cut.field === field);
  if (before) return cutAgain(bounded, before, text, limit);
  const collector = new Collector({ field, limit, raw: false }, ports);
  collector.push(text);
  const { text: kept, truncated } = collector.finish();
  return {
    data: { ...bounded.data, [field]: kept },
    truncated: [...bounded.truncated, ...truncated],
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
function boundWhole(bounded: Bounded, ports: CollectPorts): Bounded {
  const most = LAST_RESORT_CHARS - ENVELOPE_CHARS;
  for (let current = bounded;;) {
    const json = JSON.stringify(current.data);
    if (json.length <= most) return current;
    const longest = longestText(current.data);
    if (longest === null) {
      const empty = { ...current, data: {} };
      return cutField(empty, "json", json, { limit: halves(most / 2), ports });
    }
    const [field, text] = longest;
    const escaped = JSON.stringify(text).length / text.length;
    const wanted = text.length - Math.ceil((json.length - most) / escaped) - ENVELOPE_CHARS;
    const kept = Math.max(LEAST_FIELD_CHARS / 2, Math.min(wanted, text.length / 2));
    current = cutField(current, field, text, { limit: halves(Math.floor(kept)), ports });
  }
}

function bound(data: JsonObject, limits: Limits, ports: CollectPorts): Bounded {
  let bounded: Bounded = { data, truncated: [] };
  for (const [field, limit] of Object.entries(limits)) {
    const value = data[field];
    if (typeof value === "string") bounded = cutField(bounded, field, value, { limit, ports });
  }
  return bounded;
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

function redactError(error: ObservationError, patterns: Patterns): ObservationError {
  const redact = (text: string) => redactText(text, patterns);
  return { ...error, message: redact(error.message), hint: redact(error.hint) };
}

/**
 * Takes the secrets out of a tool's outcome and brings it within its limits.
 *
 * @param outcome What the tool brought back.
 * @param limits The tool's limits by field; each text has its own.
 * @param ports Where what is cut is kept.
 * @returns An observation of at most {@linkcode LAST_RESORT_CHARS} characters.
 */
export function observe(outcome: ToolOutcome, limits: Limits, ports: CollectPorts): Observation {
  if (!outcome.ok) return failed("error", redactError(outcome.error, ports.patterns));
  const { data, truncated } = bound(redactData(outcome.data, ports.patterns), limits, ports);
  const cut = { data, truncated: [...outcome.truncated ?? [], ...truncated] };
  return {
    status: "success",
    ...boundWhole(cut, ports),
    error: null,
    summary: redactText(outcome.summary, ports.patterns),
  };
}

/** The observation as text for the model: one JSON object. */
export function renderObservation(observation: Observation): string {
  const { status, data, error, truncated, note } = observation;
  const cuts: Json = truncated.map(({ omitted_lines: _lines, ...cut }) => cut);
  return JSON.stringify({
    status,
    ...(data === null ? {} : { data }),
    ...(error === null ? {} : { error }),
    ...(truncated.length === 0 ? {} : { truncated: cuts }),
    ...(note === undefined ? {} : { note }),
  });
}
