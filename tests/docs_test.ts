import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import { generateLog } from "../demo/log.ts";
import { EXAMINATIONS } from "../lib/cli/doctor/examine.ts";
import { barLine } from "../lib/cli/batch_progress.ts";
import { createApprover } from "../lib/cli/approve.ts";
import { runCli } from "../lib/cli/cli.ts";
import { SLASH_COMMANDS } from "../lib/cli/repl/commands.ts";
import { STDIN_LIMIT } from "../lib/cli/stdin.ts";
import { CAPABILITY_NAMES } from "../lib/config/capabilities.ts";
import { readConfig } from "../lib/config/read_config.ts";
import { FIELDS, SETTINGS, type Values } from "../lib/config/settings.ts";
import { english, loadSay } from "../lib/messages/messages.ts";
import { createMemories } from "../lib/real/memories.ts";
import { createTools } from "../tools/registry.ts";
import { rein, SOURCE } from "./e2e/_program.ts";
import { evaluate } from "./policy/judging.ts";

import {
  FakeConsole,
  fakeEnvironment,
  fakePorts,
  fakeResults,
  FakeTerminal,
  MemoryFiles,
  NEVER,
} from "./fakes.ts";

const ROOT = new URL("../", import.meta.url);
const readme = await Deno.readTextFile(new URL("README.md", ROOT));
const architecture = await Deno.readTextFile(new URL("docs/architecture.md", ROOT));
const servers = await Deno.readTextFile(new URL("docs/servers.md", ROOT));

/** The first cells of a table below a heading, without code marks. */
function firstCells(text: string, heading: string): string[] {
  const section = text.slice(text.indexOf(`\n${heading}\n`)).split(/\n#+ /)[1] ?? "";
  return section.split("\n").filter((line) => line.startsWith("| "))
    .map((line) => (line.split("|")[1] ?? "").replaceAll("`", "").trim())
    .filter((cell) => !/^-+$/.test(cell))
    .slice(1);
}

Deno.test("README lists the options of --help, no more and no fewer", async () => {
  const { stdout } = await rein(SOURCE, ["--help"]);
  const helped = [...stdout.matchAll(/^ {2}(-.*?) {2}/gm)].map(([, option]) => option ?? "");
  const listed = firstCells(readme, "### Options").flatMap((cell) =>
    cell === "--version, -h, --help" ? ["--version", "-h, --help"] : [cell]
  );
  assertEquals(listed.toSorted(), helped.toSorted());
});

Deno.test("README lists the commands of a session as /help does", () => {
  const rows = [...readme.matchAll(/^\| `\/([\w-]+)` *\| (.*?) *\|$/gm)].map((row) => row.slice(1));
  assertEquals(rows, SLASH_COMMANDS.map(({ name, help }) => [name, english(help)]));
});

/** A setting as the table has it: its key, its variables, its default as a file would hold it. */
function rowOf<F extends keyof Values>(field: F, found: readonly string[]): string[] {
  const { key, variables, kind, fallback } = SETTINGS[field];
  const value = found.includes(key) ? "found" : String(kind.toFile(fallback) ?? "none");
  return [key, variables.join(", "), value];
}

Deno.test("README lists every command of --help, no more and no fewer", async () => {
  const { stdout } = await rein(SOURCE, ["--help"]);
  const section = stdout.slice(stdout.indexOf("\nCommands:")).split("\n\n")[0] ?? "";
  const helped = [...section.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name ?? "");
  const listed = firstCells(readme, "### Commands").map((cell) => cell.split(" ")[1] ?? "");
  assertEquals([...new Set(listed)].toSorted(), helped.toSorted());
});

Deno.test("README shows a batch as it really looks", () => {
  const counts = { total: 3, answered: 1, unfinished: 1, failed: 0, running: 1, elapsedMs: 41_000 };
  assertEquals(readme.includes(`\n${barLine(counts, 80)}\n`), true);
});

Deno.test("README lists every setting with its variables and its default", () => {
  const section = readme.slice(readme.indexOf("\n## Configuration\n")).split(/\n## /)[1] ?? "";
  const listed = [...section.matchAll(/^\| (`[^|]*)\|([^|]*)\|([^|]*)\|/gm)]
    .map((row) => row.slice(1).map((cell) => cell.replaceAll("`", "").trim()));
  const found = ["model", "base_url"];
  const settings = FIELDS.map((field) => rowOf(field, found));
  assertEquals(listed, [...settings, ["prices", "", "none"], ["capabilities", "", "none"], [
    "mcp",
    "",
    "none",
  ]]);
});

Deno.test("README shows what rein config show really prints of its example", async () => {
  const [, text = ""] = /```yaml\n(model: [^]*?)```/.exec(readme) ?? [];
  const terminal = new FakeTerminal();
  const files = new MemoryFiles({
    "/home/me/.config/rein/config.yaml": text,
    "/home/me/work/.rein/config.yaml": "limits: {max_time: 10m}",
  });
  files.cwd = () => "/home/me/work";
  const env = fakeEnvironment({ HOME: "/home/me", OPENAI_API_KEY: "sk-1" });
  const ports = fakePorts({ terminal, files, env });
  const interrupts = { signal: NEVER, interrupt: () => {} };
  await runCli(["config", "show", "--max-steps", "40"], ports, interrupts);
  const [, shown] = /\$ rein config show --max-steps 40\n([^]*?)```/.exec(readme) ?? [];
  assertEquals(shown, terminal.stdout.slice(0, terminal.stdout.indexOf("\nFiles")));
});

Deno.test("README lists every tool, no more and no fewer", () => {
  const processes = { available: () => true, run: () => Promise.reject(new TypeError("Not here")) };
  const memories = createMemories("/state/rein/memory.db");
  const search = () => Promise.resolve({ hits: [], notes: [] });
  const knowledge = { path: "/state/rein/knowledge.db", search };
  const ports = fakePorts({ processes, memories });
  const names = createTools(ports, fakeResults().outputs, { knowledge }).map(({ name }) => name);
  const listed = firstCells(readme, "## Tools").flatMap((cell) => cell.split(", "));
  assertEquals(listed.toSorted(), names.toSorted());
});

Deno.test("README and architecture name the same exit codes", () => {
  const codes = (text: string) =>
    [...firstCells(text, "### Exit codes"), ...firstCells(text, "## Exit codes")]
      .flatMap((cell) => cell.split(", ")).filter((cell) => /^\d+$/.test(cell));
  assertEquals(codes(readme).concat("129", "143").toSorted(), codes(architecture).toSorted());
});

Deno.test("README names every folder of lib", () => {
  const folders = [...Deno.readDirSync(new URL("lib/", ROOT))]
    .flatMap(({ name, isDirectory }) => isDirectory && name !== "real" ? [`lib/${name}/`] : []);
  const named = firstCells(readme, "## The code").filter((cell) => /^lib\/.*\/$/.test(cell));
  assertEquals(named.toSorted(), folders.toSorted());
});

Deno.test("README, architecture and servers name only files that are there", async () => {
  const named = [
    ...`${readme}${architecture}${servers}`.matchAll(
      /`((?:lib|tools|tests|policies|demo|docs)\/[\w./]*)`/g,
    ),
  ];
  const missing = [];
  for (const [, path = ""] of named) {
    if (!await Deno.stat(new URL(path, ROOT)).then(() => true, () => false)) missing.push(path);
  }
  assertEquals(missing, []);
});

Deno.test("README gives the figures that the code has", () => {
  const lines = (generateLog().split("\n").length - 1).toLocaleString("en");
  const chars = (STDIN_LIMIT.head + STDIN_LIMIT.tail).toLocaleString("en");
  assertEquals(
    [readme.includes(`a log of ${lines} lines`), readme.includes(`than ${chars} characters`)],
    [true, true],
  );
});

Deno.test("README shows what the demo and the policy really print", async () => {
  const root = fileURLToPath(ROOT);
  const demo = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", "demo"],
    cwd: root,
    stdin: "null",
  }).output();
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const steps = decode(demo.stderr).split("\n").filter((line) => line.startsWith("[Step"));
  assertEquals(steps.filter((line) => !readme.includes(line)), []);
  assertEquals(readme.includes(decode(demo.stdout).trimEnd()), true);
  const [, command = ""] = /^\$ rein policy check '(.*)'$/m.exec(readme) ?? [];
  const { stdout } = await rein(SOURCE, ["policy", "check", command], { cwd: root });
  assertEquals(readme.includes(stdout.trimEnd()), true);
});

Deno.test("servers.md shows a configuration of every capability that there is", () => {
  const [, text = ""] = /```yaml\n(capabilities:[^]*?)```/.exec(servers) ?? [];
  const { capabilities } = readConfig({ path: "a.yaml", layer: "user", text });
  const said = Object.keys(capabilities["my-model*"]?.value ?? {});
  assertEquals(said.toSorted(), [...CAPABILITY_NAMES].toSorted());
});

Deno.test("servers.md lists the checks of rein doctor in their order", () => {
  const asked = EXAMINATIONS.map(({ name }) => name);
  assertEquals(firstCells(servers, "## rein doctor"), ["address", "key", "model", ...asked]);
});

const chinese = await loadSay("zh");

for (const [say, asked] of [[english, "Allow it?"], [chinese, "是否批准？"]] as const) {
  Deno.test(`README shows an approval as a person sees it (${say.language})`, async () => {
    const command = "rm -rf build";
    const person = new FakeConsole(["y"], { columns: 80 });
    const terminal = new FakeTerminal();
    terminal.openConsole = () => Promise.resolve(person);
    const approve = createApprover(fakePorts({ terminal, say }), () => {});
    const request = {
      tool: "run_shell",
      arguments: { command },
      brief: command,
      subjects: [{ kind: "command", command }] as const,
      preview: null,
      evaluation: evaluate(command),
    };
    await approve(request, NEVER);
    // Where the cursor moves, the answer takes the place of the question.
    const screen = person.screen.replace(`${say("approval.question")}\n${asked}`, asked);
    assertEquals(readme.includes(screen), true);
  });
}
