/**
 * The business agents of a run, and whether it may give them tasks.
 *
 * @module
 */

import type { Delegation } from "../delegate/delegation.ts";
import { loadDirectory, NO_AGENTS } from "../delegate/directory.ts";
import type { ParentTask } from "../delegate/envelope.ts";
import type { TaskView } from "../delegate/group.ts";
import type { TaskTable } from "../delegate/task_table.ts";
import type { Agent, Directory, Transport } from "../delegate/types.ts";
import { DatabaseError, type Ports } from "../ports.ts";
import type { JsonObject } from "../types.ts";

/** What the command line says of agents. */
export interface AgentOptions {
  /** Files beside those of the usual places; later ones count. */
  readonly agents?: readonly string[];
  /** Whether a run that serves a task of another agent may delegate in turn. */
  readonly recursive?: boolean;
  readonly envFile?: string;
}

/** The agents, and the ways to them. */
export interface AgentsOfRun {
  readonly directory: Directory;
  readonly transportOf: (agent: Agent) => Transport;
  /** What must not be shown. */
  readonly tokens: readonly string[];
}

/** No agents at all. */
export const NOBODY: AgentsOfRun = {
  directory: NO_AGENTS,
  transportOf: ({ name }) => {
    throw new TypeError(`There is no way to "${name}"`);
  },
  tokens: [],
};

/**
 * Finds the agents. Where there are none, that takes a look at two files.
 *
 * @throws {ConfigError} If a file of agents can't be used.
 * @throws {UsageError} If the environment file can't be read.
 */
export async function findAgents(
  { agents = [], envFile }: AgentOptions,
  ports: Ports,
): Promise<AgentsOfRun> {
  const directory = await loadDirectory(ports, agents);
  if (directory.agents.length === 0) return NOBODY;
  const { agentTokens, agentTransports } = await import("./agent_transports.ts");
  return {
    directory,
    transportOf: await agentTransports(envFile, ports),
    tokens: await agentTokens(directory.agents, envFile, ports),
  };
}

/** Who decides on delegating within delegated tasks; the strictest word counts. */
export interface Recursion {
  /** The task that the run serves; null: a person asked. */
  readonly parent: ParentTask | null;
  readonly directory: Pick<Directory, "recursive">;
  /** The policy's word; undefined where it says nothing. */
  readonly policy: boolean | undefined;
  /** The command line's. */
  readonly option: boolean;
}

/** Whether a run may delegate at all. */
export function mayDelegate({ parent, directory, policy, option }: Recursion): boolean {
  if (parent === null) return true;
  return policy ?? (option || directory.recursive);
}

/** What delegating depends on in a run. */
interface DelegationOptions {
  readonly parent: ParentTask | null;
  /** Whether tasks are written down where another process finds them. */
  readonly keep: boolean;
  readonly redact: (data: JsonObject) => JsonObject;
  readonly onProgress: (tasks: readonly TaskView[]) => void;
  readonly warn: (text: string) => void;
}

/** Delegating, as long as the run has it. */
export interface OpenDelegation {
  readonly delegation: Delegation | null;
  /** Ends it; never throws. */
  close(): void;
}

/** A run that delegates nothing. */
const NO_DELEGATION: OpenDelegation = { delegation: null, close: () => {} };

/** Opens the table; where it can't be kept, it is in memory, and that is said. */
async function openTable(
  ports: Pick<Ports, "databases">,
  { keep, redact, warn }: DelegationOptions,
): Promise<TaskTable> {
  const { openTaskTable } = await import("../delegate/task_table.ts");
  try {
    return await openTaskTable(ports.databases, { keep, redact });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    warn(`The task table is not kept: ${error.message}`);
    return await openTaskTable(ports.databases, { keep: false, redact });
  }
}

function closeQuietly(table: TaskTable): void {
  try {
    table.close();
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
  }
}

async function openDelegation(
  { directory, transportOf }: AgentsOfRun,
  ports: Pick<Ports, "databases" | "clock" | "random">,
  options: DelegationOptions,
): Promise<OpenDelegation> {
  const { createDelegation } = await import("../delegate/delegation.ts");
  const table = await openTable(ports, options);
  const { parent, onProgress, warn } = options;
  const { clock, random } = ports;
  const onTrouble = (message: string) => warn(`The task table can't be written: ${message}`);
  const delegation = createDelegation(directory, parent, {
    ...{ clock, random, transportOf, table, onProgress, onTrouble },
  });
  return { delegation, close: () => closeQuietly(table) };
}

/** A run, as far as delegating goes. */
export interface DelegatingRun {
  readonly wish: { readonly options: AgentOptions; readonly parent?: ParentTask };
  /** The policy's word on delegating within delegated tasks. */
  readonly policy: boolean | undefined;
  readonly kept: {
    readonly session: { readonly id: string | null };
    readonly results: { redact(data: JsonObject): JsonObject };
  };
  readonly face: {
    readonly steps: { warn(text: string): unknown };
    readonly onTasks?: (tasks: readonly TaskView[]) => void;
  };
}

/** Makes a run ready to delegate, where there is anyone, and where it may. */
export async function delegationOfRun(
  agents: AgentsOfRun,
  ports: Pick<Ports, "databases" | "clock" | "random">,
  { wish, policy, kept, face }: DelegatingRun,
): Promise<OpenDelegation> {
  const { directory } = agents;
  const parent = wish.parent ?? null;
  const option = wish.options.recursive ?? false;
  if (directory.agents.length === 0) return NO_DELEGATION;
  if (!mayDelegate({ parent, directory, policy, option })) return NO_DELEGATION;
  return await openDelegation(agents, ports, {
    parent,
    keep: kept.session.id !== null,
    redact: (data) => kept.results.redact(data),
    onProgress: (tasks) => face.onTasks?.(tasks),
    warn: (text) => void face.steps.warn(text),
  });
}
