/**
 * Making ready what the first call needs, in time that is waited anyway.
 *
 * @module
 */

import type { Clock, Fetch } from "../ports.ts";
import type { Results } from "../results/results.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import type { Tool } from "../types.ts";
import type { LazyJudge } from "./judge.ts";

/** By then a connection is made and the request sent, in milliseconds. */
const PREPARE_AFTER_MS = 500;

/** A `fetch` that tells of its next response. */
export interface WatchedFetch {
  readonly fetch: Fetch;
  /** Resolves when a response to a later request begins. */
  response(): Promise<void>;
}

/** Watches a `fetch`. */
export function watchFetch(original: Fetch): WatchedFetch {
  let begun = () => {};
  return {
    fetch: async (input, init) => {
      const response = await original(input, init);
      begun();
      return response;
    },
    response: () => new Promise((resolve) => begun = resolve),
  };
}

/** What a call needs. */
export interface PreparedParts {
  readonly tools: readonly Tool[];
  readonly judge: LazyJudge;
  readonly results: Results;
  readonly sandbox: Pick<Sandbox, "prepare">;
}

/**
 * Starts the worker and loads the policy, the first validator and the patterns of
 * secrets while the model thinks: when it begins to answer, or when it takes its
 * time. Earlier they would keep the runtime, which has one thread, from making the
 * connection. Never throws.
 */
export async function prepareCalls(
  { tools, judge, results, sandbox }: PreparedParts,
  answering: Promise<void>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await Promise.race([answering, clock.sleep(PREPARE_AFTER_MS, signal)]);
    sandbox.prepare();
    await judge.prepare();
    const { prepareValidation } = await import("../calls/validate.ts");
    // The first one loads the compiler; each further one takes 2 ms, when its tool is first called.
    await prepareValidation(tools.slice(0, 1).map((tool) => tool.parameters));
    results.prepare();
  } catch {
    // The first call meets the same failure and reports it.
  }
}
