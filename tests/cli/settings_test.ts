import { assertEquals, assertRejects } from "@std/assert";
import { UsageError } from "../../lib/cli/failure.ts";
import { loadSettings } from "../../lib/cli/load_settings.ts";
import type { SettingOptions } from "../../lib/cli/setting_options.ts";
import { chooseModel } from "../../lib/cli/settings.ts";
import { chooseEmbedder } from "../../lib/cli/embedder.ts";
import { type Ports } from "../../lib/ports.ts";
import { ModelError } from "../../lib/types.ts";
import { aborted, fakeEnvironment, fakePorts, MemoryFiles, NEVER, settle } from "../fakes.ts";

type Asked = { readonly url: string; readonly authorization: string | null };

const OLLAMA = "http://127.0.0.1:11434/v1";

interface Surroundings {
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  /** What servers list, by base address. */
  readonly servers?: Readonly<Record<string, readonly string[]>>;
}

function portsOf({ env = {}, files = {}, servers = {} }: Surroundings, asked: Asked[]): Ports {
  const fetch: Ports["fetch"] = (input, init) => {
    const { url, headers } = new Request(input, init);
    asked.push({ url, authorization: headers.get("authorization") });
    const models = servers[url.replace(/\/models$/, "")];
    if (!models) return Promise.reject(new TypeError("Connection refused"));
    return Promise.resolve(Response.json({ data: models.map((id) => ({ id })) }));
  };
  return fakePorts({ env: fakeEnvironment(env), files: new MemoryFiles(files), fetch });
}

async function choose(options: SettingOptions, surroundings: Surroundings = {}) {
  const asked: Asked[] = [];
  const ports = portsOf(surroundings, asked);
  const { settings, apiKey } = await loadSettings(options, ports);
  const { model, note } = await chooseModel({ ...settings, apiKey }, ports, NEVER);
  return { name: model.name, source: model.source, recorded: model.recorded, note, asked };
}

async function refusal(options: SettingOptions, surroundings: Surroundings = {}) {
  const error = await choose(options, surroundings).catch((thrown) => thrown);
  const known = error instanceof UsageError || error instanceof ModelError;
  return known ? [error.name, error.message, error.hint] : error;
}

const BASE = "http://models.test/v1";

Deno.test("chooseModel() takes flags before the environment file before the environment", async () => {
  const env = {
    OPENAI_API_KEY: "sk-shell",
    OPENAI_BASE_URL: "http://shell/v1",
    REIN_MODEL: "shell",
  };
  const files = { ".env": `OPENAI_BASE_URL=http://file/v1\nREIN_MODEL="file"\n` };
  const chosen = [
    await choose({ baseUrl: BASE, model: "flag", envFile: ".env" }, { env, files }),
    await choose({ envFile: ".env" }, { env, files }),
    await choose({}, { env, files }),
  ];
  assertEquals(chosen.map(({ name, source, note }) => [name, source, note]), [
    ["flag", BASE, null],
    ["file", "http://file/v1", null],
    ["shell", "http://shell/v1", null],
  ]);
});

Deno.test("chooseModel() does not read a .env file that nobody named", async () => {
  const files = { ".env": "OPENAI_BASE_URL=http://evil/v1\n" };
  const env = { OPENAI_API_KEY: "sk-test", REIN_MODEL: "m" };
  assertEquals((await choose({}, { env, files })).source, "https://api.openai.com/v1");
});

Deno.test("chooseModel() plays a recording, whatever else is set", async () => {
  const files = { "a.jsonl": '{"text":"Hi"}\n' };
  const env = { OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: BASE };
  const expected = {
    name: "recorded:a.jsonl",
    source: "a.jsonl",
    recorded: true,
    note: null,
    asked: [],
  };
  assertEquals(await choose({ model: "recorded:a.jsonl" }, { env, files }), expected);
  assertEquals(
    await choose({}, { env: { ...env, REIN_MODEL: "recorded:a.jsonl" }, files }),
    expected,
  );
});

Deno.test("chooseModel() takes the first model that the server lists, and says so", async () => {
  const surroundings = { env: { OPENAI_API_KEY: "sk-test" }, servers: { [BASE]: ["a", "b"] } };
  assertEquals(await choose({ baseUrl: BASE }, surroundings), {
    name: "a",
    source: BASE,
    recorded: false,
    note: `${BASE} lists a first; it is used`,
    asked: [{ url: `${BASE}/models`, authorization: "Bearer sk-test" }],
  });
});

Deno.test("chooseModel() looks for a server on this machine where nothing is set", async () => {
  const servers = { [OLLAMA]: ["qwen3:8b"] };
  const found = await choose({}, { servers });
  assertEquals([found.name, found.source, found.note], [
    "qwen3:8b",
    OLLAMA,
    `found a server at the port of ollama: ${OLLAMA}, model qwen3:8b`,
  ]);
  const wanted = await choose({ model: "other" }, { servers });
  assertEquals([wanted.name, wanted.source], ["other", OLLAMA]);
});

Deno.test("chooseModel() names the three ways to set a model where there is none", async () => {
  assertEquals(await refusal({}), [
    "ModelError",
    "No model is set, and no server was found at the usual ports of this machine",
    'Set one in one of three ways: "--base-url URL --model NAME"; ' +
    "OPENAI_API_KEY, OPENAI_BASE_URL and REIN_MODEL in the environment or an --env-file; " +
    "or start ollama, llama.cpp, LM Studio or vLLM on this machine.",
  ]);
});

Deno.test("chooseModel() wants a name where the server lists none, and asks OpenAI for no list", async () => {
  const hint = "Name one with --model NAME or REIN_MODEL, and check that the server is there.";
  assertEquals([
    await refusal({ baseUrl: BASE }),
    await refusal({}, { env: { OPENAI_API_KEY: "k" } }),
  ], [
    ["ModelError", `No model is named, and ${BASE} lists none that could be taken`, hint],
    [
      "ModelError",
      "No model is named, and https://api.openai.com/v1 lists none that could be taken",
      hint,
    ],
  ]);
});

Deno.test("chooseModel() trims a key, and refuses one that no header can hold, without showing it", async () => {
  const servers = { [BASE]: ["a"] };
  const trimmed = await choose({ baseUrl: BASE }, { servers, env: { OPENAI_API_KEY: " sk-1\n" } });
  assertEquals(trimmed.asked[0]?.authorization, "Bearer sk-1");
  const empty = await choose({ baseUrl: BASE }, { servers, env: { OPENAI_API_KEY: " " } });
  assertEquals(empty.asked[0]?.authorization, null);
  assertEquals(await refusal({ baseUrl: BASE }, { env: { OPENAI_API_KEY: "“sk-secret”" } }), [
    "UsageError",
    "OPENAI_API_KEY holds characters that no key can have",
    "Set it again; blanks, quotation marks or line ends may have come along.",
  ]);
});

Deno.test("chooseModel() says which file can't be read", async () => {
  const refusals = [await refusal({ envFile: "x.env" }), await refusal({ model: "recorded:x" })];
  const hint = "Check its path and permissions.";
  assertEquals(refusals, [
    ["UsageError", 'The environment file "x.env" does not exist', hint],
    ["UsageError", 'The recording "x" does not exist', hint],
  ]);
});

Deno.test("chooseModel() ends with the run's reason when it is interrupted", async () => {
  const run = new AbortController();
  const fetch: Ports["fetch"] = async (_input, init) => {
    await aborted(init?.signal ?? NEVER);
    throw new Error("Interrupted");
  };
  const reason = new Error("Stop");
  const ports = fakePorts({ fetch });
  const { settings } = await loadSettings({}, ports);
  const choosing = chooseModel({ ...settings, apiKey: null }, ports, run.signal);
  await settle();
  run.abort(reason);
  assertEquals(await assertRejects(() => choosing), reason);
});

/** Where an embedder asks, or null where there is none. */
async function embedderOf(
  surroundings: Surroundings,
  { baseUrl, run = false }: { readonly baseUrl?: string; readonly run?: boolean } = {},
) {
  const asked: Asked[] = [];
  const ports = portsOf(surroundings, asked);
  const options = baseUrl === undefined ? {} : { baseUrl };
  const { settings, apiKey } = await loadSettings(options, ports);
  const chosen = run ? await chooseModel({ ...settings, apiKey }, ports, NEVER) : null;
  const wanted = { model: chosen?.model ?? null, signal: NEVER };
  const embedder = await chooseEmbedder({ ...settings, apiKey }, ports, wanted);
  await embedder?.embed(["x"], NEVER).catch(() => {});
  return embedder === null ? null : [embedder.model, asked.at(-1)];
}

Deno.test("chooseEmbedder() asks where the model is asked, with its key", async () => {
  const env = { REIN_EMBEDDING_MODEL: "e" };
  const at = (base: string, authorization: string | null = null) => [
    "e",
    { url: `${base}/embeddings`, authorization },
  ];
  const key = { OPENAI_API_KEY: "sk-1", OPENAI_BASE_URL: BASE };
  assertEquals(await embedderOf({ env: { ...env, ...key } }), at(BASE, "Bearer sk-1"));
  assertEquals(await embedderOf({ env }, { baseUrl: BASE }), at(BASE));
  assertEquals(
    await embedderOf({ env, servers: { [OLLAMA]: ["q"] } }, { run: true }),
    at(OLLAMA),
  );
  assertEquals(await embedderOf({ env, servers: { [OLLAMA]: ["q"] } }), at(OLLAMA));
});

Deno.test("chooseEmbedder() gives none where no such model is set, or no server is there", async () => {
  assertEquals(await embedderOf({ env: { OPENAI_BASE_URL: BASE } }), null);
  assertEquals(await embedderOf({ env: { REIN_EMBEDDING_MODEL: "e" } }), null);
});

Deno.test("chooseModel() tells the window where the list that it asked for anyway has it", async () => {
  const { settings } = await loadSettings({}, fakePorts());
  const listing = (model: string | null, baseUrl: string | null) => {
    const data = [{ id: "a", max_model_len: 9000 }, { id: "b", max_model_len: 7000 }];
    let asked = 0;
    const fetch: Ports["fetch"] = () => {
      asked++;
      return Promise.resolve(Response.json({ data }));
    };
    const wanted = { ...settings, model, baseUrl, apiKey: null };
    return chooseModel(wanted, fakePorts({ fetch }), NEVER)
      .then(({ window }) => [window, asked]);
  };
  assertEquals([
    await listing(null, BASE),
    await listing("b", BASE),
    await listing("b", null),
    await listing("c", null),
  ], [[9000, 1], [null, 0], [7000, 4], [null, 4]]);
});
