/**
 * What `rein mcp list` and `rein mcp check` print.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import { shownAddress } from "../config/kinds.ts";
import type { McpServer } from "../config/mcp.ts";
import { originText } from "../config/origin.ts";
import { contextWindowOf } from "../context/windows.ts";
import type { ServerReport } from "../mcp/servers.ts";
import type { Ports } from "../ports.ts";
import type { Json, Tool } from "../types.ts";
import { UsageError } from "./failure.ts";
import { createLazyJudge } from "./judge.ts";
import { loadInForce, loadSettings } from "./load_settings.ts";
import type { McpCommandOptions } from "./mcp_command.ts";
import { mcpOfRun, openMcp } from "./mcp_of_run.ts";
import { printable } from "./printable.ts";
import { layGround } from "./run_setup.ts";
import { textTable } from "./text_table.ts";

/** Characters of a description in a table. */
const DESCRIPTION_CHARS = 60;

const NONE = "No MCP servers are configured.\n";

function placeOf({ command, url }: McpServer): string {
  return url === null ? (command ?? []).join(" ") : shownAddress(url);
}

/** The effect of tools that are not said to read. */
function effectOf({ command, url }: McpServer): "execute" | "network" | null {
  return url !== null ? "network" : command !== null ? "execute" : null;
}

/**
 * Lists the servers; starts nothing.
 *
 * @throws {ConfigError} If the configuration can't be used.
 */
export async function listServers(options: McpCommandOptions, ports: Ports): Promise<void> {
  const { config } = await loadInForce(options, ports);
  const entries = Object.entries(config.mcp).map(([name, { value, origin }]) => ({
    name,
    place: placeOf(value),
    effect: effectOf(value),
    reads: value.reads,
    tools: value.tools,
    disabled: value.disabled,
    from: originText(origin),
  }));
  if (options.output === "json") {
    return await ports.terminal.out(
      `${JSON.stringify({ schema: "rein-mcp-list/1", servers: entries })}\n`,
    );
  }
  const rows = entries.map(({ name, place, effect, reads, tools, disabled, from }) => [
    ...[name, disabled ? "off" : effect ?? "", tools === null ? "all" : tools.join(", ")],
    ...[reads.join(", "), place, from],
  ]);
  const heading = ["server", "effect", "tools", "only read", "program or address", "from"];
  await ports.terminal.out(rows.length === 0 ? NONE : textTable([heading, ...rows]));
}

/** One tool as programs get it. */
function toolEntry({ name, effect, description }: Tool): Json {
  return { name, effect, description };
}

function reportEntry({ name, fault, protocol, tools, notes }: ServerReport): Json {
  return { name, reachable: fault === null, fault, protocol, tools: tools.map(toolEntry), notes };
}

function reportText({ name, fault, protocol, tools, notes }: ServerReport): string {
  if (fault !== null) return `${name}: can't be used: ${fault}\n`;
  const head = `${name}: protocol ${protocol}, ${tools.length} tools\n`;
  const rows = tools.map(({ name: tool, effect, description }) => {
    // What rein says of every tool of a server goes without saying here.
    const words = description.slice(description.indexOf(": ") + 2);
    return [`  ${tool}`, effect, words.slice(0, DESCRIPTION_CHARS)];
  });
  const remarks = notes.map((note) => `  note: ${note}\n`).join("");
  return `${head}${rows.length === 0 ? "" : textTable(rows)}${remarks}`;
}

function chosen(
  servers: { readonly [name: string]: McpServer },
  name: string | null,
): { readonly [name: string]: McpServer } {
  if (name === null) return servers;
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined;
  if (server !== undefined) return { [name]: { ...server, disabled: false } };
  const near = closest(name, Object.keys(servers))[0];
  const hint = near === undefined ? 'See "rein mcp list".' : `Did you mean "${near}"?`;
  throw new UsageError(`There is no MCP server "${name}"`, hint);
}

/**
 * The tools that servers offer to a run without options here.
 *
 * @param own The tools that there are already.
 */
export async function offeredTools(
  own: readonly Tool[],
  ports: Ports,
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  const loaded = await loadSettings({}, ports);
  const judge = await createLazyJudge([], ports);
  const ground = await layGround({ loaded, judge, answerForm: null, audit: null }, ports, signal);
  const { contextWindow, model } = loaded.settings;
  const window = contextWindow ?? contextWindowOf(model ?? "");
  const reserved = own.map(({ name }) => name);
  const warn = (text: string) => ports.terminal.err(`rein: ${printable(text)}\n`);
  const { tools, end } = await mcpOfRun({ ground, reserved, window, signal }, ports, warn);
  await end();
  ground.sandbox.end();
  return tools;
}

/** A server that was only turned off can't be tried. */
function checkTried(servers: { readonly [name: string]: McpServer }): void {
  const [entry] = Object.entries(servers).filter(([, { command, url, disabled }]) =>
    !disabled && command === null && url === null
  );
  if (entry === undefined) return;
  const hint = 'Say its "command" or its "url" in the configuration.';
  throw new UsageError(`MCP server "${entry[0]}" is turned off, and nothing else is said`, hint);
}

/**
 * Connects to the servers as a run would, and prints what they offer.
 *
 * @param name Null: all that are not turned off.
 * @returns The exit code: 1 if one can't be used, or tools of it are left out.
 * @throws {UsageError} If there is no such server.
 * @throws {SyntaxError} If the configuration or a policy has a fault.
 */
export async function checkServers(
  name: string | null,
  options: McpCommandOptions,
  { ports, signal }: { readonly ports: Ports; readonly signal: AbortSignal },
): Promise<number> {
  const loaded = await loadSettings(options, ports);
  const { settings } = loaded;
  const mcpServers = chosen(settings.mcpServers, name);
  checkTried(mcpServers);
  const judge = await createLazyJudge(options.policy ?? [], ports);
  const setup = { loaded: { ...loaded, settings: { ...settings, mcpServers } }, judge };
  const ground = await layGround({ ...setup, answerForm: null, audit: null }, ports, signal);
  const window = settings.contextWindow ?? contextWindowOf(settings.model ?? "");
  const { reports, end } = await openMcp({ ground, reserved: [], window, signal }, ports);
  try {
    const text = options.output === "json"
      ? `${JSON.stringify({ schema: "rein-mcp-check/1", servers: reports.map(reportEntry) })}\n`
      : printable(reports.map(reportText).join("\n")) || NONE;
    await ports.terminal.out(text);
  } finally {
    await end();
    ground.sandbox.end();
  }
  return reports.every(({ fault, notes }) => fault === null && notes.length === 0) ? 0 : 1;
}
