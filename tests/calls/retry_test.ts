import { assertEquals } from "@std/assert";
import { withRetries } from "../../lib/calls/retry.ts";
import type { ToolOutcome } from "../../lib/types.ts";
import { FakeClock, NEVER, settle } from "../fakes.ts";

const DONE: ToolOutcome = { ok: true, data: {}, summary: "" };

function failure(retriable: boolean): ToolOutcome {
  return { ok: false, error: { code: "network", message: "m", hint: "h", retriable } };
}

/** Runs an attempt that fails so often before it succeeds; the clock goes on by itself. */
async function attempts(
  failures: number,
  retriable: boolean,
  signal: AbortSignal = NEVER,
): Promise<{ outcome: ToolOutcome; atMs: number[] }> {
  const clock = new FakeClock();
  const atMs: number[] = [];
  const attempt = () => {
    atMs.push(clock.now());
    return Promise.resolve(atMs.length <= failures ? failure(retriable) : DONE);
  };
  const running = withRetries(attempt, { clock, random: () => 1, signal });
  let ended = false;
  running.finally(() => ended = true);
  for (await settle(); !ended; await settle()) await clock.advance(50);
  return { outcome: await running, atMs };
}

Deno.test("withRetries() tries twice more, each time after twice the wait", async () => {
  const { outcome, atMs } = await attempts(9, true);
  assertEquals([outcome, atMs], [failure(true), [0, 250, 750]]);
});

Deno.test("withRetries() stops at the first success", async () => {
  const { outcome, atMs } = await attempts(1, true);
  assertEquals([outcome, atMs], [DONE, [0, 250]]);
});

Deno.test("withRetries() does not repeat what can't succeed", async () => {
  const { outcome, atMs } = await attempts(9, false);
  assertEquals([outcome, atMs], [failure(false), [0]]);
});

Deno.test("withRetries() waits no longer once it is aborted", async () => {
  const { outcome, atMs } = await attempts(9, true, AbortSignal.abort());
  assertEquals([outcome, atMs], [failure(true), [0]]);
});
