import { assertEquals, assertRejects } from "@std/assert";
import { Interruption } from "../../lib/cli/exit_code.ts";
import { UsageError } from "../../lib/cli/failure.ts";
import { initCommand } from "../../lib/cli/init_command.ts";
import { configText, envText, POLICY_TEXT } from "../../lib/cli/init_files.ts";
import {
  FakeClock,
  FakeConsole,
  fakeEnvironment,
  fakePorts,
  FakeTerminal,
  MemoryFiles,
  NEVER,
} from "../fakes.ts";

const CONFIG = "/home/me/.config/rein/config.yaml";
const ENV = "/home/me/.config/rein/env";
const POLICY = "/work/.rein/policy.yaml";

/** Somebody at a terminal who types these lines, and then presses Ctrl-C. */
interface Scene {
  readonly lines?: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** What servers list, by base address. */
  readonly servers?: Readonly<Record<string, readonly string[]>>;
  readonly nobody?: boolean;
}

function sceneOf({ lines = [], files = {}, env = {}, servers = {}, nobody }: Scene) {
  const person = new FakeConsole([...lines.map((line) => `${line}\r`), "\u0003"]);
  const terminal = new FakeTerminal();
  terminal.openConsole = () => Promise.resolve(nobody ? null : person);
  const keys: (string | null)[] = [];
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
  return { ports, terminal, person, files: memory, keys };
}

const BASE = "https://models.test/v1";
const SERVERS = { [BASE]: ["big", "small"] };

Deno.test("initCommand() asks for address, key and model, and writes what it was told", async () => {
  const lines = ["2", BASE, "sk-secret", "1", "2"];
  const scene = sceneOf({ lines, servers: SERVERS });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals([CONFIG, POLICY, ENV].map((path) => scene.files.text(path)), [
    configText({ baseUrl: BASE, model: "small" }),
    POLICY_TEXT,
    envText("sk-secret"),
  ]);
  assertEquals(scene.keys, ["Bearer sk-secret"]);
  assertEquals((scene.terminal.stderr + scene.person.screen).includes("sk-secret"), false);
  assertEquals(scene.terminal.stderr.includes(`wrote   ${ENV} (only you can read it)\n`), true);
});

Deno.test("initCommand() writes no key that is to be set in the environment, and says how", async () => {
  const scene = sceneOf({
    lines: ["2", BASE, "sk-secret", "2", "1"],
    servers: SERVERS,
  });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals(scene.files.text(ENV), null);
  assertEquals(scene.terminal.stderr.includes("  export OPENAI_API_KEY='…'\n"), true);
  assertEquals((scene.terminal.stderr + scene.person.screen).includes("sk-secret"), false);
});

Deno.test("initCommand() offers the server that it finds, which takes no key", async () => {
  const local = "http://127.0.0.1:11434/v1";
  const scene = sceneOf({ lines: ["", ""], servers: { [local]: ["qwen3:8b"] } });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals(
    scene.person.screen.includes(`  1 ${local} (at the port of ollama, found now)\n`),
    true,
  );
  assertEquals(scene.files.text(CONFIG), configText({ baseUrl: local, model: "qwen3:8b" }));
});

Deno.test("initCommand() uses a key of the environment, and writes it nowhere", async () => {
  const env = { OPENAI_API_KEY: "sk-env" };
  const scene = sceneOf({ lines: ["2", BASE, "1"], servers: SERVERS, env });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals([scene.keys, scene.files.text(ENV)], [["Bearer sk-env"], null]);
});

Deno.test("initCommand() asks for a model's name where none is listed", async () => {
  const scene = sceneOf({ lines: ["2", BASE, "", "", "mine"] });
  await initCommand({ yes: false }, scene.ports, NEVER);
  assertEquals(scene.files.text(CONFIG), configText({ baseUrl: BASE, model: "mine" }));
});

Deno.test("initCommand() replaces what is there only if somebody wants it", async () => {
  const files = { [CONFIG]: "old", [POLICY]: "old" };
  const given = { yes: false, baseUrl: BASE, model: "m" };
  const scene = sceneOf({ lines: ["", "", "y"], files });
  await initCommand(given, scene.ports, NEVER);
  assertEquals([scene.files.text(CONFIG), scene.files.text(POLICY)], ["old", POLICY_TEXT]);
});

Deno.test("initCommand() asks nothing with --yes, and then replaces nothing", async () => {
  const options = { yes: true, baseUrl: BASE, model: "m" };
  const fresh = sceneOf({ nobody: true, files: { [POLICY]: "old" } });
  await initCommand(options, fresh.ports, NEVER);
  assertEquals([fresh.files.text(CONFIG), fresh.files.text(POLICY)], [
    configText({ baseUrl: BASE, model: "m" }),
    "old",
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
  const { ports, files } = sceneOf({ lines: ["2", BASE], servers: SERVERS });
  await assertRejects(() => initCommand({ yes: false }, ports, NEVER), Interruption);
  assertEquals([CONFIG, POLICY, ENV].map((path) => files.text(path)), [null, null, null]);
});

Deno.test("initCommand() takes no address and no key that can't be one", async () => {
  const scene = sceneOf({ lines: ["9", "2", "models.test", BASE, "two words", "", "m"] });
  await initCommand({ yes: false }, scene.ports, NEVER);
  const said = ["Type a number from 1 to 2.\n", "It takes an http address", "no key can have"];
  assertEquals(said.map((text) => scene.person.screen.includes(text)), [true, true, true]);
  assertEquals(scene.files.text(CONFIG), configText({ baseUrl: BASE, model: "m" }));
});
