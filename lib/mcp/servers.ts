/**
 * The MCP servers of a run: connected to at once, each within its time; one that is down costs its
 * tools and a line.
 *
 * @module
 */

import { prepareValidation } from "../calls/validate.ts";
import type { McpServer } from "../config/mcp.ts";
import { estimateText } from "../context/estimate.ts";
import type { Ports, Processes } from "../ports.ts";
import type { Tool } from "../types.ts";
import { Connection, type ListedTool, type ServerHello } from "./connection.ts";
import { httpTransport } from "./http_transport.ts";
import { toolName } from "./names.ts";
import { ProcessTransport, type ServerProgram } from "./process_transport.ts";
import { inLine } from "./in_line.ts";
import { readSchema } from "./schema.ts";
import { createServerTool, type NamedServer } from "./tools.ts";

/** What servers need of the outside world. */
export interface McpPorts extends Pick<Ports, "clock" | "fetch" | "env"> {
  /** What starts programs, inside the walls that the policy asks for. */
  readonly processes: Processes;
}

/** What holds for all servers of a run. */
export interface McpOptions {
  /** A variable, wherever it is set; undefined or empty: it is not. */
  readonly variable: (name: string) => string | undefined;
  /** Why a server may not be connected to, by the policy or the build; null: it may. */
  readonly forbidden: (server: NamedServer) => Promise<string | null>;
  /** Names of other tools. */
  readonly reserved: readonly string[];
  /** Tokens of all definitions together, at the most. */
  readonly budgetTokens: number;
  /** Ends everything. */
  readonly signal: AbortSignal;
}

/** How one server turned out. */
export interface ServerReport {
  readonly name: string;
  /** Null: it could be connected to. */
  readonly fault: string | null;
  /** The version of the protocol that was agreed on; null: there is no connection. */
  readonly protocol: string | null;
  /** Those that are offered. */
  readonly tools: readonly Tool[];
  /** What a person should know: tools that were left out, and why. */
  readonly notes: readonly string[];
}

/** The servers of a run. */
export interface OpenServers {
  /** In the order of the configuration. */
  readonly reports: readonly ServerReport[];
  /** Ends all connections, and programs with their groups; never rejects. */
  end(): Promise<void>;
}

/** What a program gets of rein's environment beside what is named for it. */
const INHERITED = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ"] as const;

const STANDARD_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A server that can't be tried at all. */
class Unusable extends Error {}

/** Characters of a tool's name in a note. */
const NOTED_CHARS = 60;

function valueOf(name: string, { variable }: McpOptions): string {
  const value = variable(name);
  if (value) return value;
  throw new Unusable(`${name} is not set, or rein may not see it`);
}

/**
 * A program starts in the home folder: where rein was started, others may have put files that
 * such programs obey.
 */
function programOf(
  [program = "", ...args]: readonly string[],
  names: readonly string[],
  { env }: McpPorts,
  options: McpOptions,
): ServerProgram {
  const home = env.get("HOME");
  const inherited = INHERITED.flatMap((name) => {
    const value = env.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const named = names.map((name) => [name, valueOf(name, options)]);
  return {
    program: home && program.startsWith("~/") ? home + program.slice(1) : program,
    args,
    cwd: home || "/",
    env: { PATH: STANDARD_PATH, ...Object.fromEntries([...inherited, ...named]) },
  };
}

/** @throws {Unusable} If a variable is not set. */
function connectionTo(server: McpServer, ports: McpPorts, options: McpOptions): Connection {
  const { command, url, token, env, startTimeoutMs } = server;
  const connect = { startTimeoutMs, clock: ports.clock, signal: options.signal };
  if (url !== null) {
    const address = { url, token: token === null ? null : valueOf(token, options) };
    return new Connection(() => httpTransport(address, ports.fetch), connect);
  }
  const program = programOf(command ?? [], env, ports, options);
  return new Connection(
    (signal) => new ProcessTransport(program, ports.processes, signal),
    connect,
  );
}

/** Names that a person can read: what moves a cursor or turns a line around is in none. */
const READABLE_NAME = /^(?=.*\S)[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u;

/** A tool, or why there is none. */
type Made = { readonly tool: Tool } | { readonly fault: string };

async function makeTool(
  { name, description, inputSchema }: ListedTool,
  named: NamedServer,
  connection: Connection,
): Promise<Made> {
  if (!READABLE_NAME.test(name)) return { fault: "its name can't be read, or is too long" };
  const read = readSchema(inputSchema);
  if (!read.ok) return { fault: read.fault };
  try {
    await prepareValidation([read.schema]);
  } catch (error) {
    return {
      fault: `its schema can't be used (${error instanceof Error ? error.message : error})`,
    };
  }
  const fullName = toolName(named.name, name);
  const call = (args: Parameters<Tool["run"]>[0], signal: AbortSignal) =>
    connection.call(name, args, signal);
  const tool = { fullName, name, description, parameters: read.schema, call };
  return { tool: createServerTool(tool, named) };
}

async function toolsOf(
  { tools }: ServerHello,
  named: NamedServer,
  connection: Connection,
): Promise<Pick<ServerReport, "tools" | "notes">> {
  const { server } = named;
  const names = tools.map(({ name }) => name);
  const unknown = [...new Set([...server.tools ?? [], ...server.reads])]
    .filter((name) => !names.includes(name))
    .map((name) => `it has no tool "${name}", which the configuration names`);
  const wanted = tools.filter(({ name }) => server.tools?.includes(name) ?? true);
  const made: Tool[] = [];
  const notes: string[] = [...unknown];
  for (const listed of wanted) {
    const one = await makeTool(listed, named, connection);
    if ("tool" in one) made.push(one.tool);
    else notes.push(`its tool "${inLine(listed.name, NOTED_CHARS)}" is left out: ${one.fault}`);
  }
  return { tools: made, notes };
}

async function openServer(
  named: NamedServer,
  ports: McpPorts,
  options: McpOptions,
  keep: (connection: Connection) => void,
): Promise<ServerReport> {
  const down = (fault: string) => ({
    ...{ name: named.name, fault, protocol: null, tools: [], notes: [] },
  });
  try {
    const forbidden = await options.forbidden(named);
    if (forbidden !== null) return down(forbidden);
    const connection = connectionTo(named.server, ports, options);
    keep(connection);
    const hello = await connection.connect();
    const { tools, notes } = await toolsOf(hello, named, connection);
    return { name: named.name, fault: null, protocol: hello.protocol, tools, notes };
  } catch (error) {
    return down(error instanceof Error ? error.message : String(error));
  }
}

function tokensOf({ name, description, parameters }: Tool): number {
  return estimateText(JSON.stringify({ name, description, parameters }));
}

/** Leaves out tools whose names are taken, and the last ones that would take too much room. */
function fitted(reports: readonly ServerReport[], options: McpOptions): ServerReport[] {
  const taken = new Set(options.reserved);
  let left = options.budgetTokens;
  return reports.map((report) => {
    const notes = [...report.notes];
    let full = 0;
    const tools = report.tools.filter((tool) => {
      if (taken.has(tool.name)) {
        notes.push(`a tool of it is left out: another one has the name ${tool.name}`);
        return false;
      }
      left -= tokensOf(tool);
      if (left < 0) full++;
      else taken.add(tool.name);
      return left >= 0;
    });
    if (full > 0) {
      notes.push(
        `${full} of its tools are left out: definitions of MCP tools may take a fifth of the ` +
          'context window, say which you need in "tools"',
      );
    }
    return { ...report, tools, notes };
  });
}

/** Connects to all servers that are not turned off, and asks for their tools; never rejects. */
export async function openServers(
  servers: { readonly [name: string]: McpServer },
  ports: McpPorts,
  options: McpOptions,
): Promise<OpenServers> {
  const connections: Connection[] = [];
  const reports = await Promise.all(
    Object.entries(servers).filter(([, { disabled }]) => !disabled).map(([name, server]) =>
      openServer({ name, server }, ports, options, (one) => void connections.push(one))
    ),
  );
  return {
    reports: fitted(reports, options),
    end: async () => void await Promise.all(connections.map((connection) => connection.end())),
  };
}
