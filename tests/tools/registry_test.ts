import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createMemories } from "../../lib/real/memories.ts";
import type { JsonObject } from "../../lib/types.ts";
import { createTools } from "../../tools/registry.ts";
import { FakeNetwork, fakePorts, fakeResults, MemoryFiles, NO_SPILLS } from "../fakes.ts";

const PROCESSES = { available: () => true, run: () => Promise.reject(new TypeError("Not here")) };

const MEMORIES = createMemories("/state/rein/memory.db");

const NOTHING = () => Promise.resolve({ hits: [], notes: [] });

const TOOLS = createTools(
  fakePorts({ processes: PROCESSES, memories: MEMORIES }),
  fakeResults().outputs,
  {
    knowledge: { path: "/state/rein/knowledge.db", search: NOTHING },
    history: { search: NOTHING },
  },
);

const namesOf = (tools: typeof TOOLS) => tools.map(({ name }) => name);

Deno.test("createTools() offers every tool where everything is permitted", () => {
  assertEquals(namesOf(TOOLS), [
    "run_shell",
    "read_file",
    "list_files",
    "search_files",
    "log_stats",
    "read_output",
    "write_file",
    "edit_file",
    "http_request",
    "wait_for",
    "calculate",
    "todo",
    "remember",
    "recall",
    "search_knowledge",
  ]);
});

Deno.test("createTools() offers recall for a session alone, where nothing is kept from run to run", () => {
  const names = namesOf(createTools(fakePorts(), fakeResults().outputs, {
    history: { search: NOTHING },
  }));
  assertEquals([names.includes("remember"), names.includes("recall")], [false, true]);
});

Deno.test("createTools() offers nothing that is not permitted", () => {
  const files = new MemoryFiles({});
  files.writable = () => false;
  const network = new FakeNetwork({});
  network.available = () => false;
  const { outputs } = fakeResults({ spills: NO_SPILLS });
  assertEquals(namesOf(createTools(fakePorts({ files, network }), outputs)), [
    "read_file",
    "list_files",
    "search_files",
    "log_stats",
    "calculate",
    "todo",
  ]);
});

/** A value for a required field. */
function sample(field: JsonObject): unknown {
  if (field["type"] === "array") return ["x"];
  if (Array.isArray(field["enum"])) return field["enum"][0];
  return field["pattern"] === undefined ? "x" : "http://x";
}

Deno.test("createTools() gives every tool a schema that describes each of its fields", () => {
  const undescribed = TOOLS.flatMap(({ name, parameters }) =>
    Object.entries(parameters.properties)
      .filter(([, field]) => typeof field["description"] !== "string")
      .map(([field]) => `${name}.${field}`)
  );
  assertEquals(undescribed, []);
});

Deno.test("createTools() gives every tool a schema that is one, and closed", () => {
  const ajv = new Ajv2020({ strict: true });
  const open = TOOLS.filter(({ parameters }) => {
    const validate = ajv.compile(parameters);
    const required = Object.fromEntries(
      parameters.required.map((name) => [name, sample(parameters.properties[name] ?? {})]),
    );
    return !validate(required) || validate({ ...required, sandbox: false });
  });
  assertEquals(open.map(({ name }) => name), []);
});

Deno.test("createTools() says of every tool when to use it, and keeps what it cuts bounded", () => {
  const odd = TOOLS.filter(({ name, description, limits, timeoutMs }) =>
    description.length < 40 || (timeoutMs > 60_000 && name !== "wait_for") ||
    Object.values(limits).some(({ head, tail }) => head + tail > 8000)
  );
  assertEquals(odd.map(({ name }) => name), []);
});
