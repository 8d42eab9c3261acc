import { assertEquals } from "@std/assert";
import { taskPolicyFault, taskPolicyText } from "../../lib/serve/task_policy.ts";

Deno.test("taskPolicyFault() refuses what takes long to read or to match", () => {
  const rule = { id: "r", decision: "deny", paths: ["/srv/**/a/**/b/**"], reason: "No" };
  assertEquals(taskPolicyFault({ rules: [rule] }), null);
  assertEquals(
    taskPolicyFault({ rules: [{ ...rule, paths: { write: ["**/a/**/b/**/c/**"] } }] }),
    'The task\'s policy has a text with more than 3 times "**"',
  );
  assertEquals(
    taskPolicyFault({ rules: [{ ...rule, reason: "x".repeat(32_000) }] }),
    "The task's policy has 32082 characters, and 32000 are the most",
  );
});

Deno.test("taskPolicyText() leaves out limits and examples, and keeps what is no policy as it is", () => {
  const rule = { id: "r", decision: "deny", programs: ["rm"], reason: "No" };
  const examples = { match: ["rm x"] };
  const policy = { limits: { http_request: {} }, rules: [{ ...rule, examples }, 5] };
  assertEquals(JSON.parse(taskPolicyText(policy)), { rules: [rule, 5] });
  assertEquals(taskPolicyText({ rules: "none" }), '{"rules":"none"}');
});
