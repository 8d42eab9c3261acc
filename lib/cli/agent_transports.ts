/**
 * The ways to the agents of the directory, with their tokens.
 *
 * @module
 */

import { findVariable } from "../config/variables.ts";
import { createTransport } from "../delegate/transport.ts";
import type { Agent, Transport } from "../delegate/types.ts";
import type { Ports } from "../ports.ts";
import { variablesOf } from "./load_settings.ts";

/**
 * The tokens of agents, as far as they are set: they must not be shown.
 *
 * @throws As {@linkcode agentTransports}.
 */
export async function agentTokens(
  agents: readonly Agent[],
  envFile: string | undefined,
  ports: Ports,
): Promise<readonly string[]> {
  const variables = await variablesOf(envFile, ports);
  return agents.flatMap(({ tokenVariable }) => {
    const token = tokenVariable === null ? "" : findVariable(variables, [tokenVariable])?.text;
    return token?.trim() ? [token.trim()] : [];
  });
}

/**
 * What finds the way to an agent: one for each, which is loaded once it is used.
 *
 * @param envFile Holds tokens, before the environment and the person's own file.
 * @throws {UsageError} If the environment file can't be read, or the person's own is not theirs
 *   alone.
 */
export async function agentTransports(
  envFile: string | undefined,
  ports: Ports,
): Promise<(agent: Agent) => Transport> {
  const variables = await variablesOf(envFile, ports);
  const variable = (name: string) => findVariable(variables, [name])?.text;
  const known = new Map<Agent, Transport>();
  const a2a = async (agent: Agent, token: string | null) => {
    const { createA2aTransport } = await import("../delegate/a2a_transport.ts");
    return createA2aTransport(agent, ports, { token });
  };
  return (agent) => {
    const transport = known.get(agent) ?? createTransport(agent, ports, { variable, a2a });
    known.set(agent, transport);
    return transport;
  };
}
