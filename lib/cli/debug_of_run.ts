/**
 * `--debug FILE`: what a run sends, receives and decides, written down as it happens.
 *
 * @module
 */

import type { Place } from "../context/assemble.ts";
import { type DebugLog, openDebugLog } from "../debug/debug_log.ts";
import type { DebugPolicy } from "../debug/lines.ts";
import { debugFetch } from "../debug/watch_fetch.ts";
import { ModelWatch } from "../debug/watch_model.ts";
import type { Limits } from "../stop.ts";
import type { Event } from "../events.ts";
import { type Fetch, FileError, type Ports } from "../ports.ts";
import { findSources } from "../policy/sources.ts";
import type { Json, JsonObject, Model } from "../types.ts";
import { message } from "../messages/messages.ts";
import { UsageError } from "./failure.ts";
import type { StepWriter } from "./steps.ts";

/** What runs are made of, as the debug file has it. */
export interface DebugParts {
  readonly model: Model;
  readonly place: Place;
  /** Tokens that the model takes at once. */
  readonly window: number;
  readonly temperature: number;
  readonly limits: Limits;
  readonly answerSchema: JsonObject | null;
  readonly session: string | null;
}

/** The debug file of a process's runs. */
export interface RunDebug {
  /** The same `fetch`, watched. */
  readonly fetch: Fetch;
  /** The same model, watched. */
  watch(model: Model): Model;
  /** Runs begin, or go on with another model. */
  assembled(parts: DebugParts): void;
  /** What the session held before. */
  earlier(events: Iterable<Event>): void;
  event(event: Event): void;
  close(): void;
}

/** What opening it depends on. */
export interface RunDebugOptions {
  readonly path: string;
  /** Policies that the command line names. */
  readonly policy: readonly string[];
  readonly secrets: readonly string[];
  readonly steps: StepWriter;
}

function startFailure(path: string, error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  const fault = message("debug.unwritable", { path, why: error.message });
  return new UsageError(fault, message("debug.unwritable_hint"), error);
}

function limitsOf({ maxSteps, maxTokens, maxTimeMs, maxCost, prices }: Limits) {
  return {
    max_steps: maxSteps,
    max_tokens: maxTokens,
    max_time_ms: maxTimeMs,
    max_cost: maxCost,
    prices: prices as Json,
  };
}

/** What stays the same for a process. */
interface Fixed {
  readonly home: string | null;
  readonly policy: readonly DebugPolicy[];
}

class FileDebug implements RunDebug {
  readonly fetch: Fetch;
  readonly #log: DebugLog;
  readonly #watch: ModelWatch;
  readonly #fixed: Fixed;
  #last = "";

  constructor(log: DebugLog, fixed: Fixed, fetch: Fetch) {
    this.#log = log;
    this.#watch = new ModelWatch(log);
    this.#fixed = fixed;
    this.fetch = debugFetch(fetch, log, () => this.#watch.ask);
  }

  watch(model: Model): Model {
    return this.#watch.watch(model);
  }

  assembled({ model, limits, answerSchema, ...parts }: DebugParts): void {
    const body = {
      type: "run_assembled",
      model: {
        name: model.name,
        source: model.source,
        recorded: model.recorded,
        binds_answers: model.bindsAnswers ?? false,
        sends_reasoning: model.sendsReasoning ?? false,
      },
      ...parts,
      limits: limitsOf(limits),
      answer_schema: answerSchema,
      ...this.#fixed,
    } as const;
    const text = JSON.stringify(body);
    if (text === this.#last) return;
    this.#last = text;
    this.#log.write(body);
  }

  earlier(events: Iterable<Event>): void {
    for (const event of events) this.#log.write({ type: "earlier", event });
  }

  event(event: Event): void {
    this.#log.event(event);
  }

  close(): void {
    this.#log.close();
  }
}

/**
 * Opens the debug file.
 *
 * @throws {UsageError} If it can't be written.
 * @throws {PolicyError} If a policy can't be read.
 */
export async function openRunDebug(
  { path, policy, secrets, steps }: RunDebugOptions,
  ports: Ports,
): Promise<RunDebug> {
  const onFailure = (why: string) => void steps.warn(message("debug.ends", { path, why }));
  const log = await openDebugLog({ path, secrets, onFailure }, ports).catch((error) => {
    throw startFailure(path, error);
  });
  const sources = (await findSources(ports, policy)).map(({ name, layer, text }) => ({
    name,
    layer,
    text: layer === "built-in" ? null : text,
  }));
  const fixed = { home: ports.env.get("HOME") ?? null, policy: sources };
  return new FileDebug(log, fixed, ports.fetch);
}
