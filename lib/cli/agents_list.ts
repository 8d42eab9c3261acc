/**
 * `rein agents list` and `rein agents show`: what the directory says.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import { TIME_SPAN } from "../config/kinds.ts";
import { loadDirectory } from "../delegate/directory.ts";
import type { Agent, AgentAddress, Directory, Intent } from "../delegate/types.ts";
import { type Message, message, type MessageId, type Say } from "../messages/messages.ts";
import type { JsonObject } from "../types.ts";
import type { AgentsCommandOptions, AgentsContext } from "./agents_command.ts";
import { UsageError } from "./failure.ts";
import { printable } from "./printable.ts";
import { cellOf, textTable } from "./text_table.ts";

/** Where an agent is, in one line. */
export function placeOf(address: AgentAddress): string {
  return address.transport === "process" ? address.command.join(" ") : address.url.href;
}

function intentEntry({ name, description, parameters, example, access }: Intent): JsonObject {
  return { name, description, access, parameters, example };
}

function agentEntry(agent: Agent): JsonObject {
  const { address, callback } = agent;
  return {
    name: agent.name,
    description: agent.description,
    transport: address.transport,
    ...address.transport === "process"
      ? { command: address.command }
      : { address: address.url.href },
    token_variable: agent.tokenVariable,
    timeout_ms: agent.timeoutMs,
    concurrency: agent.concurrency,
    idempotent: agent.idempotent,
    callback: callback === undefined ? null : { ...callback },
    policy: agent.policy,
    intents: agent.intents.map(intentEntry),
    file: agent.file,
  };
}

/** What to do where there is no such agent. */
function hintFor(name: string, { agents }: Directory): Message {
  const names = agents.map((agent) => agent.name);
  const near = closest(name, names)[0];
  if (near !== undefined) return message("usage.did_you_mean_name", { near });
  return names.length === 0
    ? message("agents.none_hint")
    : message("agents.known_hint", { names: names.join(", ") });
}

/**
 * Finds an agent.
 *
 * @throws {UsageError} If there is none of that name.
 */
export function agentNamed(name: string, directory: Directory): Agent {
  const agent = directory.agents.find((each) => each.name === name);
  if (agent !== undefined) return agent;
  throw new UsageError(message("agents.not_found", { name }), hintFor(name, directory));
}

/** Whether an intent reads, or may change something. */
const ACCESS = { read: "access.read", write: "access.write" } as const;

function listText({ agents }: Directory, say: Say): string {
  if (agents.length === 0) return `${say("agents.none")}\n`;
  return textTable(agents.flatMap((agent) => [
    [agent.name, agent.address.transport, cellOf(agent.description)],
    ...agent.intents.map(({ name, access, description }) => [
      `  ${name}`,
      say(ACCESS[access]),
      cellOf(description),
    ]),
  ]));
}

/**
 * Prints the agents with their intents.
 *
 * @throws {ConfigError} If a file of agents can't be used.
 * @throws {OutputError} If it can't be printed.
 */
export async function listAgents(
  { output, agents: files }: AgentsCommandOptions,
  { ports }: AgentsContext,
): Promise<void> {
  const directory = await loadDirectory(ports, files);
  const { agents, recursive, maxDepth, maxSubtasks } = directory;
  const value = {
    schema: "rein-agents/1",
    agents: agents.map(agentEntry),
    recursive,
    max_depth: maxDepth,
    max_subtasks: maxSubtasks,
  };
  await ports.terminal.out(
    output === "json" ? `${JSON.stringify(value)}\n` : listText(directory, ports.say),
  );
}

function intentText(
  { name, description, access, parameters, example }: Intent,
  say: Say,
): string {
  const values = { name, access: say(ACCESS[access]), description: cellOf(description) };
  const row = (id: MessageId, value: JsonObject) => [`    ${say(id)}`, JSON.stringify(value)];
  const rows = [
    row("agents.row_parameters", parameters),
    ...example === null ? [] : [row("agents.row_example", example)],
  ];
  return `${say("agents.intent", values)}\n${textTable(rows)}`;
}

function showText(agent: Agent, say: Say): string {
  const { callback, policy } = agent;
  const token = agent.tokenVariable === null
    ? say("agents.token_none")
    : say("agents.token_from", { variable: agent.tokenVariable });
  const rows: readonly (readonly [MessageId, string])[] = [
    ["agents.row_name", agent.name],
    ["agents.row_description", cellOf(agent.description)],
    ["agents.row_speaks", agent.address.transport],
    ["agents.row_address", cellOf(placeOf(agent.address))],
    ["agents.row_token", token],
    ["agents.row_timeout", String(TIME_SPAN.toFile(agent.timeoutMs))],
    ["agents.row_concurrency", String(agent.concurrency)],
    [
      "agents.row_idempotent",
      say(agent.idempotent ? "agents.idempotent" : "agents.not_idempotent"),
    ],
    ...callback === undefined
      ? []
      : [["agents.row_results", say("agents.posted_to", { url: callback.url })]] as const,
    ...policy === null ? [] : [["agents.row_policy", JSON.stringify(policy)]] as const,
    ["agents.row_file", agent.file],
  ];
  const table = textTable(rows.map(([id, value]) => [say(id), value]));
  const intents = agent.intents.map((intent) => intentText(intent, say)).join("");
  return printable(`${table}\n${say("agents.intents")}\n${intents}`);
}

/**
 * Prints all that is known of an agent.
 *
 * @throws {UsageError} If there is none of that name.
 * @throws {ConfigError} If a file of agents can't be used.
 * @throws {OutputError} If it can't be printed.
 */
export async function showAgent(
  name: string,
  { output, agents }: AgentsCommandOptions,
  { ports }: AgentsContext,
): Promise<void> {
  const agent = agentNamed(name, await loadDirectory(ports, agents));
  const value = { schema: "rein-agent/1", ...agentEntry(agent) };
  await ports.terminal.out(
    output === "json" ? `${JSON.stringify(value)}\n` : showText(agent, ports.say),
  );
}
