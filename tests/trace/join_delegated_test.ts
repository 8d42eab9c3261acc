import { assertEquals } from "@std/assert";
import { joinDelegated } from "../../lib/trace/join_delegated.ts";
import type { TracedRun } from "../../lib/trace/traced_run.ts";
import { tracedRuns } from "../../lib/trace/tracer.ts";
import { agentRun, incident } from "./_story.ts";

const only = (runs: readonly TracedRun[]): TracedRun => {
  const [run] = runs;
  if (run === undefined) throw new Error("There is none");
  return run;
};

const tasksOf = (run: TracedRun) =>
  run.steps.flatMap(({ calls }) => calls.flatMap(({ tasks }) => tasks));

Deno.test("joinDelegated() puts the runs of agents below the tasks that they were given", async () => {
  const agents = tracedRuns(agentRun());
  const asked: string[] = [];
  const joined = await joinDelegated(only(tracedRuns(incident())), (agent, taskId) => {
    asked.push(`${agent} ${taskId}`);
    return Promise.resolve(taskId === "t-1" ? agents : []);
  });
  assertEquals(asked, ["payments t-1", "orders t-2"]);
  assertEquals(tasksOf(joined).map(({ runs }) => runs), [agents, []]);
});

Deno.test("joinDelegated() ends where agents give tasks in a circle", async () => {
  const run = only(tracedRuns(incident()));
  let found = 0;
  const joined = await joinDelegated(run, (agent) => {
    found++;
    return Promise.resolve(agent === "payments" ? [run] : []);
  });
  let depth = 0;
  for (let at: TracedRun | undefined = joined; at; at = tasksOf(at)[0]?.runs[0]) depth++;
  assertEquals([depth, found], [9, 16]);
});
