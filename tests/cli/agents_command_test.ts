import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import type { Ports } from "../../lib/ports.ts";
import { realServers } from "../../lib/real/servers.ts";
import {
  FakeClock,
  fakeEnvironment,
  fakePorts,
  FakeTerminal,
  MemoryFiles,
  NEVER,
} from "../fakes.ts";

const FILE = "/home/me/.config/rein/agents.yaml";

const PARAMETERS = "{type: object, properties: {order: {type: string}}, required: [order]}";

function directory(url: string): string {
  return `agents:
  - name: orders
    description: Looks at orders
    address: ${url}
    token: REIN_TOKEN_ORDERS
    intents:
      - name: refund-status
        description: Finds the state of a refund
        effect: read
        parameters: ${PARAMETERS}
        example: {order: A-1}
      - {name: refund, description: Pays back}
`;
}

const DESCRIPTION = {
  schema: "agent-description/1.0",
  name: "orders",
  description: "Looks at orders",
  protocols: ["agent-task/1.0"],
  intents: [
    {
      name: "refund-status",
      description: "Another text",
      // In another order than in the file.
      parameters: {
        required: ["order"],
        properties: { order: { type: "string" } },
        type: "object",
      },
      access: "read",
    },
    { name: "refund", description: "Pays back", parameters: { type: "object" }, access: "write" },
  ],
};

/** Runs `rein agents …`. */
async function agents(
  args: readonly string[],
  files: Record<string, string>,
  overrides: Partial<Ports> = {},
): Promise<readonly [code: number, stdout: string, stderr: string]> {
  const terminal = new FakeTerminal();
  const env = fakeEnvironment({ HOME: "/home/me", REIN_TOKEN_ORDERS: "s3cret" });
  const ports = fakePorts({ terminal, env, files: new MemoryFiles(files), ...overrides });
  const code = await runCli(["agents", ...args], ports, { signal: NEVER, interrupt: () => {} });
  return [code, terminal.stdout, terminal.stderr];
}

/** Checks an agent that says this of itself. */
async function checked(
  answer: () => Response,
  args: readonly string[] = ["check"],
  overrides: Partial<Ports> = {},
): Promise<readonly [code: number, stdout: string, stderr: string]> {
  const over = new AbortController();
  const server = await realServers.listen(
    { hostname: "127.0.0.1", port: 0 },
    () => Promise.resolve(answer()),
    over.signal,
  );
  try {
    const { port } = server.address;
    const files = { [FILE]: directory(`http://127.0.0.1:${port}/tasks`) };
    const [code, ...texts] = await agents(args, files, { fetch, ...overrides });
    const [stdout = "", stderr = ""] = texts.map((text) => text.replaceAll(`${port}`, "PORT"));
    return [code, stdout, stderr];
  } finally {
    over.abort();
    await server.drain();
  }
}

Deno.test("agents list prints agents with their intents, for people and for programs", async () => {
  const files = { [FILE]: directory("http://127.0.0.1:1/tasks") };
  assertEquals(await agents(["list"], files), [
    0,
    "orders           http     Looks at orders\n" +
    "  refund-status  reads    Finds the state of a refund\n" +
    "  refund         changes  Pays back\n",
    "",
  ]);
  const [code, printed] = await agents(["list", "-o", "json"], files);
  const { agents: [first], ...rest } = JSON.parse(printed);
  assertEquals([code, rest], [
    0,
    { schema: "rein-agents/1", recursive: false, max_depth: 2, max_subtasks: 8 },
  ]);
  assertEquals(first, {
    name: "orders",
    description: "Looks at orders",
    transport: "http",
    address: "http://127.0.0.1:1/tasks",
    token_variable: "REIN_TOKEN_ORDERS",
    timeout_ms: 120_000,
    concurrency: 4,
    idempotent: true,
    callback: null,
    policy: null,
    intents: [
      {
        name: "refund-status",
        description: "Finds the state of a refund",
        access: "read",
        parameters: {
          type: "object",
          properties: { order: { type: "string" } },
          required: ["order"],
        },
        example: { order: "A-1" },
      },
      {
        name: "refund",
        description: "Pays back",
        access: "write",
        parameters: { type: "object" },
        example: null,
      },
    ],
    file: FILE,
  });
});

Deno.test("agents list says where agents are to be written, where there are none", async () => {
  const none = 'No agents: write them into ~/.config/rein/agents.yaml; see "rein agents --help".\n';
  assertEquals(await agents(["list"], {}), [0, none, ""]);
  assertEquals(await agents(["check"], {}), [0, none, ""]);
});

Deno.test("agents list takes files of the command line, and says what is wrong with them", async () => {
  const files = { "mine.yaml": directory("http://127.0.0.1:1/tasks"), "bad.yaml": "agents: 7\n" };
  const [code, stdout] = await agents(["list", "--agents", "mine.yaml"], files);
  assertEquals([code, stdout.split(" ")[0]], [0, "orders"]);
  assertEquals(await agents(["list", "--agents", "mine.yaml", "--agents", "bad.yaml"], files), [
    2,
    "",
    'rein: bad.yaml:1:9: Value 7 of "agents" must be of type array. Correct it.\n',
  ]);
});

Deno.test("agents show prints all of one agent, and what is meant by a wrong name", async () => {
  const files = { [FILE]: directory("http://127.0.0.1:1/tasks") };
  assertEquals(await agents(["show", "orders"], files), [
    0,
    `name         orders
description  Looks at orders
speaks       http
address      http://127.0.0.1:1/tasks
token        from REIN_TOKEN_ORDERS
timeout      2m
at a time    4
idempotent   yes: sent twice, it runs once
file         ${FILE}

intents
  refund-status (reads): Finds the state of a refund
    parameters  {"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}
    example     {"order":"A-1"}
  refund (changes): Pays back
    parameters  {"type":"object"}
`,
    "",
  ]);
  assertEquals(await agents(["show", "order"], files), [
    2,
    "",
    'rein: There is no agent "order". Did you mean "orders"?\n',
  ]);
});

Deno.test("agents check is content with an agent that is what the file says", async () => {
  assertEquals(await checked(() => Response.json(DESCRIPTION)), [
    0,
    "orders  ok (0 ms; agent-task/1.0; intents match)\n",
    "",
  ]);
  const more = { ...DESCRIPTION, intents: [...DESCRIPTION.intents, { name: "audit" }] };
  assertEquals(await checked(() => Response.json(more)), [
    0,
    "orders  ok (0 ms; agent-task/1.0; intents match; it also has audit)\n",
    "",
  ]);
  assertEquals(await checked(() => new Response(null, { status: 405 })), [
    0,
    "orders  ok (0 ms; it does not say what it is)\n",
    "",
  ]);
});

Deno.test("agents check says that a token goes where others can read it", async () => {
  const files = { [FILE]: directory("http://orders.example/tasks") };
  const answer = () => Promise.resolve(Response.json(DESCRIPTION));
  assertEquals(await agents(["check"], files, { fetch: answer }), [
    0,
    "orders  ok (0 ms; agent-task/1.0; intents match; its token goes there unencrypted: use " +
    "https)\n",
    "",
  ]);
});

Deno.test("agents check says how an agent differs from what the file says", async () => {
  const [first] = DESCRIPTION.intents;
  const other = {
    ...DESCRIPTION,
    protocols: ["agent-task/2.0"],
    intents: [{ ...first, access: "write", parameters: { type: "object", required: ["id"] } }],
  };
  assertEquals(await checked(() => Response.json(other)), [
    1,
    "orders  failed: it takes agent-task/2.0, and rein sends agent-task/1.0; it has no intent " +
    "refund; other parameters for refund-status; it says that these change something, and the " +
    'file says "read": refund-status\n',
    "",
  ]);
  const [code, printed] = await checked(() => Response.json(other), [
    "check",
    "orders",
    "-o",
    "json",
  ]);
  assertEquals([code, JSON.parse(printed)], [1, {
    schema: "rein-agents-check/1",
    agents: [{
      name: "orders",
      reachable: true,
      failure: null,
      protocols: ["agent-task/2.0"],
      intents: {
        missing: ["refund"],
        extra: [],
        other_parameters: ["refund-status"],
        changing: ["refund-status"],
      },
      ms: 0,
      passed: false,
    }],
    passed: false,
  }]);
});

Deno.test("agents check says why an agent can't be used", async () => {
  const refuses = () => new Response("Who are you?", { status: 401 });
  assertEquals(await checked(refuses), [
    1,
    'orders  failed: Agent "orders" answered 401 Unauthorized: Who are you?\n',
    "",
  ]);
  const env = fakeEnvironment({ HOME: "/home/me" });
  assertEquals(await checked(refuses, ["check"], { env }), [
    1,
    'orders  failed: Agent "orders" needs a token, and the variable REIN_TOKEN_ORDERS is not set\n',
    "",
  ]);
  const html = () => new Response("<h1>Hi</h1>", { headers: { "content-type": "text/html" } });
  assertEquals(await checked(html), [
    1,
    'orders  failed: Agent "orders" gave no result: it is text/html: Hi\n',
    "",
  ]);
});

Deno.test("agents check does not wait for an agent that never answers", async () => {
  const clock = new FakeClock();
  const files = { [FILE]: directory("http://127.0.0.1:1/tasks") };
  const hanging: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      void clock.advance(10_000);
    });
  assertEquals(await agents(["check"], files, { clock, fetch: hanging }), [
    1,
    "orders  failed: It did not answer in 10 s\n",
    "",
  ]);
});
