import { assertEquals, assertThrows } from "@std/assert";
import {
  AgentFileError,
  DEFAULT_ANSWER,
  profileOf,
  readAgentFile,
} from "../../lib/serve/agent_file.ts";

const SMALLEST = `name: orders
description: Looks at orders
intents:
  - name: status
    description: Finds the state of an order
    prompt: Find it
`;

/** What is wrong with a file. */
function fault(text: string): string {
  return assertThrows(() => readAgentFile(text, "a.yaml"), AgentFileError).message;
}

/** The smallest file with more lines of its intent. */
function withLines(...lines: readonly string[]): string {
  return SMALLEST + lines.map((line) => `    ${line}\n`).join("");
}

Deno.test("readAgentFile() takes the smallest file, with defaults that allow little", () => {
  assertEquals(readAgentFile(SMALLEST, "a.yaml").agent, {
    name: "orders",
    description: "Looks at orders",
    tokenVariable: null,
    concurrency: 4,
    queue: 100,
    keep: { tasks: 10_000, ms: 30 * 24 * 3600 * 1000 },
    callbacks: [],
    callbackVariable: null,
    intents: [{
      name: "status",
      description: "Finds the state of an order",
      effect: "change",
      parameters: { type: "object", properties: {}, additionalProperties: false },
      example: null,
      prompt: "Find it",
      tools: [],
      policy: null,
      answer: DEFAULT_ANSWER,
      model: null,
      maxSteps: null,
      maxTimeMs: null,
      recursive: false,
      agents: null,
    }],
    file: "a.yaml",
  });
});

Deno.test("readAgentFile() takes everything that there is", () => {
  const { agent } = readAgentFile(
    `${
      withLines(
        ...["effect: read", "tools: [read_file]", "policy: p.yaml", "model: m", "max_steps: 3"],
        ...["max_time: 1m30s", "recursive: true", "agents: agents.yaml", "example: {order: A-1}"],
        "parameters: {type: object, properties: {order: {type: string}}}",
        "answer: {type: object, required: [summary], properties: {summary: {type: string}}}",
      )
    }token: REIN_TOKEN_A\nconcurrency: 2\nqueue: 0\nkeep: {tasks: 5, days: 1}\n` +
      "callbacks: [ops.example]\ncallback_token: REIN_TOKEN_B\n",
    "a.yaml",
  );
  const { intents: [intent], ...rest } = agent;
  assertEquals(rest, {
    name: "orders",
    description: "Looks at orders",
    tokenVariable: "REIN_TOKEN_A",
    concurrency: 2,
    queue: 0,
    keep: { tasks: 5, ms: 24 * 3600 * 1000 },
    callbacks: ["ops.example"],
    callbackVariable: "REIN_TOKEN_B",
    file: "a.yaml",
  });
  assertEquals([intent?.effect, intent?.maxSteps, intent?.maxTimeMs, intent?.recursive], [
    "read",
    3,
    90_000,
    true,
  ]);
});

Deno.test("readAgentFile() says where a fault is and what to do", () => {
  assertEquals(fault("name: [\n").startsWith("a.yaml:2:1: "), true);
  assertEquals(fault("- x\n"), "a.yaml:1:1: An agent file holds keys with values");
  assertEquals(
    fault(`${SMALLEST}tokens: x\n`),
    'a.yaml:7:1: Unknown key "tokens": remove it or correct its name',
  );
  assertEquals(
    fault(withLines("effect: none")),
    'a.yaml:7:13: Value "none" is not possible here: use one of read, change',
  );
  assertEquals(
    fault(`${SMALLEST}  - name: status\n    description: Again\n    prompt: x\n`),
    'a.yaml:7:11: Intent "status" is there twice: rename one',
  );
  assertEquals(
    fault(withLines("parameters: {type: array}")),
    'a.yaml:7:17: Parameters must be of "type: object": say so',
  );
  assertEquals(
    fault(withLines("example: {order: 1}")),
    'a.yaml:7:14: The example does not fit: the value must NOT have additional properties ("order")',
  );
  assertEquals(
    fault(SMALLEST.replace("Find it", '"Find {{params.order}}"')),
    'a.yaml:6:13: "{{params.order}}" is no parameter: there are none',
  );
  assertEquals(
    fault(withLines("answer: {type: object}")),
    'a.yaml:7:13: The answer must be an object that requires a "summary" of type string: add it',
  );
  assertEquals(
    fault(`${SMALLEST}token: OPENAI_API_KEY\n`).startsWith("a.yaml:7:8: Value"),
    true,
  );
});

Deno.test("profileOf() tells what an agent can do, and not how", () => {
  const { agent } = readAgentFile(withLines("effect: read"), "a.yaml");
  assertEquals(profileOf(agent), {
    name: "orders",
    description: "Looks at orders",
    intents: [{
      name: "status",
      description: "Finds the state of an order",
      parameters: { type: "object", properties: {}, additionalProperties: false },
      example: null,
      access: "read",
    }],
  });
});

Deno.test("the agents of the examples can be read", async () => {
  const folder = new URL("../../examples/agents/", import.meta.url);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name)
    .filter((name) => /^(?!agents\.)[\w-]+\.yaml$/.test(name));
  const read = await Promise.all(
    names.toSorted().map(async (name) => {
      const { agent } = readAgentFile(await Deno.readTextFile(new URL(name, folder)), name);
      return [agent.name, agent.intents.map((intent) => intent.name)];
    }),
  );
  assertEquals(read, [
    ["alert-triage", ["explain", "note"]],
    ["order-analysis", ["refund-status", "failed-payments"]],
  ]);
});
