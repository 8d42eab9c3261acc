import { assertEquals } from "@std/assert";
import { Allowances } from "../../lib/calls/allowances.ts";
import type { ApprovalRequest } from "../../lib/calls/pipeline.ts";
import type { JsonObject } from "../../lib/types.ts";
import { evaluationOf } from "../fakes.ts";

function requestFor(args: JsonObject, changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    tool: "run_shell",
    arguments: args,
    brief: "",
    subjects: [],
    preview: null,
    evaluation: evaluationOf("ask", "part"),
    ...changes,
  };
}

const BUILD = { command: "rm -rf build/", timeout_ms: 5 };

/** Whether an allowance of {@linkcode BUILD} covers a call. */
function covered(request: ApprovalRequest): boolean {
  const allowances = new Allowances();
  allowances.add(requestFor(BUILD));
  return allowances.covers(request);
}

Deno.test("Allowances cover the same call, whatever the order of its arguments", () => {
  assertEquals(covered(requestFor(BUILD)), true);
  assertEquals(covered(requestFor({ timeout_ms: 5, command: "rm -rf build/" })), true);
});

// Case C11.
Deno.test("Allowances are exact: nothing may be added, left out or spelled otherwise", () => {
  const others = [
    "rm -rf build/ --no-preserve-root /",
    "rm -rf build",
    "rm  -rf build/",
    "rm -rf build/ ",
    "",
  ].map((command) => requestFor({ ...BUILD, command }));
  const args = [{ command: BUILD.command }, { ...BUILD, timeout_ms: "5" }, { ...BUILD, cwd: "/" }];
  const requests = [...others, ...args.map((arg) => requestFor(arg))];
  assertEquals(requests.map(covered), requests.map(() => false));
});

Deno.test("Allowances are those of one tool, and of what the policy asked", () => {
  assertEquals(covered(requestFor(BUILD, { tool: "other" })), false);
  assertEquals(covered(requestFor(BUILD, { evaluation: evaluationOf("ask", "else") })), false);
});

Deno.test("Allowances never cover what the policy denies", () => {
  const denied = requestFor(BUILD, { evaluation: evaluationOf("deny", "part") });
  const allowances = new Allowances();
  allowances.add(denied);
  assertEquals(allowances.covers(denied), false);
});
