import { assertEquals, assertRejects } from "@std/assert";
import { ConfigError } from "../../lib/config/config_error.ts";
import { type Given, loadConfig, settingsOf } from "../../lib/config/load.ts";
import { originText } from "../../lib/config/origin.ts";
import { fakeEnvironment, MemoryFiles } from "../fakes.ts";

const SYSTEM = "/etc/rein/config.yaml";
const USER = "/home/user/.config/rein/config.yaml";
const PROJECT = "/work/.rein/config.yaml";

/** Files, variables and flags of one place. */
interface Scene {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly envFile?: Readonly<Record<string, string>>;
  readonly flags?: Given["flags"];
}

async function load({ files = {}, env = {}, envFile = {}, flags = {} }: Scene) {
  const memory = new MemoryFiles(files);
  memory.ownedBy.add(SYSTEM);
  const variables = [
    { file: "my.env", get: (name: string) => envFile[name] },
    { file: null, get: (name: string) => env[name] },
  ];
  const ports = { files: memory, env: fakeEnvironment({ HOME: "/home/user" }) };
  return await loadConfig({ flags, variables }, ports);
}

/** Message and hint of what is wrong. */
async function fault(scene: Scene): Promise<readonly string[]> {
  const { message, hint } = await assertRejects(() => load(scene), ConfigError);
  return [message, hint];
}

const TIMEOUTS = {
  connectTimeoutMs: 10_000,
  firstByteTimeoutMs: 600_000,
  idleTimeoutMs: 300_000,
  totalTimeoutMs: 1_800_000,
};

const DEFAULTS = {
  model: null,
  baseUrl: null,
  temperature: 0.2,
  embeddingModel: null,
  maxSteps: 15,
  maxTokens: null,
  maxTimeMs: null,
  maxCost: null,
  contextWindow: null,
  reasoning: false,
  toolProtocol: "auto",
  session: true,
  language: "auto",
  ...TIMEOUTS,
  priceTable: {},
  capabilityTable: {},
  mcpServers: {},
};

Deno.test("loadConfig() has the defaults of the design where nobody says anything", async () => {
  const config = await load({});
  assertEquals(settingsOf(config), DEFAULTS);
  assertEquals(config.files, [
    { path: SYSTEM, read: false },
    { path: USER, read: false },
    { path: PROJECT, read: false },
  ]);
});

const EVERYTHING = `model: qwen3:8b
base_url: http://h.test/v1
temperature: 0
embedding_model: bge
context_window: 8000
reasoning: true
tool_protocol: text
session: false
language: zh
limits:
  max_steps: 40
  max_tokens: 200000
  max_time: 1h30m
  max_cost: 0.5
prices:
  qwen*: {input: 2, output: 8}
  "*": {input: 1, output: 2, cached_input: 0.5}
capabilities:
  qwen*: {temperature: false, reasoning_back: calls}
timeouts:
  connect: 3s
  first_byte: 20m
  idle: 90
  total: none
`;

Deno.test("loadConfig() reads every setting of a file, with its line", async () => {
  const config = await load({ files: { [USER]: EVERYTHING } });
  assertEquals(settingsOf(config), {
    model: "qwen3:8b",
    baseUrl: "http://h.test/v1",
    temperature: 0,
    embeddingModel: "bge",
    maxSteps: 40,
    maxTokens: 200_000,
    maxTimeMs: 5_400_000,
    maxCost: 0.5,
    contextWindow: 8000,
    reasoning: true,
    toolProtocol: "text",
    session: false,
    language: "zh",
    connectTimeoutMs: 3000,
    firstByteTimeoutMs: 1_200_000,
    idleTimeoutMs: 90_000,
    totalTimeoutMs: null,
    priceTable: {
      "qwen*": { input: 2, output: 8, cachedInput: 2 },
      "*": { input: 1, output: 2, cachedInput: 0.5 },
    },
    capabilityTable: { "qwen*": { temperature: false, reasoningBack: "calls" } },
    mcpServers: {},
  });
  const tables = [config.prices, config.capabilities].flatMap((table) => Object.values(table));
  const found = [...Object.values(config.values), ...tables];
  assertEquals(
    found.map(({ origin }) => originText(origin)),
    [1, 2, 3, 4, 11, 12, 13, 14, 5, 6, 7, 8, 9, 21, 22, 23, 24, 16, 17, 19].map((line) =>
      `${USER}:${line}`
    ),
  );
});

Deno.test("loadConfig() lets each source go before those below it, and names it", async () => {
  const limits = (steps: number) => `limits: {max_steps: ${steps}}`;
  const scenes: Scene[] = [
    { files: { [SYSTEM]: limits(9) } },
    { files: { [SYSTEM]: limits(9), [USER]: limits(20) } },
    { files: { [SYSTEM]: limits(9), [USER]: limits(20), [PROJECT]: limits(8) } },
    { files: { [PROJECT]: limits(8) }, env: { REIN_MAX_STEPS: "30" } },
    { env: { REIN_MAX_STEPS: "30" }, envFile: { REIN_MAX_STEPS: "31" } },
    { envFile: { REIN_MAX_STEPS: "31" }, flags: { maxSteps: 32 } },
  ];
  const chosen = await Promise.all(scenes.map(async (scene) => {
    const { value, origin } = (await load(scene)).values.maxSteps;
    return `${value} ${originText(origin)}`;
  }));
  assertEquals(chosen, [
    `9 ${SYSTEM}:1`,
    `20 ${USER}:1`,
    `8 ${PROJECT}:1`,
    "30 REIN_MAX_STEPS",
    "31 REIN_MAX_STEPS in my.env",
    "32 --max-steps",
  ]);
});

Deno.test("loadConfig() joins prices model by model", async () => {
  const config = await load({
    files: {
      [SYSTEM]: "prices: {a: {input: 1, output: 1}, b: {input: 1, output: 1}}",
      [USER]: "prices: {b: {input: 2, output: 2}}",
    },
  });
  assertEquals(settingsOf(config).priceTable, {
    a: { input: 1, output: 1, cachedInput: 1 },
    b: { input: 2, output: 2, cachedInput: 2 },
  });
});

Deno.test("loadConfig() lets none, and null in a file, take a limit away", async () => {
  const files = { [SYSTEM]: "limits: {max_tokens: 5, max_time: 5s, max_cost: 5}" };
  const { maxTokens, maxTimeMs, maxCost } = settingsOf(
    await load({
      files: { ...files, [USER]: "limits: {max_tokens: null}" },
      env: { REIN_MAX_TIME: "none" },
      flags: { maxCost: null },
    }),
  );
  assertEquals([maxTokens, maxTimeMs, maxCost], [null, null, null]);
});

Deno.test("loadConfig() takes the variables of every setting", async () => {
  const env = {
    REIN_MODEL: "m",
    OPENAI_BASE_URL: "http://openai.test/v1",
    REIN_BASE_URL: "http://rein.test/v1",
    REIN_TEMPERATURE: "1",
    REIN_EMBEDDING_MODEL: "e",
    REIN_MAX_STEPS: "2",
    REIN_MAX_TOKENS: "3",
    REIN_MAX_TIME: "4",
    REIN_MAX_COST: "5",
    REIN_CONTEXT_WINDOW: "6000",
    REIN_REASONING: "yes",
    REIN_TOOL_PROTOCOL: "native",
    REIN_SESSION: "no",
    REIN_LANG: "zh",
  };
  assertEquals(settingsOf(await load({ env })), {
    model: "m",
    baseUrl: "http://rein.test/v1",
    temperature: 1,
    embeddingModel: "e",
    maxSteps: 2,
    maxTokens: 3,
    maxTimeMs: 4000,
    maxCost: 5,
    contextWindow: 6000,
    reasoning: true,
    toolProtocol: "native",
    session: false,
    language: "zh",
    ...TIMEOUTS,
    priceTable: {},
    capabilityTable: {},
    mcpServers: {},
  });
  const empty = Object.fromEntries(Object.keys(env).map((name) => [name, ""]));
  assertEquals(settingsOf(await load({ env: empty })), DEFAULTS);
});

Deno.test("loadConfig() says which variable is wrong, and shows no password of it", async () => {
  assertEquals([
    await fault({ env: { REIN_MAX_STEPS: "many" } }),
    await fault({ envFile: { OPENAI_BASE_URL: "htp://me:secret@h/v1" } }),
  ], [
    ['REIN_MAX_STEPS is "many"', "It takes a whole number from 1 to 1000."],
    [
      'OPENAI_BASE_URL in my.env is "htp://***@h/v1"',
      "It takes an http address such as http://127.0.0.1:11434/v1.",
    ],
  ]);
});

Deno.test("loadConfig() says in one line what is wrong with a file, where, and what to do", async () => {
  const texts = [
    "model: [a\n",
    "- model\n",
    "max_step: 3\n",
    "limits:\n  max_step: 3\n",
    "limits:\n  nonsense: 3\n",
    "max_steps: 3\n",
    "api_key: sk-1\n",
    "limits: 3\n",
    "limits: {max_steps: many}\n",
    "limits: {max_steps: 0}\n",
    "limits: {max_time: 600h}\n",
    "temperature: null\n",
    "session: yes\n",
    "model: 4\n",
    "base_url: http://\n",
    "base_url: h://me:secret@h\n",
    "prices: {m: {input: 1}}\n",
    "prices: {m: {input: 1, output: cheap}}\n",
    "capabilities: {m: {tool_protocol: xml}}\n",
    "capabilities: {m: {temprature: false}}\n",
    "prices: {m: {inputs: 1, input: 1, output: 2}}\n",
  ];
  const faults = await Promise.all(texts.map(async (text) => {
    const words = await fault({ files: { [USER]: text } });
    return words.join(" | ").replace(`${USER}:`, "");
  }));
  const steps = "It takes a whole number from 1 to 1000.";
  const address = "It takes an http address such as http://127.0.0.1:11434/v1.";
  assertEquals(faults, [
    "2:1: Flow sequence in block collection must be sufficiently indented and end with a ] | " +
    "Correct the file.",
    '1:1: The file holds ["model"] where keys with values should be | Correct it.',
    '1:1: Unknown key "max_step" | Did you mean "limits.max_steps"?',
    '2:3: Unknown key "max_step" | Did you mean "max_steps"?',
    '2:3: Unknown key "nonsense" | The keys here are max_steps, max_tokens, max_time, max_cost.',
    '1:1: Unknown key "max_steps" | Its place is "limits.max_steps".',
    '1:1: Unknown key "api_key" | Keys do not belong into this file: ' +
    "set OPENAI_API_KEY in the environment or an --env-file.",
    '1:9: "limits" holds 3 where keys with values should be | Correct it.',
    `1:21: Value "many" of "limits.max_steps" is not possible | ${steps}`,
    `1:21: Value 0 of "limits.max_steps" is not possible | ${steps}`,
    '1:20: Value "600h" of "limits.max_time" is not possible | It takes a time such as 90s, ' +
    "10m or 1h30m, or seconds, of 24 days at the most, or none.",
    '1:14: Value null of "temperature" is not possible | It takes a number from 0 to 2.',
    '1:10: Value "yes" of "session" is not possible | It takes true or false.',
    '1:8: Value 4 of "model" is not possible | It takes a name in one line.',
    `1:11: Value "http://" of "base_url" is not possible | ${address}`,
    `1:11: Value "h://***@h" of "base_url" is not possible | ${address}`,
    '1:10: "prices.m" has no "output" | Add it.',
    '1:32: Value "cheap" of "prices.m.output" is not possible | It takes a number from 0.',
    '1:35: Value "xml" of "capabilities.m.tool_protocol" is not possible | It takes native or text.',
    '1:20: Unknown key "temprature" | Did you mean "temperature"?',
    '1:14: Unknown key "inputs" | Did you mean "input"?',
  ]);
});

Deno.test("loadConfig() refuses a machine's file that others could have written", async () => {
  const files = new MemoryFiles({ [SYSTEM]: "model: m" });
  const ports = { files, env: fakeEnvironment() };
  const { message, hint } = await assertRejects(
    () => loadConfig({ flags: {}, variables: [] }, ports),
    ConfigError,
  );
  assertEquals([message, hint], [
    `${SYSTEM}:1:1: Root must own this file and its directory, and nobody else may write them`,
    "Correct that.",
  ]);
});

Deno.test("loadConfig() leaves out what the runtime may not read", async () => {
  const files = new MemoryFiles({ [USER]: "model: m" });
  files.readable = () => false;
  const config = await loadConfig({ flags: {}, variables: [] }, { files, env: fakeEnvironment() });
  assertEquals(settingsOf(config), DEFAULTS);
});

Deno.test("loadConfig() takes a map that is left empty for one that says nothing", async () => {
  const files = { [USER]: "limits:\nprices:\n", [PROJECT]: "# nothing\n" };
  assertEquals(settingsOf(await load({ files })), DEFAULTS);
});

Deno.test("loadConfig() lets a project's file lower every limit", async () => {
  const files = {
    [USER]: "limits: {max_steps: 10, max_tokens: 100, max_time: 2m, max_cost: 2}",
    [PROJECT]: "limits: {max_steps: 9, max_tokens: 99, max_time: 119, max_cost: 2}",
  };
  const { maxSteps, maxTokens, maxTimeMs, maxCost } = settingsOf(await load({ files }));
  assertEquals([maxSteps, maxTokens, maxTimeMs, maxCost], [9, 99, 119_000, 2]);
});

Deno.test("loadConfig() lets a project's file raise no limit, and set nothing else", async () => {
  const said = async (project: string, user = "") => {
    const files = { [USER]: user, [PROJECT]: project };
    return (await fault({ files })).join(" | ").replace(`${PROJECT}:`, "");
  };
  const only = "A project's file may only lower limits, not set";
  const raises = "A project's file may only lower limits, and";
  const user = "~/.config/rein/config.yaml";
  assertEquals([
    await said("limits:\n  max_steps: 16\n"),
    await said("limits: {max_time: none}\n", "\nlimits: {max_time: 90s}\n"),
    await said("model: m\n"),
    await said("base_url: http://evil.test/v1\n"),
    await said("embedding_model: m\n"),
    await said("temperature: 0.2\n"),
    await said("context_window: 1000\n"),
    await said("session: false\n"),
    await said("prices: {m: {input: 0, output: 0}}\n"),
    await said("capabilities: {m: {temperature: false}}\n"),
  ], [
    `2:3: ${raises} 16 of "limits.max_steps" is more than 15 (default) | ` +
    `Remove it, or set it in ${user}, REIN_MAX_STEPS or --max-steps.`,
    `1:10: ${raises} none of "limits.max_time" is more than 1m30s (${USER}:2) | ` +
    `Remove it, or set it in ${user}, REIN_MAX_TIME or --max-time.`,
    `1:1: ${only} "model" | Remove it, or set it in ${user}, REIN_MODEL or --model.`,
    `1:1: ${only} "base_url" | Remove it, or set it in ${user}, REIN_BASE_URL or --base-url.`,
    `1:1: ${only} "embedding_model" | ` +
    `Remove it, or set it in ${user} or REIN_EMBEDDING_MODEL.`,
    `1:1: ${only} "temperature" | ` +
    `Remove it, or set it in ${user}, REIN_TEMPERATURE or --temperature.`,
    `1:1: ${only} "context_window" | ` +
    `Remove it, or set it in ${user}, REIN_CONTEXT_WINDOW or --context-window.`,
    `1:1: ${only} "session" | Remove it, or set it in ${user}, REIN_SESSION or --no-session.`,
    `1:10: ${only} "prices" | Remove them, or set them in ${user}.`,
    `1:16: ${only} "capabilities" | Remove them, or set them in ${user}.`,
  ]);
});
