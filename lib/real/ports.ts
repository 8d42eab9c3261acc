/**
 * The real outside world: the runtime behind `lib/ports.ts`.
 *
 * @module
 */

import { english } from "../messages/messages.ts";
import type { Environment, Ports } from "../ports.ts";
import { realClock } from "./clock.ts";
import { createDatabases, stateFolder } from "./databases.ts";
import { realFiles } from "./files.ts";
import { realFolders } from "./folders.ts";
import { realHashes } from "./hashes.ts";
import { realMachine } from "./machine.ts";
import { createMemories } from "./memories.ts";
import { realNetwork } from "./network.ts";
import { realPermissions } from "./permissions.ts";
import { createProcesses, type KillableProcesses } from "./processes.ts";
import { realServers } from "./servers.ts";
import { realLogs } from "./shared_log.ts";
import { realSpills, spillsIn } from "./spills.ts";
import { realTerminal, type RestorableTerminal } from "./terminal.ts";
import { realWorkers } from "./workers.ts";

/** A variable outside the permission set counts as not set. */
const realEnvironment: Environment = {
  get: (name) => {
    try {
      return Deno.env.get(name);
    } catch {
      return undefined;
    }
  },
};

/** Twelve hexadecimal digits. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Builds the ports of this process. */
export function createRealPorts(): Ports & {
  readonly processes: KillableProcesses;
  readonly terminal: RestorableTerminal;
} {
  const state = stateFolder(realEnvironment);
  return {
    os: Deno.build.os,
    clock: realClock,
    files: realFiles,
    spills: realSpills,
    spillsIn,
    processes: createProcesses(),
    workers: realWorkers,
    permissions: realPermissions,
    fetch: (input, init) => fetch(input, init),
    network: realNetwork,
    servers: realServers,
    databases: createDatabases(state),
    folders: realFolders,
    logs: realLogs,
    hashes: realHashes,
    machine: realMachine,
    memories: createMemories(state === null ? null : `${state}/memory.db`),
    env: realEnvironment,
    terminal: realTerminal,
    // Until the arguments and the environment have said which language is wanted.
    say: english,
    newId,
    random: Math.random,
  };
}
