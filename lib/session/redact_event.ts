/**
 * Events without secrets, as they are stored.
 *
 * @module
 */

import { parseArguments } from "../calls/parse.ts";
import type { Event } from "../events.ts";
import type { JsonObject, ToolCall } from "../types.ts";

/** Takes the secrets out of data. */
export type Redact = (data: JsonObject) => JsonObject;

/** The arguments of a call without secrets; they stay the JSON that they are. */
export function redactArguments(text: string, redact: Redact): string {
  const parsed = parseArguments(text);
  if (!parsed.ok) return String(redact({ text })["text"]);
  const redacted = JSON.stringify(redact(parsed.args));
  return redacted === JSON.stringify(parsed.args) ? text : redacted;
}

/** Any part of an event; what is no text stays as it is. */
function redacted<T>(part: T, redact: Redact): T {
  return redact({ part: part as JsonObject })["part"] as T;
}

/** Events that were asked for before: several want the same one, one after the other. */
const known = new WeakMap<Event, { readonly by: Redact; readonly clean: Event }>();

/** An event without secrets. Observations were redacted when they were made. */
export function redactEvent(event: Event, redact: Redact): Event {
  const before = known.get(event);
  if (before?.by === redact) return before.clean;
  const clean = redactNew(event, redact);
  known.set(event, { by: redact, clean });
  return clean;
}

/**
 * An event as people and programs are shown it: without secrets, but for what the model says to
 * them. That is what they asked for, and the model knows no secret that it was not told.
 */
export function shownEvent(event: Event, redact: Redact): Event {
  const clean = redactEvent(event, redact);
  if (event.type === "turn_finished" && clean.type === "turn_finished") {
    return { ...clean, content: event.content, reasoning: event.reasoning };
  }
  if (event.type === "run_finished" && clean.type === "run_finished") {
    const { answer, data, ending } = event.result;
    const shown = clean.result.ending && ending &&
      { ...clean.result.ending, obtained: ending.obtained };
    return { ...clean, result: { ...clean.result, answer, data, ending: shown } };
  }
  return event.type === "answer_checked" || event.type === "run_started" ? event : clean;
}

function redactNew(event: Event, redact: Redact): Event {
  switch (event.type) {
    case "text_delta":
    case "reasoning_delta":
    case "text_restarted":
    case "step_started":
    case "approval_requested":
      return event;
    case "turn_finished": {
      const calls = event.calls.map((call): ToolCall => ({
        ...call,
        arguments: redactArguments(call.arguments, redact),
      }));
      const { content, reasoning } = event;
      return { ...event, ...redacted({ content, reasoning }, redact), calls };
    }
    case "call_proposed":
      return { ...event, arguments: redactArguments(event.arguments, redact) };
    case "call_finished": {
      const { brief, arguments: args } = event;
      return { ...event, ...redacted({ brief, arguments: args }, redact) };
    }
    case "run_started":
    case "model_adapted":
    case "model_retried":
    case "call_judged":
    case "approval_answered":
    case "call_started":
    case "context_compacted":
    case "answer_checked":
    case "changes_undone":
    case "run_finished":
      return redacted(event, redact);
  }
}
