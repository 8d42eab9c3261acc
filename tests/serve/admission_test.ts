import { assertEquals } from "@std/assert";
import type { TaskEnvelope } from "../../lib/delegate/types.ts";
import { createAdmission, isAllowedHost } from "../../lib/serve/admission.ts";
import { agentOf, taskOf } from "./_tasks.ts";

const admission = createAdmission(agentOf("callbacks: [ops.example, 'localhost:8080']\n"), {
  policyFault: (intent, policy) => "rules" in policy ? null : `${intent}: no rules`,
});

function codeOf(rest: Partial<TaskEnvelope>): string | null {
  return admission.faultOf(taskOf("t", rest), Date.parse("2026-11-30T12:00:00Z"))?.code ?? null;
}

Deno.test("faultOf() lets in what fits, whatever its caller calls the agent", () => {
  assertEquals(codeOf({ params: { n: 1 }, agent: "orders-of-mine", policy: { rules: [] } }), null);
});

Deno.test("faultOf() says why a task may not come in", () => {
  assertEquals(
    [
      codeOf({ intent: "other" }),
      codeOf({ params: { n: "1" } }),
      codeOf({ depth: 3 }),
      codeOf({ depth: 3, max_depth: 3 }),
      codeOf({ depth: 2, max_depth: 1 }),
      codeOf({ deadline: "2026-11-30T11:59:59Z" }),
      codeOf({ deadline: "2026-11-30T12:00:01Z" }),
      codeOf({ callback: "https://evil.example/x" }),
      codeOf({ callback: "https://ops.example/x" }),
      codeOf({ policy: {} }),
    ],
    [
      ...["unknown_intent", "invalid_params", "depth_limit", null, "depth_limit", "timeout", null],
      ...["callback_refused", null, "invalid_policy"],
    ],
  );
});

Deno.test("isAllowedHost() admits the host itself, with its port and nothing around it", () => {
  const hosts = ["ops.example", "localhost:8080", "127.0.0.1:*"];
  const allowed = [
    ...["https://ops.example/a", "http://OPS.example/", "http://localhost:8080/"],
    ...["http://127.0.0.1:4711/", "http://127.0.0.1/"],
    ...["https://ops.example:8443/", "http://localhost/", "https://ops.example.evil.example/"],
    ...["https://me:pw@ops.example/", "ftp://ops.example/", "https://xops.example/", "nothing"],
  ].map((url) => isAllowedHost(url, hosts));
  assertEquals(allowed, [...Array(5).fill(true), ...Array(7).fill(false)]);
});
