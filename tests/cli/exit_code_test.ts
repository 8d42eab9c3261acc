import { assertEquals } from "@std/assert";
import { exitCodeOf, Interruption } from "../../lib/cli/exit_code.ts";
import { failedResult } from "../../lib/cli/render.ts";
import type { RunResult, StopReason } from "../../lib/events.ts";
import type { CallStatus } from "../../lib/types.ts";

function codeOf(stop_reason: StopReason | null, reason?: unknown): number {
  const failed = failedResult("run1", { code: "x", message: "x", hint: "" }, null);
  return exitCodeOf({ ...failed, stop_reason }, reason);
}

Deno.test("exitCodeOf() tells every ending apart", () => {
  const codes = {
    answered: codeOf("answered"),
    step_limit: codeOf("step_limit"),
    token_limit: codeOf("token_limit"),
    time_limit: codeOf("time_limit"),
    repeating: codeOf("repeating"),
    blocked: codeOf("blocked"),
    model_error: codeOf("model_error"),
    schema_unmet: codeOf("schema_unmet"),
    none: codeOf(null),
  };
  assertEquals(codes, {
    answered: 0,
    step_limit: 3,
    token_limit: 3,
    time_limit: 3,
    repeating: 3,
    blocked: 4,
    model_error: 5,
    schema_unmet: 6,
    none: 1,
  });
});

Deno.test("exitCodeOf() counts denied and failed calls against an answer where it is asked to", () => {
  const failed = failedResult("run1", { code: "x", message: "x", hint: "" }, null);
  const codes = (stop_reason: StopReason, statuses: CallStatus[]) => {
    const call = { id: "c", step: 1, tool: "t", arguments: {}, decision: null, ms: 0 } as const;
    const calls = statuses.map((status) => ({ ...call, status, truncated: false }));
    const result: RunResult = { ...failed, stop_reason, calls };
    return [
      {},
      { failOnDenied: true },
      { failOnToolError: true },
      { failOnDenied: true, failOnToolError: true },
    ].map((failOn) => exitCodeOf(result, undefined, failOn));
  };
  assertEquals([
    codes("answered", ["success", "cancelled"]),
    codes("answered", ["success", "denied"]),
    codes("answered", ["error"]),
    codes("answered", ["timeout", "denied"]),
    codes("answered", ["unavailable"]),
    codes("model_error", ["denied", "error"]),
  ], [
    [0, 0, 0, 0],
    [0, 4, 0, 4],
    [0, 0, 3, 3],
    [0, 4, 3, 4],
    [0, 0, 3, 3],
    [5, 5, 5, 5],
  ]);
});

Deno.test("exitCodeOf() tells the signal that interrupted", () => {
  const reasons = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => new Interruption(name));
  assertEquals([...reasons, undefined].map((reason) => codeOf("interrupted", reason)), [
    130,
    143,
    129,
    130,
  ]);
});

Deno.test("exitCodeOf() goes by how the run ended, not by a signal that came too late", () => {
  assertEquals(codeOf("answered", new Interruption("SIGINT")), 0);
});
