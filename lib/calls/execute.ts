/**
 * Running a tool within its time, whatever it does.
 *
 * @module
 */

import type { Clock } from "../ports.ts";
import { failed } from "../results/observe.ts";
import type { Results } from "../results/results.ts";
import type {
  JsonObject,
  Observation,
  ObservationError,
  Tool,
  ToolContext,
  ToolOutcome,
} from "../types.ts";
import { type Deadline, startDeadline } from "./deadline.ts";
import { type RetryPorts, withRetries } from "./retry.ts";

/** A tool that ignores its signal is given up on after this, in milliseconds. */
const ABANDON_MS = 2000;

/**
 * Rejects a while after the signal was aborted, unless the call is done by then: what it listens
 * with is then gone, since it would keep the call's outcome for as long as the run lasts.
 */
function abandoned(clock: Clock, signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const onAbort = () => clock.sleep(ABANDON_MS, done).then(() => reject(signal.reason), () => {});
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true, signal: done });
  });
}

async function outcomeOf(
  tool: Tool,
  args: JsonObject,
  clock: Clock,
  context: ToolContext,
): Promise<ToolOutcome> {
  const done = new AbortController();
  try {
    return await Promise.race([
      tool.run(args, context),
      abandoned(clock, context.signal, done.signal),
    ]);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint = "Try another way; this one is broken.";
    return { ok: false, error: { code: "tool_failed", message, hint, retriable: false } };
  } finally {
    done.abort();
  }
}

const INTERRUPTED: ObservationError = {
  code: "interrupted",
  message: "The run was interrupted",
  hint: "Nothing to do: the run ends here.",
  retriable: false,
};

/** An aborted call keeps what it brought back so far. */
function ended(tool: Tool, observation: Observation, deadline: Deadline): Observation {
  if (!deadline.signal.aborted) return observation;
  const obtained = { data: observation.data, truncated: observation.truncated };
  if (!deadline.expired()) return { ...failed("cancelled", INTERRUPTED), ...obtained };
  const message = `${tool.name} did not end within ${deadline.ms} ms and was stopped`;
  const hint = "Ask for less at once, or give a longer time limit if the tool takes one.";
  const error = { code: "timeout", message, hint, retriable: false };
  return { ...failed("timeout", error), ...obtained };
}

/** The time limit of a call: the tool's, or the shorter or longer one that it was asked for. */
function timeoutOf(tool: Tool, args: JsonObject): number {
  const asked = tool.ownTimeout ? undefined : args["timeout_ms"];
  return typeof asked === "number" ? asked : tool.timeoutMs;
}

/** Whether a call may run twice: what only reads may, another tool has to say so. */
function isIdempotent(tool: Tool, args: JsonObject): boolean {
  return tool.idempotent?.(args) ?? tool.effect === "read";
}

/** What a call needs of its run. */
export interface ExecutePorts extends RetryPorts, Omit<ToolContext, "collect"> {
  readonly results: Results;
}

/** Runs a tool, unless the run was interrupted before; never throws. */
export async function execute(
  tool: Tool,
  args: JsonObject,
  run: ExecutePorts,
): Promise<Observation> {
  if (run.signal.aborted) return failed("cancelled", INTERRUPTED);
  const timeoutMs = timeoutOf(tool, args) + (tool.graceMs ?? 0);
  const deadline = startDeadline(run.clock, timeoutMs, run.signal);
  try {
    const { call, results, mayRead, mayReach } = run;
    const { collect } = results;
    const context = { call, signal: deadline.signal, mayRead, mayReach, collect };
    const attempt = () => outcomeOf(tool, args, run.clock, context);
    const outcome = await (isIdempotent(tool, args)
      ? withRetries(attempt, { ...run, signal: deadline.signal })
      : attempt());
    return ended(tool, results.observe(outcome, tool.limits), deadline);
  } finally {
    deadline.clear();
  }
}
