import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../lib/types.ts";
import {
  asking,
  ends,
  HOLD,
  inTown,
  kill,
  outcomeOf,
  type PlayedAgent,
  tableOf,
  turns,
  write,
} from "./_agents.ts";
import { type Program, PROGRAMS } from "./_program.ts";
import { NO_PTY, Pty } from "./_pty.ts";

function done(summary: string, more: JsonObject = {}) {
  return { summary, top_items: [], ...more };
}

/** Data of any form that has a summary. */
const ANY_ANSWER = {
  answer: {
    type: "object",
    required: ["summary"],
    properties: { summary: { type: "string" } },
  },
};

const ORDERS: PlayedAgent = {
  name: "orders",
  intents: {
    find: {
      effect: "read",
      turns: turns([], done("Found it", { order: { id: "A-1", items: [3, 4] } })),
      more: ANY_ANSWER,
    },
    refund: { turns: turns([write("refund")], done("Paid back")) },
    hold: { turns: turns([write("hold"), HOLD], done("Held")) },
    cancel: { turns: turns([write("cancel")], done("Cancelled")) },
    hang: { effect: "read", turns: turns([HOLD], done("Hung")) },
  },
};

const ALERTS: PlayedAgent = {
  name: "alerts",
  intents: {
    recent: { effect: "read", turns: turns([], done("Two alerts")) },
    // The model says nothing more: its server is gone, so to speak.
    fail: { effect: "read", turns: [] },
    part: {
      turns: turns(["echo x > elsewhere"], done("Only half of it")),
    },
    mute: { turns: turns([write("mute")], done("Muted")) },
  },
};

const RELEASES: PlayedAgent = {
  name: "releases",
  intents: {
    note: { turns: turns([write("note")], done("Noted")) },
  },
};

const AGENTS = [ORDERS, ALERTS, RELEASES];

function task(id: string, agent: string, intent: string, more: JsonObject = {}): JsonObject {
  return { id, agent, intent, ...more };
}

/** A test of each form of the program. */
function test(name: string, work: (program: Program) => Promise<void>): void {
  for (const program of PROGRAMS) {
    Deno.test(`${name} (${program.name})`, () => work(program));
  }
}

test("tasks of three agents run one after the other where one needs another's result", async (program) => {
  await inTown(program, AGENTS, async (town) => {
    const [orders, alerts, releases] = await Promise.all(
      AGENTS.map(({ name }) => town.serve(name)),
    );
    const caller = await town.call({
      turns: asking([
        task("n", "releases", "note", {
          params: { mark: "{{o.data.order.id}} has {{o.data.order.items[1]}}" },
          after: ["m"],
        }),
        task("m", "alerts", "mute", { params: { mark: "{{o.data.order.items}}" } }),
        task("o", "orders", "find", {}),
      ], "All is noted."),
    });
    const { code, answer, tasks } = await outcomeOf(caller);
    assertEquals([code, answer, ends(tasks)], [0, "All is noted.", [
      "n success",
      "m success",
      "o success",
    ]]);
    assertEquals(await town.changes(), ["mute", "note"]);
    const times = await Promise.all([
      orders?.told("task_finished"),
      alerts?.told("task_received"),
      alerts?.told("task_finished"),
      releases?.told("task_received"),
    ]);
    const at = times.map((event) => String(event?.["at"]));
    assertEquals(at, at.toSorted());
    const [sent] = (await tableOf(town)).filter(({ name }) => name === "n");
    const shown = await town.run(["tasks", "show", sent?.id ?? "", "-o", "json"]);
    assertEquals(JSON.parse(shown.stdout).envelope.params, { mark: "A-1 has 4" });
  });
});

test("of parallel tasks one hangs and one fails, and the other two are used", async (program) => {
  const listed = { timeout: "3s" };
  await inTown(program, [{ ...ORDERS, listed }, ALERTS, RELEASES], async (town) => {
    const [orders] = await Promise.all(AGENTS.map(({ name }) => town.serve(name)));
    const caller = await town.call({
      turns: asking([
        task("h", "orders", "hang"),
        task("f", "alerts", "fail"),
        task("r", "alerts", "recent"),
        task("n", "releases", "note"),
        task("w", "releases", "note", { after: ["h"] }),
      ], "Two alerts, and it is noted; the orders are missing."),
    });
    await orders?.told("task_received");
    orders?.child.kill("SIGSTOP");
    const { code, answer, tasks } = await outcomeOf(caller);
    assertEquals([code, answer, ends(tasks)], [
      0,
      "Two alerts, and it is noted; the orders are missing.",
      [
        "h not obtained: timeout",
        "f failed model_recording_ended",
        "r success",
        "n success",
        "w not obtained: h failed",
      ],
    ]);
    assertEquals(tasks.map(({ summary }) => summary), [
      undefined,
      undefined,
      "Two alerts",
      "Noted",
      undefined,
    ]);
    assertEquals(await town.changes(), ["note"]);
  });
});

test("a partial success is passed on as one, and others may use it", async (program) => {
  await inTown(program, AGENTS, async (town) => {
    await Promise.all(AGENTS.map(({ name }) => town.serve(name)));
    const caller = await town.call({
      turns: asking([
        task("p", "alerts", "part"),
        task("n", "releases", "note", { params: { mark: "{{p.data.summary}}" } }),
      ], "Half of it."),
    });
    const { code, tasks } = await outcomeOf(caller);
    assertEquals([code, ends(tasks), tasks[0]?.summary], [
      0,
      ["p partial_success denied", "n success"],
      "Only half of it",
    ]);
    assertEquals(await town.changes(), ["note"]);
  });
});

/** Agents that give their task to each other, as long as they may. */
function inCircles(): readonly PlayedAgent[] {
  const passes = (name: string, to: string): PlayedAgent => ({
    name,
    intents: {
      pass: {
        effect: "read",
        tools: ["delegate"],
        turns: asking([task("t", to, "pass")], JSON.stringify(done(`${name} asked ${to}`))),
        more: { recursive: true, agents: "agents.yaml" },
      },
    },
  });
  return [passes("first", "second"), passes("second", "first")];
}

test("agents that give their task to each other end at the limit, and each says why", async (program) => {
  await inTown(program, inCircles(), async (town) => {
    const [first, second] = [await town.serve("first"), await town.serve("second")];
    const caller = await town.call({ turns: asking([task("t", "first", "pass")], "Enough.") });
    const { code, answer, tasks } = await outcomeOf(caller);
    assertEquals([code, answer, ends(tasks)], [0, "Enough.", ["t success"]]);
    const received = [...first.events, ...second.events].filter(({ type }) =>
      type === "task_received"
    );
    assertEquals(received.length, 2);
    // What the agents' own runs were told stands in their sessions.
    const env = { XDG_STATE_HOME: `${town.directory}/state-agents` };
    const list = await town.run(["sessions", "list", "-o", "json"], env);
    const ids = JSON.parse(list.stdout).sessions.map(({ id }: { id: string }) => id);
    const told = await Promise.all(ids.map(async (id: string) => {
      const { stdout } = await town.run(["sessions", "export", id], env);
      const events = stdout.trim().split("\n").map((line) => JSON.parse(line));
      const { observation } = events.find(({ type }) => type === "call_finished");
      return observation.error?.message ?? observation.data.tasks[0].summary;
    }));
    assertEquals(told.toSorted(), [
      "This task is 2 delegations deep, and may be 2 at the most",
      "second asked first",
    ]);
  });
});

test("a caller that is killed in the middle asks for what it had sent, and sends nothing anew", async (program) => {
  await inTown(program, AGENTS, async (town) => {
    const started = await Promise.all(AGENTS.map(({ name }) => town.serve(name)));
    const settings = {
      turns: asking([
        task("a", "orders", "refund"),
        task("b", "orders", "hold"),
        task("c", "alerts", "mute", { after: ["b"] }),
        task("d", "releases", "note"),
      ], "All is done."),
    };
    const first = await town.call(settings);
    await town.changed(3);
    kill(first);
    await first.child.status;
    await town.go();
    const { code, answer, tasks } = await outcomeOf(await town.resume(settings));
    assertEquals([code, answer, ends(tasks)], [0, "All is done.", [
      "a success",
      "b success",
      "c success",
      "d success",
    ]]);
    assertEquals(await town.changes(), ["hold", "mute", "note", "refund"]);
    const received = started.map(({ events }) =>
      events.filter(({ type }) => type === "task_received").length
    );
    assertEquals(received, [2, 1, 1]);
  });
});

test("an agent that is killed in the middle and starts anew does each change once", async (program) => {
  await inTown(program, AGENTS, async (town) => {
    const [orders] = await Promise.all(AGENTS.map(({ name }) => town.serve(name)));
    const caller = await town.call({
      turns: asking([
        task("a", "orders", "refund"),
        task("b", "orders", "hold"),
        task("c", "alerts", "mute", { after: ["b"] }),
      ], "All is done."),
    });
    // One is done. The change of "hold" is made, and it is in a call that only waits.
    await orders?.told("task_finished");
    await orders?.told("task_step", 3);
    if (orders !== undefined) kill(orders);
    await orders?.child.status;
    await town.go();
    await town.serve("orders");
    const { code, answer, tasks } = await outcomeOf(caller);
    assertEquals([code, answer, ends(tasks)], [0, "All is done.", [
      "a success",
      "b success",
      "c success",
    ]]);
    assertEquals(await town.changes(), ["hold", "mute", "refund"]);
  });
});

test("Ctrl-C of the caller cancels its tasks at the agents", async (program) => {
  await inTown(program, AGENTS, async (town) => {
    const [orders, alerts] = await Promise.all(AGENTS.map(({ name }) => town.serve(name)));
    const caller = await town.call({
      turns: asking([
        task("a", "orders", "hold"),
        task("b", "alerts", "recent"),
        task("c", "alerts", "mute", { after: ["a"] }),
      ], "Never said."),
    });
    await alerts?.told("task_finished");
    await town.changed(1);
    while ((await tableOf(town))[1]?.phase !== "success");
    caller.child.kill("SIGINT");
    const { code } = await outcomeOf(caller);
    const { status, error } = await orders?.told("task_finished") ?? {};
    assertEquals([code, status, (error as { code: string }).code], [130, "failed", "cancelled"]);
    const table = (await tableOf(town)).map(({ name, phase }) => `${name} ${phase}`);
    assertEquals(table, ["a cancelled", "b success", "c cancelled"]);
    assertEquals(await town.changes(), ["hold"]);
  });
});

/** A program that is an agent. */
const PROGRAM = `#!/bin/sh
read -r task
id=$(printf '%s' "$task" | sed 's/.*"task_id":"\\([^"]*\\)".*/\\1/')
echo program >> made/changes
printf '{"task_id":"%s","protocol":"agent-result/1.0","status":"success",' "$id"
printf '"data":{"summary":"Done by a program"},"error":null,'
printf '"cost":{"input_tokens":0,"output_tokens":0,"latency_ms":0}}\\n'
`;

test("an agent by A2A, one by a program and one with a token do their part each", async (program) => {
  const agents = [
    { ...ORDERS, listed: { a2a: "" } },
    { ...ALERTS, listed: { command: ["./agent.sh"] } },
    { ...RELEASES, more: { token: "REIN_TOKEN_R" }, listed: { token: "REIN_TOKEN_R" } },
  ];
  await inTown(program, agents, async (town) => {
    const path = `${town.directory}/agents.yaml`;
    const card = new URL("/.well-known/agent-card.json", town.urlOf("orders")).href;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace('"a2a":""', `"a2a":"${card}"`));
    await Deno.writeTextFile(`${town.directory}/agent.sh`, PROGRAM, { mode: 0o700 });
    await town.serve("orders");
    await town.serve("releases", { REIN_TOKEN_R: "right" });
    const turns = asking([
      task("a", "orders", "refund"),
      task("b", "alerts", "mute"),
      task("c", "releases", "note", { params: { mark: "{{a.data.summary}} {{b.data.summary}}" } }),
    ], "All is done.");
    const env = { REIN_TOKEN_R: "right" };
    const { code, tasks } = await outcomeOf(await town.call({ turns, env }));
    assertEquals([code, ends(tasks), tasks.map(({ summary }) => summary)], [
      0,
      ["a success", "b success", "c success"],
      ["Paid back", "Done by a program", "Noted"],
    ]);
    assertEquals(await town.changes(), ["note", "program", "refund"]);

    const wrong = { ...env, REIN_TOKEN_R: "wrong" };
    const only = asking([task("c", "releases", "note")], "Not done.");
    const args = ["--session", "other"];
    const refused = await outcomeOf(await town.call({ turns: only, env: wrong, args }));
    assertEquals(refused.tasks.map(({ error }) => error?.message), [
      'Agent "releases" answered 401 Unauthorized: it does not take the token in REIN_TOKEN_R',
    ]);
    const none = await outcomeOf(await town.call({ turns: only, args: ["--session", "third"] }));
    assertEquals(none.tasks.map(({ error }) => error?.message), [
      'Agent "releases" needs a token, and the variable REIN_TOKEN_R is not set',
    ]);
    const checked = await town.run(["agents", "check", "--agents", "agents.yaml"], wrong);
    assertEquals(checked.code, 1);
    assertEquals(await town.changes(), ["note", "program", "refund"]);
  });
});

test("a person watches the tasks of two callers, and gives one up", async (program) => {
  await inTown(program, AGENTS, async (town) => {
    await Promise.all(AGENTS.map(({ name }) => town.serve(name)));
    const [first, second] = [
      await town.call({ turns: asking([task("任务", "orders", "hold")], "One.") }),
      await town.call({
        turns: asking([task("b", "orders", "cancel"), task("c", "orders", "hang")], "Two."),
        args: ["--session", "other"],
      }),
    ];
    await town.changed(2);
    const env = { XDG_STATE_HOME: `${town.directory}/state-caller` };
    const screen = NO_PTY === null ? new Pty(program, ["tasks", "--watch"], { env }) : null;
    await screen?.waitFor("orders/hold");
    const held = (await tableOf(town)).find(({ name }) => name === "任务");
    const cancel = ["tasks", "cancel", held?.id ?? "", "--agents", "agents.yaml"];
    assertEquals(await town.run(cancel), {
      code: 0,
      stdout: `Cancelled ${held?.id}.\n`,
      stderr: "",
    });
    await screen?.waitFor("cancelled");
    // Who asked for it is told by the agent.
    assertEquals(ends((await outcomeOf(first)).tasks), ["任务 failed cancelled"]);
    await town.go();
    assertEquals(ends((await outcomeOf(second)).tasks), ["b success", "c success"]);
    await screen?.type("\x03");
    await screen?.end();
    assertEquals((await town.run(cancel)).code, 2);
    assertEquals(await town.changes(), ["cancel", "hold"]);
  });
});
