/**
 * The tools of MCP servers, for a run. Loaded only where servers are configured.
 *
 * @module
 */

import { type OpenServers, openServers } from "../mcp/servers.ts";
import { hostOf, type NamedServer } from "../mcp/tools.ts";
import type { Ports } from "../ports.ts";
import { withTextLimits } from "../results/text_limits.ts";
import { isGranted } from "../sandbox/grants.ts";
import type { Subject, Tool } from "../types.ts";
import type { LazyJudge } from "./judge.ts";
import type { Ground } from "./run_setup.ts";

/** The share of the context window that definitions of MCP tools may take. Source: the issue. */
const DEFINITIONS_SHARE = 0.2;

/** What all servers of a place have in common. */
export interface McpPlace {
  readonly ground: Ground;
  /** Names of the tools that there are already. */
  readonly reserved: readonly string[];
  /** Tokens that the model can see at once. */
  readonly window: number;
  readonly signal: AbortSignal;
}

/** The tools of a run's servers. */
export interface McpOfRun {
  readonly tools: readonly Tool[];
  /** Ends the servers; never rejects. */
  end(): Promise<void>;
}

async function denies(judge: LazyJudge, server: string, subject: Subject): Promise<boolean> {
  const { decision } = await judge.judge({
    tool: `${server}__`,
    effect: "execute",
    subjects: [subject],
  });
  return decision === "deny";
}

/** A program that was started is outside of all walls but bubblewrap's. */
async function forbiddenProgram({ judge, sandbox }: Ground, name: string): Promise<string | null> {
  if (sandbox.grants.shell === "contained") return "no program may be started here";
  const kinds = ["execute", "network"] as const;
  const denied = await Promise.all(
    kinds.map((effect) => denies(judge, name, { kind: "tool", tool: `${name}__`, effect })),
  );
  return denied.every((one) => one) ? "the policy denies commands and the network" : null;
}

async function forbiddenHost({ judge, sandbox }: Ground, name: string, host: string) {
  const subject = { kind: "host", host, access: "read" } as const;
  if (!isGranted(sandbox.grants, subject, (path) => path)) {
    return `the policy's walls leave no access to ${host}`;
  }
  return await denies(judge, name, subject) ? `the policy denies ${host}` : null;
}

/** Why a server may not be connected to; null: it may. */
async function forbidden(ground: Ground, { name, server }: NamedServer): Promise<string | null> {
  const host = hostOf(server);
  return host === null
    ? await forbiddenProgram(ground, name)
    : await forbiddenHost(ground, name, host);
}

/** Connects to the servers of the configuration; never rejects. */
export async function openMcp(
  { ground, reserved, window, signal }: McpPlace,
  ports: Ports,
): Promise<OpenServers> {
  const { loaded: { settings, variable }, sandbox } = ground;
  return await openServers(settings.mcpServers, { ...ports, processes: sandbox.processes }, {
    variable,
    forbidden: (server) => forbidden(ground, server),
    reserved,
    budgetTokens: Math.floor(window * DEFINITIONS_SHARE),
    signal,
  });
}

/**
 * The tools of the servers of the configuration.
 *
 * @param warn Is told, in one line each, of servers that are down and of tools that are left out.
 */
export async function mcpOfRun(
  place: McpPlace,
  ports: Ports,
  warn: (text: string) => Promise<void>,
): Promise<McpOfRun> {
  const { reports, end } = await openMcp(place, ports);
  for (const { name, fault, notes } of reports) {
    if (fault !== null) await warn(`MCP server "${name}" is left out: ${fault}`);
    for (const note of notes) await warn(`MCP server "${name}": ${note}`);
  }
  const { limits } = place.ground.judge.settings;
  const tools = reports.flatMap((report) => report.tools)
    .map((tool) => withTextLimits(tool, limits));
  return { tools, end };
}
