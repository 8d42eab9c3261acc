/**
 * `rein agents list` and `rein agents show`: what the directory says.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import { TIME_SPAN } from "../config/kinds.ts";
import { loadDirectory } from "../delegate/directory.ts";
import type { Agent, AgentAddress, Directory, Intent } from "../delegate/types.ts";
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
function hintFor(name: string, { agents }: Directory): string {
  const names = agents.map((agent) => agent.name);
  const near = closest(name, names)[0];
  if (near !== undefined) return `Did you mean "${near}"?`;
  return names.length === 0
    ? 'There is none; see "rein agents --help".'
    : `There are ${names.join(", ")}.`;
}

/**
 * Finds an agent.
 *
 * @throws {UsageError} If there is none of that name.
 */
export function agentNamed(name: string, directory: Directory): Agent {
  const agent = directory.agents.find((each) => each.name === name);
  if (agent !== undefined) return agent;
  throw new UsageError(`There is no agent "${name}"`, hintFor(name, directory));
}

/** What is said where there is no agent at all. */
export const NO_AGENTS_TEXT =
  'No agents: write them into ~/.config/rein/agents.yaml; see "rein agents --help".\n';

function listText({ agents }: Directory): string {
  if (agents.length === 0) return NO_AGENTS_TEXT;
  return textTable(agents.flatMap((agent) => [
    [agent.name, agent.address.transport, cellOf(agent.description)],
    ...agent.intents.map(({ name, access, description }) => [
      `  ${name}`,
      access === "read" ? "reads" : "changes",
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
    output === "json" ? `${JSON.stringify(value)}\n` : listText(directory),
  );
}

function intentText({ name, description, access, parameters, example }: Intent): string {
  return [
    `  ${name} (${access === "read" ? "reads" : "changes"}): ${cellOf(description)}`,
    `    parameters  ${JSON.stringify(parameters)}`,
    ...example === null ? [] : [`    example     ${JSON.stringify(example)}`],
  ].map((line) => `${line}\n`).join("");
}

function showText(agent: Agent): string {
  const { callback, policy } = agent;
  const rows = [
    ["name", agent.name],
    ["description", cellOf(agent.description)],
    ["speaks", agent.address.transport],
    ["address", cellOf(placeOf(agent.address))],
    ["token", agent.tokenVariable === null ? "none" : `from ${agent.tokenVariable}`],
    ["timeout", String(TIME_SPAN.toFile(agent.timeoutMs))],
    ["at a time", String(agent.concurrency)],
    ["idempotent", agent.idempotent ? "yes: sent twice, it runs once" : "no: never sent twice"],
    ...callback === undefined ? [] : [["results", `posted to ${callback.url}`]],
    ...policy === null ? [] : [["policy", JSON.stringify(policy)]],
    ["file", agent.file],
  ];
  return printable(`${textTable(rows)}\nintents\n${agent.intents.map(intentText).join("")}`);
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
  await ports.terminal.out(output === "json" ? `${JSON.stringify(value)}\n` : showText(agent));
}
