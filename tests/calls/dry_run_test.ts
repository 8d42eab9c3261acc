import { assertEquals } from "@std/assert";
import { run } from "../../lib/loop.ts";
import type { Decision, JudgeRequest } from "../../lib/types.ts";
import {
  evaluationOf,
  fakeRunPorts,
  fakeTool,
  judgeAll,
  NEVER,
  play,
  ScriptedModel,
} from "../fakes.ts";

const CALL = { name: "echo", arguments: { text: "rm x" } };

/** A dry run of one call, under a policy and the judge of what reads. */
async function dryRun(decision: Decision, reading: Decision) {
  let ran = 0;
  const tool = fakeTool({
    effect: "execute",
    run: (args) => {
      ran++;
      return Promise.resolve({ ok: true, data: args, summary: "ran" });
    },
  });
  const asked: JudgeRequest[] = [];
  const ports = fakeRunPorts(new ScriptedModel({ calls: [CALL] }, { text: "ok" }), {
    tools: [tool],
    judge: judgeAll(decision),
    readOnly: (request) => {
      asked.push(request);
      return Promise.resolve(evaluationOf(reading));
    },
  });
  const { events } = await play(run({ task: "t" }, ports, NEVER));
  const last = events.find(({ type }) => type === "call_finished");
  const observation = last?.type === "call_finished" ? last.observation : null;
  const types = events.map(({ type }) => type);
  return { ran, data: observation?.data, status: observation?.status, types, asked };
}

Deno.test("a dry run runs what only reads", async () => {
  const { ran, data } = await dryRun("allow", "allow");
  assertEquals([ran, data], [1, { text: "rm x" }]);
});

Deno.test("a dry run describes what would change, with the decision, and asks nobody", async () => {
  for (const decision of ["allow", "ask"] as const) {
    const { ran, data, status, types } = await dryRun(decision, "ask");
    assertEquals([ran, status], [0, "success"]);
    assertEquals(data, { dry_run: true, decision, would: "rm x" });
    assertEquals(types.includes("approval_requested"), false);
  }
});

Deno.test("a dry run denies what the policy denies", async () => {
  const { ran, status, asked } = await dryRun("deny", "allow");
  assertEquals([ran, status, asked.length], [0, "denied", 0]);
});
