import { assertEquals } from "@std/assert";
import { createTransport } from "../../lib/delegate/transport.ts";
import type { Agent, ResultEnvelope, TaskEnvelope } from "../../lib/delegate/types.ts";
import { createRealPorts } from "../../lib/real/ports.ts";
import { NEVER } from "../fakes.ts";
import { inTown, type PlayedAgent, turns, write } from "./_agents.ts";
import { stateOf } from "./_process_state.ts";
import { REIN, SOURCE } from "./_program.ts";

/** Tasks that are handed in at once. Source: issue 8. */
const TASKS = 200;

/** Tasks that the agent runs at the same time. */
const CONCURRENCY = 8;

/** Memory that the agent may take at its height, in megabytes; measured are 230 to 300. */
const MAX_PEAK_MB = 600;

function worker(queue: number): PlayedAgent {
  return {
    name: "worker",
    more: { concurrency: CONCURRENCY, queue },
    intents: { once: { turns: turns([write("once")], { summary: "Done", top_items: [] }) } },
  };
}

function agentAt(url: string): Agent {
  return {
    name: "worker",
    description: "For tests",
    address: { transport: "http", url: new URL(url) },
    intents: [],
    timeoutMs: 300_000,
    tokenVariable: null,
    concurrency: TASKS,
    idempotent: true,
    policy: null,
    file: "agents.yaml",
  };
}

function task(number: number): TaskEnvelope {
  return {
    task_id: `t-${number}`,
    protocol: "agent-task/1.0",
    agent: "worker",
    intent: "once",
    params: { mark: number },
    callback: null,
    timeout_sec: 300,
  };
}

/** How results and lines fit the tasks: nothing is lost, nothing is done twice. */
function counts(results: readonly ResultEnvelope[], changes: readonly string[]) {
  return {
    ids: new Set(results.map(({ task_id }) => task_id)).size,
    successes: results.filter(({ status }) => status === "success").length,
    changes: changes.length,
  };
}

const ALL = { ids: TASKS, successes: TASKS, changes: TASKS };

/** Hands all tasks in at once, and again once all have ended. */
async function load(program: typeof SOURCE, queue: number): Promise<void> {
  await inTown(program, [worker(queue)], async (town) => {
    const served = await town.serve("worker");
    const ports = createRealPorts();
    const transport = createTransport(agentAt(town.urlOf("worker")), ports, {
      variable: () => undefined,
    });
    const sendAll = () =>
      Promise.all(
        Array.from(
          { length: TASKS },
          (_, number) => transport.send(task(number), { accepted: () => {} }, NEVER),
        ),
      );
    const beganMs = performance.now();
    const results = await sendAll();
    const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
    assertEquals(counts(results, await town.changes()), ALL);
    const { peakMb, rssMb } = await stateOf(served.child.pid);
    assertEquals(await sendAll(), results);
    assertEquals(counts(results, await town.changes()), ALL);
    const received = served.events.filter(({ type }) => type === "task_received").length;
    const busy = served.events.filter(({ type }) => type === "task_refused").length;
    console.log(
      `${program.name}, queue ${queue}: ${TASKS} tasks in ${seconds} s, ${busy} times busy, ` +
        `peak ${Math.round(peakMb)} MB, then ${Math.round(rssMb)} MB`,
    );
    assertEquals([received, peakMb < MAX_PEAK_MB, busy > 0], [TASKS, true, queue < TASKS]);
  });
}

Deno.test(`${TASKS} tasks at once are all done, each once`, async () => {
  await load(REIN ?? SOURCE, TASKS);
});

Deno.test(`${TASKS} tasks at once come again to an agent with a short queue, and all are done`, async () => {
  await load(REIN ?? SOURCE, 20);
});
