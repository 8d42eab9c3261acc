/**
 * The outside world of a worker: what its permissions leave of the real one.
 *
 * @module
 */

import type { Ports, Processes } from "../ports.ts";
import type { FromWorker, Place, ToWorker } from "../sandbox/messages.ts";
import { createServer, type ToolFactory } from "../sandbox/serve.ts";
import { realClock } from "./clock.ts";
import { realFiles } from "./files.ts";

/** Nobody reads what a worker prints, and nobody can be asked. */
type WorkerPorts = Omit<Ports, "terminal" | "workers" | "permissions">;

const NO_PROCESSES: Processes = {
  available: () => false,
  run: () => Promise.reject(new TypeError("A worker starts no program")),
};

/** Builds the ports of a worker at a place. */
export function createWorkerPorts({ cwd }: Place): WorkerPorts {
  return {
    os: Deno.build.os,
    clock: realClock,
    files: { ...realFiles, cwd: () => cwd },
    processes: NO_PROCESSES,
    fetch: (input, init) => fetch(input, init),
    env: { get: () => undefined },
    newId: () => crypto.randomUUID(),
    random: Math.random,
  };
}

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  onmessage: ((event: { readonly data: ToWorker }) => void) | null;
  postMessage(message: FromWorker): void;
}

/** Lets this worker run these tools for the main side. */
export function serveWorker(toolsFor: ToolFactory): void {
  const scope = globalThis as unknown as WorkerScope;
  const take = createServer(toolsFor, (message) => scope.postMessage(message));
  scope.onmessage = ({ data }) => take(data);
}
