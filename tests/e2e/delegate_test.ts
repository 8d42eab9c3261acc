import { assertEquals } from "@std/assert";
import type { Event, RunResult } from "../../lib/events.ts";
import type { JsonObject } from "../../lib/types.ts";
import { ended, inTempDir, recording, rein, SOURCE, start } from "./_program.ts";

/** An agent in this process: what it did, by task, and who waits for what it does. */
interface TestAgent {
  readonly url: string;
  /** How often each task was run, by its order. */
  readonly runs: Map<string, number>;
  /** Ids of tasks that came in, in order. */
  readonly seen: string[];
  /** Lets the tasks that hang come to their end. */
  release(): void;
  stop(): Promise<void>;
}

/** Serves tasks by the HTTP binding: the order `slow` is run once `release` was called. */
function serveAgent(): TestAgent {
  const runs = new Map<string, number>();
  const seen: string[] = [];
  const results = new Map<string, Promise<JsonObject>>();
  const gate = Promise.withResolvers<void>();
  const resultOf = async (task: { task_id: string; params: { order: string } }) => {
    const { order } = task.params;
    runs.set(order, (runs.get(order) ?? 0) + 1);
    if (order === "slow") await gate.promise;
    return {
      task_id: task.task_id,
      protocol: "agent-result/1.0",
      status: "success",
      data: { summary: `Refunded ${order}`, receipt: `R-${order}` },
      error: null,
      cost: { input_tokens: 1, output_tokens: 1, latency_ms: 1 },
    };
  };
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (request.method === "POST") {
        const task = await request.json();
        seen.push(task.task_id);
        if (!results.has(task.task_id)) results.set(task.task_id, resultOf(task));
        const place = `/tasks/${task.task_id}`;
        const body = {
          task_id: task.task_id,
          phase: "running",
          status_url: place,
          poll_after_ms: 50,
        };
        return Response.json(body, { status: 202, headers: { location: place } });
      }
      if (request.method === "DELETE") return new Response(null, { status: 202 });
      const id = pathname.slice("/tasks/".length);
      const result = results.get(id);
      if (result === undefined) return Response.json({ error: "unknown" }, { status: 404 });
      const first = await Promise.race([
        result,
        new Promise<null>((resolve) => setTimeout(() => resolve(null), 100)),
      ]);
      if (first !== null) return Response.json(first);
      return Response.json({ task_id: id, phase: "running", poll_after_ms: 50 }, { status: 202 });
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/tasks`,
    runs,
    seen,
    release: gate.resolve,
    stop: () => server.shutdown(),
  };
}

function agentsFile(url: string): string {
  return JSON.stringify({
    agents: [{
      name: "orders",
      description: "Pays orders back",
      address: url,
      timeout: "60s",
      intents: [{
        name: "refund",
        description: "Pays an order back",
        effect: "change",
        parameters: {
          type: "object",
          properties: { order: { type: "string" } },
          required: ["order"],
          additionalProperties: false,
        },
      }],
    }],
  });
}

const refund = (id: string, order: string) => ({
  id,
  agent: "orders",
  intent: "refund",
  params: { order },
});

const TURNS = [
  {
    text: "",
    calls: [{
      name: "delegate",
      arguments: {
        tasks: [refund("a", "fast"), refund("b", "slow"), refund("c", "{{b.data.receipt}}")],
      },
    }],
  },
  { text: "All is paid back." },
];

function eventsOf(stdout: string): Event[] {
  return stdout.split("\n").filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
}

/** How the tasks of the only call ended, by their names. */
function tasksOf(events: readonly Event[]): Record<string, string> {
  const finished = events.findLast((event) => event.type === "call_finished");
  const data = finished?.type === "call_finished" ? finished.observation.data : null;
  const tasks = (data?.["tasks"] ?? []) as { id: string; summary?: string; status: string }[];
  return Object.fromEntries(tasks.map(({ id, summary, status }) => [id, summary ?? status]));
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}

Deno.test("a caller that is killed asks for what it had sent, and each task runs once", async () => {
  const agent = serveAgent();
  try {
    await inTempDir(async (directory) => {
      await Deno.writeTextFile(`${directory}/agents.yaml`, agentsFile(agent.url));
      const model = await recording(directory, TURNS);
      const args = ["-m", model, "--agents", "agents.yaml", "--approve-all", "-o", "jsonl"];
      const settings = { cwd: directory, env: { XDG_STATE_HOME: `${directory}/state` } };

      const child = start(SOURCE, [...args, "--session", "s", "Pay them back"], settings);
      const output = ended(child);
      await until(() => agent.runs.size === 2);
      child.kill("SIGKILL");
      await output;
      const before = [...agent.seen];
      agent.release();

      const { code, stdout } = await rein(SOURCE, ["resume", "s", ...args], settings);
      const events = eventsOf(stdout);
      assertEquals([code, tasksOf(events)], [0, {
        a: "Refunded fast",
        b: "Refunded slow",
        c: "Refunded R-slow",
      }]);
      assertEquals(agent.runs, new Map([["fast", 1], ["slow", 1], ["R-slow", 1]]));
      const last = events.at(-1);
      const result: RunResult | null = last?.type === "run_finished" ? last.result : null;
      assertEquals([result?.answer, result?.calls.map(({ status }) => status)], [
        "All is paid back.",
        ["success"],
      ]);
      assertEquals(new Set(agent.seen).size, 3);
      assertEquals([before.length, agent.seen.slice(0, 2)], [2, before]);

      const listed = await rein(SOURCE, ["tasks", "-o", "json"], settings);
      const phases = JSON.parse(listed.stdout).tasks
        .map((task: { name: string; phase: string }) => `${task.name} ${task.phase}`);
      assertEquals(phases, ["c success", "b success", "a success"]);
    });
  } finally {
    agent.release();
    await agent.stop();
  }
});

Deno.test("a changing task is sent to nobody without an approval", async () => {
  const agent = serveAgent();
  try {
    await inTempDir(async (directory) => {
      await Deno.writeTextFile(`${directory}/agents.yaml`, agentsFile(agent.url));
      const model = await recording(directory, TURNS);
      const args = ["-m", model, "--agents", "agents.yaml", "-o", "json", "Pay them back"];
      const { code, stdout } = await rein(SOURCE, args, { cwd: directory });
      const result = JSON.parse(stdout) as RunResult;
      assertEquals([code, result.calls.map(({ status }) => status), agent.seen], [
        4,
        ["denied"],
        [],
      ]);
    });
  } finally {
    await agent.stop();
  }
});
