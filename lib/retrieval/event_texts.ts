/**
 * What there is to find in the events of a session.
 *
 * @module
 */

import type { Digest, Event } from "../events.ts";
import type { Json, Observation } from "../types.ts";
import type { Passage } from "./passages.ts";
import { splitText } from "./split.ts";

/** The source of all passages of events. */
const SOURCE = "events";

/** Tools that show what is in the history already. */
const ECHOES: readonly string[] = ["recall"];

/** Characters of one event that are indexed; outputs that were cut are indexed by themselves. */
const MAX_EVENT_CHARS = 400_000;

function textOfValue(name: string, value: Json): string {
  return typeof value === "string" ? value : `${name}: ${JSON.stringify(value)}`;
}

/** An observation as text: texts as they are, the rest as JSON. */
function textOfObservation({ status, data, error, note }: Observation): string {
  const values = Object.entries(data ?? {}).map(([name, value]) => textOfValue(name, value));
  const failure = error === null ? [] : [`${status}: ${error.message}. ${error.hint}`];
  return [...values, ...failure, ...(note === undefined ? [] : [note])].join("\n");
}

/** What was established, decided and left open when rounds left the model's context. */
function textOfDigest({ facts, decisions, open }: Digest): string {
  return [...facts.map(({ text }) => text), ...decisions, ...open].join("\n");
}

/** Turns events into passages, one after the other. */
export class EventTexts {
  /** The number of the task that the events belong to, from 1; 0 before the first. */
  task: number;

  constructor(task: number) {
    this.task = task;
  }

  /** What an event says, in pieces; nothing for those that only tell of others. */
  *passagesOf(event: Event): Generator<Passage> {
    switch (event.type) {
      case "run_started":
        if (event.resumed !== "no") return;
        this.task++;
        return yield* this.#pieces("task", event.task);
      case "turn_finished":
        return yield* this.#pieces(`step ${event.step}, said`, event.content);
      case "context_compacted":
        if (event.digest === null) return;
        return yield* this.#pieces(`step ${event.step}, noted`, textOfDigest(event.digest));
      case "call_finished": {
        if (ECHOES.includes(event.tool)) return;
        const args = typeof event.arguments === "string"
          ? event.arguments
          : JSON.stringify(event.arguments);
        const text = `${event.tool} ${args}\n${textOfObservation(event.observation)}`;
        return yield* this.#pieces(`step ${event.step}, ${event.tool}`, text);
      }
    }
  }

  *#pieces(what: string, text: string): Generator<Passage> {
    const place = this.task > 1 ? `task ${this.task}, ${what}` : what;
    for (const piece of splitText(text.slice(0, MAX_EVENT_CHARS))) {
      yield { source: SOURCE, place, text: piece.text };
    }
  }
}
