/**
 * What can be done about a task whose process has ended in the middle of it, by the events of its
 * session: exactly one execution, and where that can't be told, none.
 *
 * @module
 */

import type { Event, RunResult } from "../events.ts";
import { INTERRUPTED_CODE } from "../record.ts";
import { restoreRecord } from "../session/restore.ts";
import type { Evaluation } from "../types.ts";

/** A call of a run, as far as its events tell. */
export interface StoredCall {
  readonly tool: string;
  /** As the model wrote them. */
  readonly arguments: string;
  /** Null: it was never judged. */
  readonly evaluation: Evaluation | null;
}

/** How a task goes on. */
export type Recovery =
  /** Nothing has happened yet, or all of it may happen again; `anew`: in another session. */
  | { readonly kind: "fresh"; readonly anew: boolean }
  /** Its run goes on; so many milliseconds of it are over. */
  | { readonly kind: "resume"; readonly elapsedMs: number }
  /** Its run had ended, and only that was not noted. */
  | { readonly kind: "ended"; readonly run: RunResult }
  /** A call may have taken effect, or may not. */
  | { readonly kind: "unknown"; readonly what: string };

/** Calls that were begun and whose effect is not known. */
function inDoubt(events: readonly Event[]): readonly StoredCall[] {
  const calls = new Map<string, StoredCall>();
  const begun = new Map<string, StoredCall>();
  const seen = (id: string, tool: string) =>
    calls.get(id) ?? { tool, arguments: "", evaluation: null };
  for (const event of events) {
    switch (event.type) {
      case "call_proposed":
        calls.set(event.call_id, {
          ...seen(event.call_id, event.tool),
          arguments: event.arguments,
        });
        break;
      case "call_judged":
        calls.set(event.call_id, {
          ...seen(event.call_id, event.tool),
          evaluation: event.evaluation,
        });
        break;
      case "call_started":
        begun.set(event.call_id, seen(event.call_id, event.tool));
        break;
      case "call_finished": {
        const { status, error } = event.observation;
        const known = status !== "cancelled" && error?.code !== INTERRUPTED_CODE;
        if (known) begun.delete(event.call_id);
        break;
      }
    }
  }
  return [...begun.values()];
}

/** The end of the newest run; null if it has none. */
function endOf(events: readonly Event[]): RunResult | null {
  const last = events.findLast(({ type }) => type === "run_started" || type === "run_finished");
  return last?.type === "run_finished" ? last.result : null;
}

/**
 * Says how a task goes on.
 *
 * @param isHarmless Whether a call may be made twice: it only reads.
 */
export function recoveryOf(
  events: readonly Event[],
  isHarmless: (call: StoredCall) => boolean,
): Recovery {
  if (events.length === 0) return { kind: "fresh", anew: false };
  const run = endOf(events);
  if (run !== null && run.stop_reason !== "interrupted") return { kind: "ended", run };
  const doubtful = inDoubt(events).find((call) => !isHarmless(call));
  if (doubtful !== undefined) return { kind: "unknown", what: doubtful.tool };
  const { startedMs, lastMs } = restoreRecord(events);
  // Where a run had stopped, another one begins, with time of its own.
  return { kind: "resume", elapsedMs: run === null ? Math.max(0, lastMs - startedMs) : 0 };
}
