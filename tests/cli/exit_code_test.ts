import { assertEquals } from "@std/assert";
import { exitCodeOf, Interruption } from "../../lib/cli/exit_code.ts";
import { failedResult } from "../../lib/cli/render.ts";
import type { StopReason } from "../../lib/events.ts";

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
