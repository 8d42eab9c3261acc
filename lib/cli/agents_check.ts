/**
 * `rein agents check`: whether agents can be reached and are what the directory says.
 *
 * @module
 */

import { loadDirectory } from "../delegate/directory.ts";
import { type Examination, examineAgent } from "../delegate/examine.ts";
import { TASK_PROTOCOL } from "../delegate/types.ts";
import type { Agent } from "../delegate/types.ts";
import { type MessageId, type Say } from "../messages/messages.ts";
import { tell } from "../messages/recognise.ts";
import { agentTransports } from "./agent_transports.ts";
import type { AgentsCheckOptions, AgentsContext } from "./agents_command.ts";
import { agentNamed } from "./agents_list.ts";
import { printable } from "./printable.ts";

/** Exit code where an agent is not as it should be. */
const FAILED_EXIT_CODE = 1;

/** What is wrong, each in a few words. */
function faultsOf(
  { failure, speaksProtocol, protocols, intents }: Examination,
  say: Say,
): string[] {
  const named = (id: MessageId, names: readonly string[] = []) =>
    names.length === 0 ? [] : [say(id, { names: names.join(", ") })];
  const values = { protocols: protocols.join(", "), protocol: TASK_PROTOCOL };
  return [
    ...failure === null ? [] : [tell(failure, say)],
    ...speaksProtocol === false ? [say("agents.other_protocol", values)] : [],
    ...named("agents.no_intent", intents?.missing),
    ...named("agents.other_parameters", intents?.otherParameters),
    ...named("agents.changing", intents?.changing),
  ];
}

/** Whether everybody on the way can read the token. */
function showsToken({ address, tokenVariable }: Agent): boolean {
  if (tokenVariable === null || address.transport === "process") return false;
  const { protocol, hostname } = address.url;
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}

/** What is well, or does no harm. */
function notesOf({ speaksProtocol, intents, ms }: Examination, agent: Agent, say: Say): string[] {
  const isSilent = speaksProtocol === null && intents === null;
  return [
    say("step.wait_ms", { count: ms }),
    ...isSilent ? [say("agents.silent")] : [],
    ...speaksProtocol === true ? [TASK_PROTOCOL] : [],
    ...intents === null ? [] : [say("agents.match")],
    ...intents === null || intents.extra.length === 0
      ? []
      : [say("agents.also", { names: intents.extra.join(", ") })],
    ...showsToken(agent) ? [say("agents.unencrypted")] : [],
  ];
}

function lineOf(
  { agent, examination }: { readonly agent: Agent; readonly examination: Examination },
  columns: number,
  say: Say,
): string {
  const name = examination.name.padEnd(columns);
  const list = (parts: readonly string[]) => parts.join(say("list.semicolon"));
  const line = examination.passed
    ? say("agents.check_ok", { name, notes: list(notesOf(examination, agent, say)) })
    : say("agents.check_failed", { name, faults: list(faultsOf(examination, say)) });
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
    ? `${ports.say("agents.none")}\n`
    : all.map((one) => lineOf(one, columns, ports.say)).join("");
  await ports.terminal.out(output === "json" ? `${JSON.stringify(value)}\n` : text);
  return passed ? 0 : FAILED_EXIT_CODE;
}
