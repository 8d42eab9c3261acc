/**
 * Pipeline 3 as a run uses it: texts are collected, outcomes become
 * observations, and what was cut can be read again.
 *
 * @module
 */

import type { SpillFiles } from "../ports.ts";
import type {
  CollectRequest,
  JsonObject,
  Observation,
  TextCollector,
  TextLimit,
  ToolOutcome,
} from "../types.ts";
import { Collector, type CollectPorts } from "./collect.ts";
import { Patterns } from "./inspect.ts";
import { observe } from "./observe.ts";
import { redactData } from "./redact_data.ts";
import { type KeptOutputs, SpillStore } from "./spill.ts";

/** The name of the tool that reads kept outputs. */
export const READ_OUTPUT = "read_output";

/** What a run does with what its tools bring back. */
export interface Results {
  /** Starts a text of a call. */
  collect(request: CollectRequest): TextCollector;
  /** Brings an outcome within the tool's limits, without secrets. */
  observe(outcome: ToolOutcome, limits: { readonly [field: string]: TextLimit }): Observation;
  /** Data without the secrets of its texts, however deep. */
  redact(data: JsonObject): JsonObject;
  /** Outputs that were cut and can be read again. */
  readonly outputs: KeptOutputs;
  /** Makes ready what the first text needs; otherwise that makes it ready itself. */
  prepare(): void;
  /** Ends the run: nothing that was kept is left. */
  end(): void;
}

/** What the results of a run depend on. */
export interface ResultOptions {
  readonly spills: SpillFiles;
  /** Values that are secrets whatever they look like, such as the model's key. */
  readonly secrets: readonly string[];
}

function readBack({ id, complete }: { id: string; complete: boolean }): string {
  const part = complete ? "all of it" : "its beginning, as much as was kept";
  return `${READ_OUTPUT} with id "${id}" reads ${part}.`;
}

/** Begins the results of a run. */
export function createResults({ spills, secrets }: ResultOptions): Results {
  const store = new SpillStore(spills);
  let patterns: Patterns | undefined;
  const ready = () => patterns ??= new Patterns(secrets);
  const ports: CollectPorts = {
    get patterns() {
      return ready();
    },
    spills: store,
    readBack: spills.available() ? readBack : null,
  };
  return {
    collect: (request) => new Collector(request, ports),
    observe: (outcome, limits) => observe(outcome, limits, ports),
    redact: (data) => redactData(data, ready()),
    outputs: store,
    prepare: () => void ready(),
    end: () => store.end(),
  };
}
