import { assertEquals } from "@std/assert";
import { newRecord, type RunRecord } from "../lib/record.ts";
import {
  type Circumstances,
  costOf,
  DEFAULT_LIMITS,
  type Limits,
  statusOf,
  stopAfter,
} from "../lib/stop.ts";
import { Repetition } from "../lib/repetition.ts";
import type { StopReason } from "../lib/events.ts";
import { DONE } from "./_events.ts";

const LIMITS: Limits = { ...DEFAULT_LIMITS, maxSteps: 3, maxDenials: 2 };
const ERROR = { code: "unreachable", message: "Gone", hint: "" };
const ANSWERED = { finishReason: "stop", calls: 0 } as const;
const CALLED = { finishReason: "calls", calls: 1 } as const;

const GOING_ON: Circumstances = { interrupted: false, late: false, nextTokens: 0 };

function stop(
  state: Partial<RunRecord>,
  circumstances: Partial<Circumstances> = {},
  limits: Partial<Limits> = {},
): StopReason | null {
  const record = { ...newRecord(), ...state };
  return stopAfter(record, { ...LIMITS, ...limits }, { ...GOING_ON, ...circumstances });
}

/** A run that has made the same call in so many steps. */
function repeated(steps: number): Repetition {
  const repetition = new Repetition();
  for (let step = 1; step <= steps; step++) {
    repetition.add({ tool: "echo", arguments: {}, observation: DONE, step });
  }
  return repetition;
}

Deno.test("stopAfter() lets a run go on that has just begun or has called tools", () => {
  assertEquals([stop({}), stop({ steps: 2, turn: CALLED })], [null, null]);
});

Deno.test("stopAfter() ends a run that answered, even in its last step", () => {
  assertEquals(stop({ steps: 3, turn: ANSWERED }), "answered");
});

Deno.test("stopAfter() ends a run whose answer was cut off", () => {
  assertEquals(stop({ steps: 1, turn: { finishReason: "length", calls: 0 } }), "token_limit");
});

Deno.test("stopAfter() lets a run go on whose calls were cut off", () => {
  assertEquals(stop({ steps: 1, turn: { finishReason: "length", calls: 1 } }), null);
});

Deno.test("stopAfter() takes what is said right after a denial for no answer", () => {
  assertEquals(stop({ steps: 2, turn: ANSWERED, deniedLately: true }), "blocked");
});

Deno.test("stopAfter() ends a run at its limits of denials and steps", () => {
  assertEquals(stop({ steps: 1, turn: CALLED, denialsInARow: 2 }), "blocked");
  assertEquals(stop({ steps: 3, turn: CALLED, denialsInARow: 1 }), "step_limit");
  assertEquals(stop({ steps: 3, turn: CALLED, denialsInARow: 2 }), "blocked");
});

Deno.test("stopAfter() puts interruption first, then the model's failure", () => {
  const state = { steps: 3, turn: ANSWERED, denialsInARow: 2, error: ERROR };
  assertEquals([stop(state, { interrupted: true }), stop(state)], ["interrupted", "model_error"]);
});

Deno.test("stopAfter() ends a run whose time is over, unless it was just answered", () => {
  const late = { late: true };
  assertEquals([
    stop({ steps: 1, turn: CALLED }, late),
    stop({ steps: 1, turn: null, error: ERROR }, late),
    stop({ steps: 1, turn: ANSWERED }, late),
  ], ["time_limit", "time_limit", "answered"]);
});

Deno.test("stopAfter() ends a run that makes the same call a third time", () => {
  const times = [1, 2, 3].map((times) => stop({ steps: 2, repetition: repeated(times) }));
  assertEquals(times, [null, null, "repeating"]);
});

Deno.test("stopAfter() ends a run whose context is full of what can't be left out", () => {
  assertEquals(stop({ steps: 1, exhausted: true }), "context_exhausted");
});

Deno.test("stopAfter() ends a run before its next request and a summary pass a limit", () => {
  const state = { steps: 1, inputTokens: 100, outputTokens: 50 };
  const at = (nextTokens: number) => stop(state, { nextTokens }, { maxTokens: 299 });
  // 150 were used; another turn says 50, and so does the one that sums up.
  assertEquals([at(24), at(25)], [null, "token_limit"]);
  const prices = { input: 1000, output: 2000 };
  const cost = (maxCost: number) => stop(state, { nextTokens: 50 }, { maxCost, prices });
  // 100 + 2 × 50 tokens in, 50 + 2 × 50 out.
  assertEquals([cost(0.51), cost(0.5)], [null, "cost_limit"]);
});

Deno.test("costOf() knows no cost without prices", () => {
  const tokens = { inputTokens: 2_000_000, cachedInputTokens: 0, outputTokens: 500_000 };
  assertEquals([costOf(tokens, null), costOf(tokens, { input: 3, output: 10 })], [null, 11]);
});

Deno.test("costOf() counts what the server had kept at its own price, where it has one", () => {
  const tokens = { inputTokens: 2_000_000, cachedInputTokens: 1_500_000, outputTokens: 500_000 };
  const prices = { input: 3, output: 10 };
  assertEquals(
    [costOf(tokens, prices), costOf(tokens, { ...prices, cachedInput: 1 })],
    [11, 1.5 + 1.5 + 5],
  );
});

Deno.test("statusOf() calls only an answer a success", () => {
  const reasons: StopReason[] = [
    "answered",
    "step_limit",
    "token_limit",
    "time_limit",
    "cost_limit",
    "context_exhausted",
    "repeating",
    "blocked",
    "interrupted",
    "model_error",
    "schema_unmet",
  ];
  assertEquals(reasons.map(statusOf), [
    "success",
    ...Array.from({ length: 8 }, () => "unfinished" as const),
    "failed",
    "failed",
  ]);
});
