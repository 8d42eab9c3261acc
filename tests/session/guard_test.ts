import { assertEquals } from "@std/assert";
import { guardInterrupted } from "../../lib/session/guard.ts";
import type { Decision, JudgeRequest } from "../../lib/types.ts";
import { fakeTool, judgeAll } from "../fakes.ts";

const shell = fakeTool({
  name: "run_shell",
  effect: "execute",
  subjects: ({ command }) => [{ kind: "command", command: String(command) }],
});

function request(command: string): JudgeRequest {
  return { tool: "run_shell", effect: "execute", subjects: [{ kind: "command", command }] };
}

/** The decisions on commands after `rm a` was interrupted, by a policy that decides the same. */
async function decisions(policy: Decision, reads: Decision): Promise<Decision[]> {
  const interrupted = [
    { tool: "run_shell", arguments: '{"command": "rm a"}' },
    { tool: "gone", arguments: "{}" },
    { tool: "run_shell", arguments: '{"command": "rm' },
  ];
  const guarded = guardInterrupted(judgeAll(policy), {
    record: { interrupted },
    tools: [shell],
    readOnly: judgeAll(reads),
  });
  const evaluations = await Promise.all(["rm a", "rm b"].map((one) => guarded(request(one))));
  return evaluations.map(({ decision }) => decision);
}

Deno.test("guardInterrupted() asks before an interrupted change is made again", async () => {
  assertEquals(await decisions("allow", "ask"), ["ask", "allow"]);
});

Deno.test("guardInterrupted() leaves reading and denials as they are", async () => {
  assertEquals(await decisions("allow", "allow"), ["allow", "allow"]);
  assertEquals(await decisions("deny", "ask"), ["deny", "deny"]);
});
