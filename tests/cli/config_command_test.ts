import { assertEquals } from "@std/assert";
import { runCli } from "../../lib/cli/cli.ts";
import { SETTINGS } from "../../lib/config/settings.ts";
import { fakeEnvironment, fakePorts, FakeTerminal, MemoryFiles, NEVER } from "../fakes.ts";

const SYSTEM = "/etc/rein/config.yaml";
const USER = "/home/user/.config/rein/config.yaml";

/** Files and variables of one place. */
interface Scene {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly foreign?: boolean;
}

async function called(args: readonly string[], { files = {}, env = {}, foreign }: Scene = {}) {
  const terminal = new FakeTerminal({ stdinIsTerminal: true });
  const memory = new MemoryFiles(files);
  if (!foreign) memory.ownedBy.add(SYSTEM);
  const ports = fakePorts({
    terminal,
    files: memory,
    env: fakeEnvironment({ HOME: "/home/user", ...env }),
  });
  const code = await runCli(args, ports, { signal: NEVER, interrupt: () => {} });
  return { code, stdout: terminal.stdout, stderr: terminal.stderr };
}

const SCENE: Scene = {
  files: {
    [USER]: 'base_url: http://me:secret-1@h.test/v1\nprices: {"*": {input: 1, output: 2}}\n',
    "my.env": "OPENAI_API_KEY=secret-2\nREIN_MODEL=m\n",
    ".rein/config.yaml": "limits: {max_time: 90}\n",
  },
  env: { REIN_MAX_TOKENS: "7" },
};

Deno.test("rein config show prints every value with its origin, and no secret", async () => {
  const args = ["config", "show", "--env-file", "my.env", "--max-steps", "3"];
  assertEquals(await called(args, SCENE), {
    code: 0,
    stderr: "",
    stdout: `\
model                m                                  REIN_MODEL in my.env
base_url             http://***@h.test/v1               ${USER}:1
temperature          0.2                                default
embedding_model      none                               default
limits.max_steps     3                                  --max-steps
limits.max_tokens    7                                  REIN_MAX_TOKENS
limits.max_time      1m30s                              /work/.rein/config.yaml:1
limits.max_cost      none                               default
context_window       none                               default
reasoning            false                              default
tool_protocol        auto                               default
session              true                               default
language             auto                               default
timeouts.connect     10s                                default
timeouts.first_byte  10m                                default
timeouts.idle        5m                                 default
timeouts.total       30m                                default
prices.*             input 1, output 2, cached_input 1  ${USER}:2
api_key              (hidden)                           OPENAI_API_KEY in my.env

Files, later ones count:
  /etc/rein/config.yaml (not read)
  ${USER}
  /work/.rein/config.yaml
`,
  });
});

Deno.test("rein config show prints JSON for programs, without a secret", async () => {
  const { stdout } = await called(
    ["--env-file", "my.env", "config", "show", "-o", "json"],
    SCENE,
  );
  const { schema, settings, files } = JSON.parse(stdout);
  const settled = ["base_url", "limits.max_time", "limits.max_cost", "prices.*", "api_key"];
  assertEquals(
    [schema, settings.filter(({ key }: { key: string }) => settled.includes(key)), files],
    [
      "rein-config/1",
      [
        { key: "base_url", value: "http://***@h.test/v1", from: `${USER}:1` },
        { key: "limits.max_time", value: "1m30s", from: "/work/.rein/config.yaml:1" },
        { key: "limits.max_cost", value: null, from: "default" },
        {
          key: "prices.*",
          value: { input: 1, output: 2, cached_input: 1 },
          from: `${USER}:2`,
        },
        { key: "api_key", value: "(hidden)", from: "OPENAI_API_KEY in my.env" },
      ],
      [
        { path: SYSTEM, read: false },
        { path: USER, read: true },
        { path: "/work/.rein/config.yaml", read: true },
      ],
    ],
  );
  assertEquals(/secret/.test(stdout), false);
});

Deno.test("rein config show takes options before the command, too", async () => {
  const { stdout } = await called(["--max-steps", "3", "config", "show"]);
  assertEquals(/^limits.max_steps +3 +--max-steps$/m.test(stdout), true);
});

Deno.test("rein config show with nothing set names nothing but defaults", async () => {
  const { stdout } = await called(["config", "show", "-o", "json"]);
  const { settings } = JSON.parse(stdout);
  assertEquals([...new Set(settings.map(({ from }: { from: string }) => from))], ["default"]);
});

Deno.test("runs and rein config show end with 2 and one line where a setting can't be used", async () => {
  const scenes: readonly Scene[] = [
    { files: { [USER]: "limits: {max_steps: many}" } },
    { files: { [SYSTEM]: "model: m" }, foreign: true },
    { env: { REIN_TEMPERATURE: "hot" } },
    { files: { [USER]: "limits: {max_cost: 1}" }, env: { REIN_MODEL: "recorded:a.jsonl" } },
  ];
  const recording = { "a.jsonl": '{"text":"Hi"}\n' };
  const runs = scenes.map((scene) =>
    called(["hi"], { ...scene, files: { ...scene.files, ...recording } })
  );
  assertEquals(
    await Promise.all(runs),
    [
      `${USER}:1:21: Value "many" of "limits.max_steps" is not possible. ` +
      "It takes a whole number from 1 to 1000.",
      `${SYSTEM}:1:1: Root must own this file and its directory, and nobody else may write them. ` +
      "Correct that.",
      'REIN_TEMPERATURE is "hot". It takes a number from 0 to 2.',
      'The cost is limited to 1, and no prices are set for the model "recorded:a.jsonl". ' +
      "Set prices for it in ~/.config/rein/config.yaml (see README), or set --max-cost none.",
    ].map((line) => ({ code: 2, stdout: "", stderr: `rein: ${line}\n` })),
  );
  const shown = await called(["config", "show"], scenes[0]);
  assertEquals([shown.code, shown.stdout], [2, ""]);
});

Deno.test("rein config wants a command, and says where they are listed", async () => {
  assertEquals(
    (await called(["config"])).stderr,
    'rein: A command is missing. See "rein config --help".\n',
  );
});

Deno.test("both builds may see the variables of every setting", async () => {
  const { permissions } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  const wanted = Object.values(SETTINGS).flatMap(({ variables }) => variables);
  const missing = ["rein", "locked"].flatMap((build) =>
    wanted.filter((name) => !permissions[build].env.allow.includes(name))
  );
  assertEquals(missing, []);
});
