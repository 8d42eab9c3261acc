/**
 * `rein agents check`: whether agents can be reached and are what the directory says.
 *
 * @module
 */

import { loadDirectory } from "../delegate/directory.ts";
import { type Examination, examineAgent } from "../delegate/examine.ts";
import { TASK_PROTOCOL } from "../delegate/types.ts";
import type { Agent } from "../delegate/types.ts";
import { agentTransports } from "./agent_transports.ts";
import type { AgentsCheckOptions, AgentsContext } from "./agents_command.ts";
import { agentNamed, NO_AGENTS_TEXT } from "./agents_list.ts";
import { printable } from "./printable.ts";

/** Exit code where an agent is not as it should be. */
const FAILED_EXIT_CODE = 1;

/** What is wrong, each in a few words. */
function faultsOf({ failure, speaksProtocol, protocols, intents }: Examination): string[] {
  const named = (words: string, names: readonly string[] = []) =>
    names.length === 0 ? [] : [`${words} ${names.join(", ")}`];
  return [
    ...failure === null ? [] : [failure],
    ...speaksProtocol === false
      ? [`it takes ${protocols.join(", ")}, and rein sends ${TASK_PROTOCOL}`]
      : [],
    ...named("it has no intent", intents?.missing),
    ...named("other parameters for", intents?.otherParameters),
    ...named('it says that these change something, and the file says "read":', intents?.changing),
  ];
}

/** Whether everybody on the way can read the token. */
function showsToken({ address, tokenVariable }: Agent): boolean {
  if (tokenVariable === null || address.transport === "process") return false;
  const { protocol, hostname } = address.url;
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** What is well, or does no harm. */
function notesOf({ speaksProtocol, intents, ms }: Examination, agent: Agent): string[] {
  const isSilent = speaksProtocol === null && intents === null;
  return [
    `${ms} ms`,
    ...isSilent ? ["it does not say what it is"] : [],
    ...speaksProtocol === true ? [TASK_PROTOCOL] : [],
    ...intents === null ? [] : ["intents match"],
    ...intents === null || intents.extra.length === 0
      ? []
      : [`it also has ${intents.extra.join(", ")}`],
    ...showsToken(agent) ? ["its token goes there unencrypted: use https"] : [],
  ];
}

function lineOf(examination: Examination, agent: Agent, columns: number): string {
  const name = examination.name.padEnd(columns);
  const line = examination.passed
    ? `${name}  ok (${notesOf(examination, agent).join("; ")})`
    : `${name}  failed: ${faultsOf(examination).join("; ")}`;
  return printable(`${line.replace(/\s*\n\s*/g, " ")}\n`);
}

function entryOf({ name, reachable, failure, protocols, intents, ms, passed }: Examination) {
  return {
    name,
    reachable,
    failure,
    protocols,
    intents: intents && {
      missing: intents.missing,
      extra: intents.extra,
      other_parameters: intents.otherParameters,
      changing: intents.changing,
    },
    ms,
    passed,
  };
}

/**
 * Asks agents what they are, all at once, and prints what was found in the order of the directory.
 *
 * @param name Null: all of them.
 * @returns The exit code: 1 if one can't be reached or is not as the directory says.
 * @throws {UsageError} If there is none of that name, or the environment file can't be used.
 * @throws {ConfigError} If a file of agents can't be used.
 * @throws {OutputError} If it can't be printed.
 * @throws The signal's reason, once it is aborted.
 */
export async function checkAgents(
  name: string | null,
  { output, agents: files, envFile }: AgentsCheckOptions,
  { ports, signal }: AgentsContext,
): Promise<number> {
  const directory = await loadDirectory(ports, files);
  const agents = name === null ? directory.agents : [agentNamed(name, directory)];
  const transportOf = await agentTransports(envFile, ports);
  const all = await Promise.all(agents.map(async (agent) => ({
    agent,
    examination: await examineAgent(agent, transportOf(agent), { clock: ports.clock, signal }),
  })));
  const passed = all.every(({ examination }) => examination.passed);
  const columns = Math.max(0, ...agents.map((agent) => agent.name.length));
  const value = {
    schema: "rein-agents-check/1",
    agents: all.map(({ examination }) => entryOf(examination)),
    passed,
  };
  const text = all.length === 0
    ? NO_AGENTS_TEXT
    : all.map(({ examination, agent }) => lineOf(examination, agent, columns)).join("");
  await ports.terminal.out(output === "json" ? `${JSON.stringify(value)}\n` : text);
  return passed ? 0 : FAILED_EXIT_CODE;
}
