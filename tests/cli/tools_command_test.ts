import { assertEquals } from "@std/assert";
import {
  definitionTokens,
  MAX_DEFINITION_TOKENS,
  toolsCommand,
} from "../../lib/cli/tools_command.ts";
import { createMemories } from "../../lib/real/memories.ts";
import { createTools } from "../../tools/registry.ts";
import {
  fakePorts,
  fakeResults,
  FakeTerminal,
  MemoryFiles,
  MemorySpills,
  NEVER,
} from "../fakes.ts";

/** Ports of a place where everything is permitted. */
const EVERYTHING = fakePorts({
  processes: { available: () => true, run: () => Promise.reject(new TypeError("Not here")) },
  memories: createMemories("/state/rein/memory.db"),
  spills: new MemorySpills(),
});

async function printed(output: "text" | "json", ports = EVERYTHING): Promise<string> {
  const terminal = new FakeTerminal();
  await toolsCommand({ output }, { ...ports, terminal }, NEVER);
  return terminal.stdout;
}

Deno.test("all definitions together leave the model its window", () => {
  const search = () => Promise.resolve({ hits: [], notes: [] });
  const sources = { history: { search }, knowledge: { path: "/k.db", search } };
  const tokens = createTools(EVERYTHING, fakeResults().outputs, sources).reduce(
    (sum, tool) => sum + definitionTokens(tool),
    0,
  );
  assertEquals(tokens < MAX_DEFINITION_TOKENS, true);
});

Deno.test("toolsCommand() prints one line for each tool that is offered", async () => {
  const lines = (await printed("text")).split("\n");
  assertEquals(lines[0], "tool          effect   timeout  tokens  characters kept");
  assertEquals(
    lines.slice(1, lines.indexOf("")).map((line) => line.split(/\s/)[0]),
    createTools(EVERYTHING, fakeResults().outputs).map(({ name }) => name),
  );
});

Deno.test("toolsCommand() prints the effects, the limits and the cost for programs", async () => {
  const { schema, tools, definition_tokens } = JSON.parse(await printed("json"));
  const [list] = createTools(EVERYTHING, fakeResults().outputs).filter(({ name }) =>
    name === "list_files"
  );
  const entry = tools.find(({ name }: { name: string }) => name === "list_files");
  assertEquals(schema, "rein-tools/1");
  assertEquals(entry, {
    name: "list_files",
    description: list?.description,
    effect: "read",
    timeout_ms: 30_000,
    limits: { entries: { head: 5000, tail: 1500 } },
    definition_tokens: list === undefined ? null : definitionTokens(list),
  });
  const sum = tools.reduce((all: number, tool: typeof entry) => all + tool.definition_tokens, 0);
  assertEquals(definition_tokens, sum);
});

Deno.test("toolsCommand() tells what this place permits, not what rein can do", async () => {
  const files = new MemoryFiles({});
  files.writable = () => false;
  const text = await printed("text", fakePorts({ files }));
  assertEquals([text.includes("write_file"), text.includes("remember")], [false, false]);
});

Deno.test("toolsCommand() lists the shell that is interpreted where no program may start", async () => {
  const { tools } = JSON.parse(await printed("json", fakePorts()));
  const names = tools.map(({ name }: { name: string }) => name);
  assertEquals([names[0], names.includes("write_file")], ["run_shell", true]);
});
