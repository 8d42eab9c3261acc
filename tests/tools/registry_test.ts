import { assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { createTools } from "../../tools/registry.ts";
import { fakePorts } from "../fakes.ts";

const PROCESSES = { available: () => true, run: () => Promise.reject(new TypeError("Not here")) };

const TOOLS = createTools(fakePorts({ processes: PROCESSES }));

Deno.test("createTools() offers the shell only where processes may be started", () => {
  const names = (tools: typeof TOOLS) => tools.map(({ name }) => name);
  const others = ["read_file", "list_files", "search_files", "calculate"];
  assertEquals([names(TOOLS), names(createTools(fakePorts()))], [["run_shell", ...others], others]);
});

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
    const required = Object.fromEntries(parameters.required.map((field) => [field, "x"]));
    return !validate(required) || validate({ ...required, sandbox: false });
  });
  assertEquals(open.map(({ name }) => name), []);
});

Deno.test("createTools() says of every tool when to use it, and keeps what it cuts bounded", () => {
  const odd = TOOLS.filter(({ description, limits, timeoutMs }) =>
    description.length < 40 || timeoutMs > 60_000 ||
    Object.values(limits).some(({ head, tail }) => head + tail > 8000)
  );
  assertEquals(odd.map(({ name }) => name), []);
});
