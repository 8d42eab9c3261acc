/**
 * The model of a run, with what depends on it: its context and its limits.
 *
 * @module
 */

import { pricesOfRun } from "../config/prices.ts";
import { createContext } from "../context/context.ts";
import { contextWindowOf } from "../context/windows.ts";
import { localDay } from "../local_time.ts";
import type { RunPorts } from "../loop.ts";
import type { Ports } from "../ports.ts";
import { type RunRecord } from "../record.ts";
import { DEFAULT_LIMITS } from "../stop.ts";
import type { DebugParts } from "./debug_of_run.ts";
import type { RunSettings } from "./load_settings.ts";
import { chooseModel } from "./settings.ts";
import type { RunFace } from "./run_wish.ts";

/** The model of runs with what depends on it. */
export interface ModelParts extends Pick<RunPorts, "model" | "context" | "limits"> {
  /** What a debug file says of them; the window is in tokens. */
  readonly told: Pick<DebugParts, "place" | "window" | "temperature">;
}

/**
 * Chooses the model.
 *
 * @throws As `chooseModel`.
 */
export async function modelParts(
  { settings, apiKey }: RunSettings,
  ports: Ports,
  { steps, signal }: RunFace,
  { past, rules }: { readonly past: () => RunRecord; readonly rules: string | undefined },
): Promise<ModelParts> {
  const { model, note, window } = await chooseModel({ ...settings, apiKey, past }, ports, signal);
  // A limit that could not be held ends the run before it begins.
  const prices = pricesOfRun(settings, model.name);
  if (note !== null) await steps.note(note);
  const { maxSteps, maxTokens, maxTimeMs, maxCost, temperature } = settings;
  const told = {
    place: {
      os: ports.os,
      cwd: ports.files.cwd(),
      date: localDay(ports.clock.now()),
      ...(rules === undefined ? {} : { rules }),
    },
    window: settings.contextWindow ?? window ?? contextWindowOf(model.name),
    temperature,
  };
  return {
    model,
    told,
    context: createContext({
      place: told.place,
      window: told.window,
      clock: ports.clock,
      sendsReasoning: () => model.sendsReasoning ?? false,
    }),
    limits: { ...DEFAULT_LIMITS, maxSteps, maxTokens, maxTimeMs, maxCost, prices },
  };
}
