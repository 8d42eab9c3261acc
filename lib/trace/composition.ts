/**
 * Where the context went: which parts of what the model was asked took how many tokens.
 *
 * @module
 */

import { estimateText } from "../context/estimate.ts";
import { renderObservation } from "../results/observe.ts";
import type { TracedRun } from "./traced_run.ts";

/** One part of what a model is asked. */
export interface ContextPart {
  /** `instructions`: the system prompt and the tools. `tool NAME`: what its calls brought. */
  readonly name: string;
  /** By estimate, sent once. */
  readonly tokens: number;
  /** The same over all requests of the run: what comes early is sent again with each. */
  readonly sent: number;
}

/** The parts by their names, as they are added up. */
class Parts {
  readonly #parts = new Map<string, { tokens: number; sent: number }>();

  /** @param times How many requests had it. */
  add(name: string, tokens: number, times: number): void {
    const before = this.#parts.get(name) ?? { tokens: 0, sent: 0 };
    this.#parts.set(name, { tokens: before.tokens + tokens, sent: before.sent + tokens * times });
  }

  /** The largest first. */
  sorted(): readonly ContextPart[] {
    return [...this.#parts]
      .map(([name, { tokens, sent }]) => ({
        name,
        tokens: Math.round(tokens),
        sent: Math.round(sent),
      }))
      .filter(({ sent }) => sent > 0)
      .toSorted((one, other) => other.sent - one.sent);
  }
}

/**
 * The parts of a run's requests, the largest first. What was compacted away counts as if it had
 * stayed: the table tells what took the room.
 */
export function compositionOf({ task, steps }: TracedRun): readonly ContextPart[] {
  const parts = new Parts();
  const taskTokens = estimateText(task);
  const first = steps.find(({ usage }) => usage !== null)?.usage?.input_tokens ?? 0;
  parts.add("instructions", Math.max(0, first - taskTokens), steps.length);
  parts.add("task", taskTokens, steps.length);
  for (const [index, { content, calls }] of steps.entries()) {
    const later = steps.length - index - 1;
    const said = calls.map((call) => JSON.stringify(call.arguments)).join("");
    parts.add("model", estimateText(content + said), later);
    for (const { tool, observation } of calls) {
      if (observation === null) continue;
      parts.add(`tool ${tool}`, estimateText(renderObservation(observation)), later);
    }
  }
  return parts.sorted();
}
