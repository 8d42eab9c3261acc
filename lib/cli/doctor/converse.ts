/**
 * One short run with a model, by the same loop and pipeline as any other, and what came of it.
 *
 * @module
 */

import { createContext } from "../../context/context.ts";
import type { Event, RunError } from "../../events.ts";
import { run, type RunPorts } from "../../loop.ts";
import type { Ports } from "../../ports.ts";
import { createResults } from "../../results/results.ts";
import { DEFAULT_LIMITS } from "../../stop.ts";
import type { Model, Tool } from "../../types.ts";

/** Requests of one check at the most. */
const MAX_STEPS = 5;

/** One check takes this long at the most, in milliseconds. */
const MAX_MS = 180_000;

/** A call that has ended. */
export type EndedCall = Extract<Event, { type: "call_finished" }>;

/** A turn of the model that has ended. */
export type EndedTurn = Extract<Event, { type: "turn_finished" }>;

/** What came of a run. */
export interface Conversation {
  readonly answer: string;
  readonly turns: readonly EndedTurn[];
  readonly calls: readonly EndedCall[];
  /** What rein had to do in another way, since the server refused. */
  readonly adapted: readonly Extract<Event, { type: "model_adapted" }>[];
  /** Pieces in which text came. */
  readonly pieces: number;
  /** From the request to the first word, thought or call, in milliseconds; null if none came. */
  readonly firstMs: number | null;
  readonly error: RunError | null;
}

/** What a run is made with. */
export interface Surroundings {
  readonly model: Model;
  readonly ports: Ports;
  /** Tokens that the model takes at once. */
  readonly window: number;
}

function portsOf({ model, ports, window }: Surroundings, tools: readonly Tool[]): RunPorts {
  const date = new Date(ports.clock.now()).toISOString().slice(0, 10);
  return {
    model,
    tools,
    // The tools of an examination touch nothing that a policy could judge.
    judge: () => Promise.resolve({ decision: "allow", parts: [] }),
    approve: () => Promise.resolve({ granted: false, by: "nobody", reason: "Nobody is asked" }),
    context: createContext({
      place: { os: ports.os, cwd: ports.files.cwd(), date },
      window,
      clock: ports.clock,
      sendsReasoning: () => model.sendsReasoning ?? false,
    }),
    session: null,
    openItems: () => [],
    limits: { ...DEFAULT_LIMITS, maxSteps: MAX_STEPS, maxTimeMs: MAX_MS },
    clock: ports.clock,
    results: createResults({ spills: ports.spills, secrets: [] }),
    newId: ports.newId,
    random: ports.random,
    readOnly: null,
  };
}

function of<Type extends Event["type"]>(
  events: readonly Event[],
  type: Type,
): Extract<Event, { type: Type }>[] {
  return events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
}

/** What tells that the model has begun to answer. */
const SIGNS: readonly Event["type"][] = ["text_delta", "reasoning_delta", "turn_finished"];

/**
 * Lets a model do one task.
 *
 * @throws The signal's reason, once it is aborted.
 */
export async function converse(
  task: string,
  tools: readonly Tool[],
  { signal, ...surroundings }: Surroundings & { readonly signal: AbortSignal },
): Promise<Conversation> {
  const runPorts = portsOf(surroundings, tools);
  const startMs = runPorts.clock.now();
  let firstMs: number | null = null;
  const events: Event[] = [];
  try {
    const running = run({ task }, runPorts, signal);
    for await (const event of running) {
      events.push(event);
      if (SIGNS.includes(event.type)) firstMs ??= runPorts.clock.now() - startMs;
    }
  } finally {
    runPorts.results.end();
  }
  signal.throwIfAborted();
  const result = of(events, "run_finished")[0]?.result;
  return {
    answer: result?.answer ?? "",
    turns: of(events, "turn_finished"),
    calls: of(events, "call_finished"),
    adapted: of(events, "model_adapted"),
    pieces: of(events, "text_delta").length,
    firstMs,
    error: result?.error ?? null,
  };
}
