import { assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../lib/config/config_error.ts";
import { loadDirectory, NO_AGENTS } from "../../lib/delegate/directory.ts";
import type { Agent } from "../../lib/delegate/types.ts";
import { fakeEnvironment, MemoryFiles } from "../fakes.ts";

const SYSTEM = "/etc/rein/agents.yaml";
const USER = "/home/user/.config/rein/agents.yaml";

const env = fakeEnvironment({ HOME: "/home/user" });

function place(contents: Record<string, string>) {
  const files = new MemoryFiles(contents);
  files.ownedBy.add(SYSTEM);
  return { files, env };
}

function agent(name: string, rest = "address: http://127.0.0.1:1/tasks"): string {
  return `  - name: ${name}\n    description: Does ${name}\n    ${rest}\n` +
    `    intents: [{name: look, description: Looks}]\n`;
}

/** What the file `mine.yaml` of the command line is refused with. */
async function faultOf(text: string): Promise<string> {
  const error = await assertRejects(
    () => loadDirectory(place({ "mine.yaml": text }), ["mine.yaml"]),
    ConfigError,
  );
  return `${error.message}. ${error.hint}`;
}

Deno.test("loadDirectory() is empty where there is no file", async () => {
  assertEquals(await loadDirectory(place({})), NO_AGENTS);
});

Deno.test("loadDirectory() reads all of an agent", async () => {
  const text = `
agents:
  - name: order-analysis
    description: Looks at orders
    address: https://orders.example/tasks
    token: REIN_TOKEN_ORDERS
    timeout: 1m30s
    concurrency: 2
    idempotent: false
    callback: {listen: "127.0.0.1:0", url: "http://127.0.0.1:{port}/results"}
    policy: {rules: [{id: x, decision: deny, programs: [rm], reason: No}]}
    intents:
      - name: refund-status
        description: Finds the state of a refund
        effect: read
        parameters: {properties: {order: {type: string}}, required: [order]}
        example: {order: "A-1"}
recursive: true
max_depth: 3
max_subtasks: 4
`;
  assertEquals(await loadDirectory(place({ [USER]: text })), {
    agents: [{
      name: "order-analysis",
      description: "Looks at orders",
      address: { transport: "http", url: new URL("https://orders.example/tasks") },
      intents: [{
        name: "refund-status",
        description: "Finds the state of a refund",
        parameters: {
          type: "object",
          properties: { order: { type: "string" } },
          required: ["order"],
        },
        example: { order: "A-1" },
        access: "read",
      }],
      timeoutMs: 90_000,
      tokenVariable: "REIN_TOKEN_ORDERS",
      concurrency: 2,
      idempotent: false,
      policy: { rules: [{ id: "x", decision: "deny", programs: ["rm"], reason: "No" }] },
      callback: { hostname: "127.0.0.1", port: 0, url: "http://127.0.0.1:{port}/results" },
      file: USER,
    }],
    recursive: true,
    maxDepth: 3,
    maxSubtasks: 4,
  });
});

Deno.test("loadDirectory() takes the stricter side where an agent does not say", async () => {
  const text = `agents:\n${agent("plain")}${agent("program", "command: [./run.sh, --json]")}`;
  const { agents } = await loadDirectory(place({ "/srv/a/mine.yaml": text }), ["/srv/a/mine.yaml"]);
  const shared: Omit<Agent, "name" | "description" | "address" | "idempotent"> = {
    intents: [{
      name: "look",
      description: "Looks",
      parameters: { type: "object" },
      example: null,
      access: "write",
    }],
    timeoutMs: 120_000,
    tokenVariable: null,
    concurrency: 4,
    policy: null,
    file: "/srv/a/mine.yaml",
  };
  assertEquals(agents, [
    {
      ...shared,
      name: "plain",
      description: "Does plain",
      address: { transport: "http", url: new URL("http://127.0.0.1:1/tasks") },
      idempotent: true,
    },
    {
      ...shared,
      name: "program",
      description: "Does program",
      address: { transport: "process", command: ["/srv/a/run.sh", "--json"] },
      idempotent: false,
    },
  ]);
});

Deno.test("loadDirectory() never takes a program out of the working directory", async () => {
  const programs = ["./run.sh", "../run.sh", "bin/run.sh", "/usr/bin/run", "run"];
  const text = programs.map((path, at) => agent(`a${at}`, `command: [${path}]`)).join("");
  const { agents } = await loadDirectory(place({ [USER]: `agents:\n${text}` }));
  const found = agents.map(({ address }) =>
    address.transport === "process" ? address.command[0] : null
  );
  assertEquals(found, [
    "/home/user/.config/rein/run.sh",
    "/home/user/.config/run.sh",
    "/home/user/.config/rein/bin/run.sh",
    "/usr/bin/run",
    "run",
  ]);
});

Deno.test("loadDirectory() lets later files replace agents by name, and never reads the working directory's", async () => {
  const ports = place({
    [SYSTEM]: `agents:\n${agent("a")}${agent("b")}max_depth: 5\n`,
    [USER]: `agents:\n${agent("b")}${agent("c")}`,
    "/work/.rein/agents.yaml": `agents:\n${agent("evil")}`,
    "/work/agents.yaml": `agents:\n${agent("evil")}`,
    "mine.yaml": `agents:\n${agent("c")}recursive: true\n`,
  });
  const { agents, ...rest } = await loadDirectory(ports, ["mine.yaml"]);
  assertEquals(agents.map(({ name, file }) => [name, file]), [
    ["a", SYSTEM],
    ["b", USER],
    ["c", "mine.yaml"],
  ]);
  assertEquals(rest, { recursive: true, maxDepth: 5, maxSubtasks: 8 });
});

Deno.test("loadDirectory() refuses a machine's file that others may write, and one that is missing", async () => {
  const files = new MemoryFiles({ [SYSTEM]: "agents: []" });
  const errors = [
    await assertRejects(() => loadDirectory({ files, env }), ConfigError),
    await assertRejects(() => loadDirectory(place({}), ["none.yaml"]), ConfigError),
  ];
  assertEquals(errors.map(({ message, hint }) => `${message}. ${hint}`), [
    `${SYSTEM}:1:1: Root must own this file and its directory, and nobody else may write them. ` +
    "Correct that.",
    'none.yaml:1:1: This can\'t be read ("none.yaml" does not exist). ' +
    "Check the path behind --agents.",
  ]);
});

/** Wrong files, and what is said of them behind the file's name. */
const WRONG: readonly (readonly [text: string, fault: string])[] = [
  [
    "agents: [",
    "1:10: Flow sequence in block collection must be sufficiently indented and end with a ]. Correct the file.",
  ],
  ["agnets: []", '1:1: Unknown key "agnets". Did you mean "agents"?'],
  [
    `agents:\n${agent("Orders")}`,
    '2:11: "name" can\'t be "Orders". A name is made of small letters, digits and hyphens, begins with a letter, and has 63 characters at the most.',
  ],
  [
    `agents:\n${agent("a", "adress: http://x/")}`,
    '4:5: Unknown key "adress". Did you mean "address"?',
  ],
  [
    `agents:\n${agent("a", "timeout: soon")}`,
    '4:14: "timeout" can\'t be "soon". It takes a time such as 90s, 10m or 1h30m, or seconds, of 24 days at the most.',
  ],
  [
    `agents:\n${agent("a", "token: sk-very-secret")}`,
    '4:12: "token" can\'t be this. It takes the name of an environment variable, such as REIN_TOKEN_ORDERS, and never the token itself.',
  ],
  [
    `agents:\n${agent("a", "concurrency: 0")}`,
    '4:18: Value 0 of "concurrency" must be >= 1. Correct it.',
  ],
  [
    `agents:\n${agent("a", "address: ftp://x")}`,
    '4:14: "address" can\'t be "ftp://x". Give it an http or https address.',
  ],
  [
    `agents:\n${agent("a", "address: http://u:secret@x/")}`,
    '4:14: "http://***@x/" holds a password. Put the token into an environment variable and its name behind "token".',
  ],
  [
    `agents:\n${agent("a", "token: T")}`,
    '2:5: Agent "a" can\'t be reached. Add address, a2a or command.',
  ],
  [
    `agents:\n${agent("a", "address: http://x/\n    command: [x]")}`,
    '5:5: Agent "a" has both "address" and "command". Keep one.',
  ],
  [
    `agents:\n${agent("a", "command: ./run.sh")}`,
    '4:14: "command" can\'t be "./run.sh". It takes a list: the program, then its arguments.',
  ],
  [`agents:\n${agent("a")}${agent("a")}`, '6:11: Agent "a" is there twice. Rename or remove one.'],
  [
    `agents:\n${
      agent("a", 'command: [x]\n    callback: {listen: "127.0.0.1:0", url: "http://x"}')
    }`,
    '5:5: Agent "a" has a "callback" without an "address". Results are posted back by HTTP only: remove one or add the other.',
  ],
  [
    `agents:\n${
      agent("a", 'address: http://x\n    callback: {listen: "127.0.0.1:70000", url: "http://x"}')
    }`,
    '5:15: The callback of agent "a" can\'t be used. Listen at a port up to 65535, and give a url without ? and #.',
  ],
  [
    `agents:\n${
      agent("a", "address: http://x\n    policy: {rules: [{id: x, decision: maybe, reason: r}]}")
    }`,
    '5:40: Value "maybe" is not possible here: use one of allow, ask, deny. See "rein schema policy".',
  ],
  [
    "agents:\n  - name: a\n    description: b\n    address: http://x\n",
    '2:5: Key "intents" is missing. Add it.',
  ],
  ["agents: &a\n  - *a\n", "1:1: The file refers to itself. Write it without that."],
];

/** The intents of one agent, and what is said of them; the first intent is in line 6. */
const WRONG_INTENTS: readonly (readonly [text: string, fault: string])[] = [
  ["{name: i, description: d, efect: read}", '6:35: Unknown key "efect". Did you mean "effect"?'],
  [
    "{name: i, description: d, effect: write}",
    '6:43: Value "write" is not possible here. Use one of read, change.',
  ],
  [
    "{name: i, description: d, parameters: {type: array}}",
    '6:47: The parameters of intent "i" are of type "array". They must be of type object.',
  ],
  [
    "{name: i, description: d, parameters: {properties: {a: {type: strnig}}}}",
    '6:47: The parameters of intent "i" are no JSON Schema (schema is invalid: data/properties/a/type must be equal to one of the allowed values, data/properties/a/type must be array, data/properties/a/type must match a schema in anyOf). Correct them.',
  ],
  [
    "{name: i, description: d, parameters: {required: [a]}, example: {b: 1}}",
    "6:73: The example of intent \"i\" does not fit its parameters: the value must have required property 'a'. Correct one of the two.",
  ],
  [
    "{name: i, description: d}\n      - {name: i, description: e}",
    '7:16: Intent "i" is there twice. Rename or remove one.',
  ],
];

Deno.test("loadDirectory() says where a file is wrong, how, and what to do", async () => {
  const inside = WRONG_INTENTS.map(([intents, fault]) =>
    [
      `agents:\n  - name: a\n    description: b\n    address: http://x\n    intents:\n      - ${intents}\n`,
      fault,
    ] as const
  );
  for (const [text, fault] of [...WRONG, ...inside]) {
    assertEquals([text, await faultOf(text)], [text, `mine.yaml:${fault}`]);
  }
});
