import { assertEquals, assertRejects } from "@std/assert";
import { Interruption } from "../../lib/cli/exit_code.ts";
import { UsageError } from "../../lib/cli/failure.ts";
import { initCommand } from "../../lib/cli/init_command.ts";
import { configText, envText, POLICY_TEXT } from "../../lib/cli/init_files.ts";
import type { Question } from "../../lib/ports.ts";
import {
  FakeClock,
  fakeEnvironment,
  fakePorts,
  FakeTerminal,
  MemoryFiles,
  NEVER,
} from "../fakes.ts";

const CONFIG = "/home/me/.config/rein/config.yaml";
const ENV = "/home/me/.config/rein/env";
const POLICY = "/work/.rein/policy.yaml";

/** Somebody at a terminal who gives these answers, where a function throws. */
interface Scene {
  readonly answers?: readonly string[];
  readonly confirms?: readonly boolean[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What servers list, by base address. */
  readonly servers?: Readonly<Record<string, readonly string[]>>;
  readonly nobody?: boolean;
}

function sceneOf(
  { answers = [], confirms = [], files = {}, env = {}, servers = {}, nobody }: Scene,
) {
  const terminal = new FakeTerminal({ stdinIsTerminal: !nobody });
  terminal.stderrIsTerminal = !nobody;
  const questions: Question[] = [];
  const keys: (string | null)[] = [];
  const [waiting, yes] = [[...answers], [...confirms]];
  terminal.answer = (question) => {
    questions.push(question);
    const answer = waiting.shift();
    if (answer !== undefined) return Promise.resolve(answer);
    return Promise.reject(Object.assign(new Error("Ctrl-C"), { name: "ExitPromptError" }));
  };
  terminal.confirm = () => Promise.resolve(yes.shift() ?? false);
  const memory = new MemoryFiles(files);
  const fetch: typeof globalThis.fetch = (input, init) => {
    const { url, headers } = new Request(input, init);
    const models = servers[url.replace(/\/models$/, "")];
    if (models === undefined) return Promise.reject(new TypeError("refused"));
    keys.push(headers.get("authorization"));
    return Promise.resolve(Response.json({ data: models.map((id) => ({ id })) }));
  };
  const environment = fakeEnvironment({ HOME: "/home/me", ...env });
  const ports = fakePorts({
    terminal,
    files: memory,
    env: environment,
    fetch,
    clock: new FakeClock(),
  });
  return { ports, terminal, files: memory, questions, keys };
}

const BASE = "https://models.test/v1";
const SERVERS = { [BASE]: ["big", "small"] };

Deno.test("initCommand() asks for address, key and model, and writes what it was told", async () => {
  const answers = ["", BASE, "sk-secret", "file", "small"];
  const scene = sceneOf({ answers, servers: SERVERS });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals([CONFIG, POLICY, ENV].map((path) => scene.files.text(path)), [
    configText({ baseUrl: BASE, model: "small" }),
    POLICY_TEXT,
    envText("sk-secret"),
  ]);
  assertEquals(scene.keys, ["Bearer sk-secret"]);
  assertEquals(scene.questions.map(({ hidden = false }) => hidden), [
    false,
    false,
    true,
    false,
    false,
  ]);
  assertEquals(scene.terminal.stderr.includes("sk-secret"), false);
  assertEquals(scene.terminal.stderr.includes(`wrote   ${ENV} (only you can read it)\n`), true);
});

Deno.test("initCommand() writes no key that is to be set in the environment, and says how", async () => {
  const scene = sceneOf({
    answers: ["", BASE, "sk-secret", "environment", "big"],
    servers: SERVERS,
  });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals(scene.files.text(ENV), null);
  assertEquals(scene.terminal.stderr.includes("  export OPENAI_API_KEY='…'\n"), true);
  assertEquals(scene.terminal.stderr.includes("sk-secret"), false);
});

Deno.test("initCommand() offers the server that it finds, which takes no key", async () => {
  const local = "http://127.0.0.1:11434/v1";
  const scene = sceneOf({ answers: [local, "qwen3:8b"], servers: { [local]: ["qwen3:8b"] } });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals(scene.questions[0]?.choices?.[0]?.value, local);
  assertEquals(scene.files.text(CONFIG), configText({ baseUrl: local, model: "qwen3:8b" }));
});

Deno.test("initCommand() uses a key of the environment, and writes it nowhere", async () => {
  const env = { OPENAI_API_KEY: "sk-env" };
  const scene = sceneOf({ answers: ["", BASE, "big"], servers: SERVERS, env });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals([scene.keys, scene.files.text(ENV)], [["Bearer sk-env"], null]);
});

Deno.test("initCommand() asks for a model's name where none is listed", async () => {
  const scene = sceneOf({ answers: ["", BASE, "", "mine"] });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals(scene.files.text(CONFIG), configText({ baseUrl: BASE, model: "mine" }));
});

Deno.test("initCommand() replaces what is there only if somebody wants it", async () => {
  const files = { [CONFIG]: "old", [POLICY]: "old" };
  const given = { yes: false, baseUrl: BASE, model: "m" };
  const scene = sceneOf({ answers: [""], confirms: [false, true], files });
  await initCommand(given, scene.ports, NEVER);
  assertEquals([scene.files.text(CONFIG), scene.files.text(POLICY)], ["old", POLICY_TEXT]);
});

Deno.test("initCommand() asks nothing with --yes, and then replaces nothing", async () => {
  const options = { yes: true, baseUrl: BASE, model: "m" };
  const fresh = sceneOf({ nobody: true, files: { [POLICY]: "old" } });
  await initCommand(options, fresh.ports, NEVER);
  assertEquals([fresh.files.text(CONFIG), fresh.files.text(POLICY), fresh.questions], [
    configText({ baseUrl: BASE, model: "m" }),
    "old",
    [],
  ]);
  const { ports, files } = sceneOf({ files: { [CONFIG]: "old" } });
  await assertRejects(() => initCommand(options, ports, NEVER), UsageError, "is there already");
  assertEquals([files.text(CONFIG), files.text(POLICY)], ["old", null]);
});

Deno.test("initCommand() says what is missing where nobody can be asked", async () => {
  const { ports } = sceneOf({ nobody: true });
  await assertRejects(() => initCommand({ yes: false }, ports, NEVER), UsageError, "Nobody is at");
  await assertRejects(() => initCommand({ yes: true }, ports, NEVER), UsageError, "Neither an");
});

Deno.test("initCommand() writes nothing once the person presses Ctrl-C", async () => {
  const { ports, files } = sceneOf({ answers: ["", BASE], servers: SERVERS });
  await assertRejects(() => initCommand({ yes: false }, ports, NEVER), Interruption);
  assertEquals([CONFIG, POLICY, ENV].map((path) => files.text(path)), [null, null, null]);
});

Deno.test("initCommand() takes no address and no key that can't be one", async () => {
  const scene = sceneOf({ answers: ["", BASE, "", "m"] });
  await initCommand({ yes: false }, scene.ports, NEVER);
  const faults = (index: number, ...texts: string[]) =>
    texts.map((text) => scene.questions[index]?.faultOf?.(text) === null);
  assertEquals(faults(1, BASE, "models.test", ""), [true, false, false]);
  assertEquals(faults(2, "sk-1", "", "two words"), [true, true, false]);
});
