import { assertEquals } from "@std/assert";
import { ProcessTransport } from "../../lib/delegate/process_transport.ts";
import { readDirectory } from "../../lib/delegate/read_directory.ts";
import schema from "../../lib/delegate/schemas/agents.json" with { type: "json" };
import { realFiles } from "../../lib/real/files.ts";
import { createProcesses } from "../../lib/real/processes.ts";
import { inTempDir } from "../_temp.ts";
import { fakeEnvironment, NEVER } from "../fakes.ts";
import { agentAt, TASK } from "./_agents.ts";

const docs = await Deno.readTextFile(new URL("../../docs/agents.md", import.meta.url));

/** The first block of a language. */
function block(language: string): string {
  return docs.split(`\n\`\`\`${language}\n`)[1]?.split("\n```")[0] ?? "";
}

Deno.test("docs/agents.md shows a directory that can be read", () => {
  const { agents } = readDirectory({ path: "/a/agents.yaml", text: block("yaml") }, "/");
  assertEquals(agents.map(({ name, intents }) => [name, intents.map((intent) => intent.name)]), [
    ["order-analysis", ["refund-status", "refund"]],
    ["tickets", ["open-ticket"]],
  ]);
});

Deno.test("docs/agents.md lists every field of the directory", () => {
  const { agent, intent } = schema.$defs;
  const fields = [schema.properties, agent.properties, intent.properties].flatMap(Object.keys);
  const listed = [...docs.matchAll(/^\| `(\w+)` /gm)].map(([, field]) => field ?? "");
  const known = new Set(fields.filter((field) => field !== "agents"));
  assertEquals(new Set(listed), known);
});

Deno.test("docs/agents.md shows a program that is an agent", async () => {
  await inTempDir({ "agent.sh": block("sh") }, async (directory) => {
    const env = fakeEnvironment({ PATH: Deno.env.get("PATH") ?? "" });
    const transport = new ProcessTransport(
      agentAt("http://x/"),
      ["sh", `${directory}/agent.sh`],
      {
        ports: { processes: createProcesses(), files: realFiles, env },
        options: { variable: () => undefined },
      },
    );
    const { status, data } = await transport.send(TASK, { accepted: () => {} }, NEVER);
    assertEquals([status, data?.summary.replace(/\d+/, "N")], ["success", "The disk is N% full"]);
  });
});
