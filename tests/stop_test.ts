import { assertEquals } from "@std/assert";
import { newRecord, type RunRecord } from "../lib/record.ts";
import { statusOf, stopAfter } from "../lib/stop.ts";
import type { StopReason } from "../lib/events.ts";

const LIMITS = { maxSteps: 3, maxDenials: 2 };
const ERROR = { code: "unreachable", message: "Gone", hint: "" };
const ANSWERED = { finishReason: "stop", calls: 0 } as const;
const CALLED = { finishReason: "calls", calls: 1 } as const;

function stop(state: Partial<RunRecord>, interrupted = false): StopReason | null {
  return stopAfter({ ...newRecord("t"), ...state }, LIMITS, interrupted);
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
  assertEquals([stop(state, true), stop(state)], ["interrupted", "model_error"]);
});

Deno.test("statusOf() calls only an answer a success", () => {
  const reasons: StopReason[] = [
    "answered",
    "step_limit",
    "token_limit",
    "time_limit",
    "repeating",
    "blocked",
    "interrupted",
    "model_error",
  ];
  assertEquals(reasons.map(statusOf), [
    "success",
    ...Array.from({ length: 6 }, () => "unfinished" as const),
    "failed",
  ]);
});
