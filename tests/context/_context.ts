/**
 * Parts of tests of a context: one of any window, long results, calls without their results.
 *
 * @module
 */

import { type Context, createContext } from "../../lib/context/context.ts";
import type { ModelRequest, Observation } from "../../lib/types.ts";
import { FakeClock } from "../fakes.ts";

const PLACE = { os: "linux", cwd: "/work", date: "2026-11-29" };

/** A context with this window. */
export function contextOf(
  window: number,
  clock = new FakeClock(),
  sendsReasoning = () => false,
): Context {
  return createContext({ place: PLACE, window, clock, sendsReasoning });
}

/** Results that stand behind no call, and calls without a result. */
export function partedIn({ messages }: ModelRequest): string[] {
  const open = new Set<string>();
  const parted: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (!open.delete(message.callId)) parted.push(message.callId);
      continue;
    }
    parted.push(...open);
    open.clear();
    if (message.role === "assistant") { for (const { id } of message.calls) open.add(id); }
  }
  return [...parted, ...open];
}

/** A result of about 900 tokens. */
export function big(step: number): Observation {
  return {
    status: "success",
    data: { stdout: `line ${step} of a long log\n`.repeat(120) },
    error: null,
    truncated: [],
    summary: "120 lines",
  };
}
