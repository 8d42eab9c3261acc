/**
 * What tests of MCP servers have in common.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { MCP_FALLBACK, type McpServer } from "../../lib/config/mcp.ts";
import { type McpOptions, openServers } from "../../lib/mcp/servers.ts";
import { createProcesses } from "../../lib/real/processes.ts";
import { realClock } from "../../lib/real/clock.ts";
import type { JsonObject, Tool, ToolOutcome } from "../../lib/types.ts";
import { CONTEXT, fakeEnvironment, NEVER } from "../fakes.ts";
import type { Mode } from "./_tools.ts";

/** Where the packages of the tests are. */
const CACHE = Deno.env.get("DENO_DIR") === undefined ? [] : ["DENO_DIR"];

const HERE = fileURLToPath(new URL(".", import.meta.url));

/** A program that speaks MCP, in the way of a mode. */
export function program(mode: Mode, more: Partial<McpServer> = {}): McpServer {
  const flags = ["run", "--quiet", "--allow-all", "--no-prompt", `--config=${HERE}../../deno.json`];
  const command = [Deno.execPath(), ...flags, `${HERE}_stdio_server.ts`, mode];
  return { ...MCP_FALLBACK, command, env: CACHE, ...more };
}

/** A package of npm that speaks MCP, in the version that `deno.json` names. */
export function published(name: string, args: readonly string[]): McpServer {
  const flags = ["run", "--quiet", "--allow-all", "--no-prompt", `--config=${HERE}../../deno.json`];
  const command = [Deno.execPath(), ...flags, "--cached-only", name, ...args];
  return { ...MCP_FALLBACK, command, env: CACHE, startTimeoutMs: 60_000 };
}

/** A server at an address. */
export function address(url: string, more: Partial<McpServer> = {}): McpServer {
  return { ...MCP_FALLBACK, url, ...more };
}

/** The environment in which the tests' own programs find what they need. */
export const ENV = Object.fromEntries(
  ["PATH", "HOME", "DENO_DIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }),
);

/** Real programs and connections; the clock is real where none is given. */
export const PORTS = {
  clock: realClock,
  fetch: ((input, init) => fetch(input, init)) as typeof fetch,
  env: fakeEnvironment(ENV),
  processes: createProcesses(),
};

/** Options under which everything may be done. */
export function options(more: Partial<McpOptions> = {}): McpOptions {
  return {
    variable: (name) => ENV[name],
    forbidden: () => Promise.resolve(null),
    reserved: [],
    budgetTokens: 100_000,
    signal: NEVER,
    ...more,
  };
}

/** Opens servers, hands them over, and ends them whatever happens. */
export async function withServers(
  servers: { readonly [name: string]: McpServer },
  use: (opened: Awaited<ReturnType<typeof openServers>>) => Promise<void>,
  more: Partial<McpOptions> = {},
  ports: typeof PORTS = PORTS,
): Promise<void> {
  const opened = await openServers(servers, ports, options(more));
  try {
    await use(opened);
  } finally {
    await opened.end();
  }
}

/** Calls a tool, as the pipeline would once everything is allowed. */
export function call(
  tools: readonly Tool[],
  name: string,
  args: JsonObject = {},
  signal: AbortSignal = NEVER,
): Promise<ToolOutcome> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new TypeError(`There is no tool ${name}`);
  return tool.run(args, { ...CONTEXT, signal });
}
