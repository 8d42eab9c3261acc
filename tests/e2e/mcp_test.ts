import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import { eventFaults } from "../_schemas.ts";
import { inTempDir, PROGRAMS, recording, rein } from "./_program.ts";

const FIXTURE = fileURLToPath(new URL("../mcp/_stdio_server.ts", import.meta.url));
const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** Where the runtime keeps its packages, which the server would look for below HOME. */
async function cacheDirectory(): Promise<string> {
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] });
  return JSON.parse(new TextDecoder().decode((await info.output()).stdout)).denoDir;
}

const DENO_DIR = await cacheDirectory();

/** The fixture as a configuration names it; its cache comes to it by a variable that rein sees. */
function server(mode: string, more: Readonly<Record<string, unknown>> = {}) {
  const flags = ["run", "--quiet", "--allow-all", "--no-prompt", `--config=${CONFIG}`];
  const start = [Deno.execPath(), ...flags, FIXTURE, mode].map((word) => `'${word}'`).join(" ");
  const line = `DENO_DIR="$REIN_TOKEN_CACHE" exec ${start}`;
  return { command: ["sh", "-c", line], env: ["REIN_TOKEN_CACHE"], ...more };
}

/** Works in a home whose configuration has these servers. */
async function withServers(
  mcp: Readonly<Record<string, unknown>>,
  work: (place: { cwd: string; env: Readonly<Record<string, string>> }) => Promise<void>,
): Promise<void> {
  await inTempDir(async (temporary) => {
    const home = await Deno.realPath(temporary);
    await Deno.mkdir(`${home}/.config/rein`, { recursive: true });
    await Deno.mkdir(`${home}/work`);
    await Deno.writeTextFile(`${home}/.config/rein/config.yaml`, JSON.stringify({ mcp }));
    const env = { HOME: home, DENO_DIR, REIN_TOKEN_CACHE: DENO_DIR };
    await work({ cwd: `${home}/work`, env });
  });
}

const ECHO = { calls: [{ name: "a__echo", arguments: { text: "from afar" } }] };

for (const program of PROGRAMS) {
  const test = (law: string, work: () => Promise<void>) => {
    Deno.test(`rein (${program.name}) ${law}`, work);
  };

  test("lets a model call a tool of an MCP server that its owner says only reads", async () => {
    const servers = { a: server("well", { reads: ["echo"] }), b: server("dies") };
    await withServers(servers, async ({ cwd, env }) => {
      const model = await recording(cwd, [ECHO, { text: "It said so." }]);
      const args = ["-q", "-m", model, "-o", "jsonl", "ask a"];
      const { code, stdout, stderr } = await rein(program, args, { cwd, env });
      const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
      const finished = events.find(({ type }) => type === "call_finished");
      assertEquals({ code, stderr, faults: events.flatMap(eventFaults), finished }, {
        code: 0,
        stderr: 'rein: MCP server "b" is left out: it ended (exit code 3): no database here\n',
        faults: [],
        finished: {
          ...finished,
          tool: "a__echo",
          brief: '{"text":"from afar"}',
          decision: "allow",
          observation: {
            status: "success",
            data: { text: "from afar" },
            error: null,
            truncated: [],
            summary: "1 line",
          },
        },
      });
    });
  });

  test("denies a tool of an MCP server that nobody approves, and says which rule asks", async () => {
    await withServers({ a: server("well") }, async ({ cwd, env }) => {
      const model = await recording(cwd, [ECHO, { text: "Nobody allowed it." }]);
      const args = ["-q", "-m", model, "-o", "jsonl", "ask a"];
      const { stdout } = await rein(program, args, { cwd, env });
      const events = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
      const judged = events.find(({ type }) => type === "call_judged");
      assertEquals(judged.evaluation, {
        decision: "ask",
        parts: [{
          text: "a__echo",
          span: null,
          decision: "ask",
          matches: [{
            rule: "default.execute",
            decision: "ask",
            reason: "No rule allows this tool, and its owner does not say that it only reads",
            suggest: null,
            matched: "a__echo",
            span: null,
          }],
        }],
      });
      const finished = events.find(({ type }) => type === "call_finished");
      assertEquals(finished.observation.status, "denied");
      const approved = await rein(program, ["--approve-all", ...args], { cwd, env });
      assertEquals(/"data":\{"text":"from afar"\}/.test(approved.stdout), true);
    });
  });

  test("checks MCP servers, and exits with 1 if one can't be used", async () => {
    const servers = { a: server("well", { tools: ["echo"] }), b: server("dies") };
    await withServers(servers, async ({ cwd, env }) => {
      const good = await rein(program, ["mcp", "check", "a"], { cwd, env });
      assertEquals([good.code, good.stdout, good.stderr], [
        0,
        "a: protocol 2025-11-25, 1 tools\n  a__echo  execute  Says a text once more.\n",
        "",
      ]);
      const all = await rein(program, ["mcp", "check", "-o", "json"], { cwd, env });
      const { schema, servers } = JSON.parse(all.stdout);
      assertEquals([all.code, schema, servers[1]], [1, "rein-mcp-check/1", {
        name: "b",
        reachable: false,
        fault: "it ended (exit code 3): no database here",
        protocol: null,
        tools: [],
        notes: [],
      }]);
      const locked = await rein(program, ["mcp", "check", "a", "--policy", "locked"], { cwd, env });
      assertEquals([locked.code, locked.stdout], [
        1,
        "a: can't be used: the policy denies commands and the network\n",
      ]);
    });
  });
}
