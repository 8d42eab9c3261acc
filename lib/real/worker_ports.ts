/**
 * The outside world of a worker: what its permissions leave of the real one.
 *
 * @module
 */

import type { Memories, Network, Processes, ToolPorts } from "../ports.ts";
import { createResults, type Results } from "../results/results.ts";
import type { FromWorker, Place, ToWorker } from "../sandbox/messages.ts";
import { createServer, type ToolFactory } from "../sandbox/serve.ts";
import { realClock } from "./clock.ts";
import { realFiles } from "./files.ts";

const NO_PROCESSES: Processes = {
  available: () => false,
  run: () => Promise.reject(new TypeError("A worker starts no program")),
};

function notHere(): Promise<never> {
  return Promise.reject(new TypeError("This is done on the main side"));
}

const NO_NETWORK: Network = {
  available: () => false,
  resolve: notHere,
  connect: notHere,
  request: notHere,
};

const NO_MEMORIES: Memories = {
  path: null,
  put: notHere,
  remove: notHere,
  get: notHere,
  search: notHere,
  count: notHere,
};

/**
 * The results of a worker: it keeps no output, and knows no secret by its value. The main side
 * looks at outcomes once more, for that.
 */
export const workerResults: Results = createResults({
  spills: { available: () => false, kept: () => [], create: () => null, open: () => null },
  secrets: [],
});

/** Builds the ports of a worker at a place. */
export function createWorkerPorts({ cwd }: Place): ToolPorts {
  return {
    os: Deno.build.os,
    clock: realClock,
    files: { ...realFiles, cwd: () => cwd },
    processes: NO_PROCESSES,
    fetch: (input, init) => fetch(input, init),
    network: NO_NETWORK,
    memories: NO_MEMORIES,
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
  const { collect } = workerResults;
  const take = createServer(toolsFor, { collect, post: (message) => scope.postMessage(message) });
  scope.onmessage = ({ data }) => take(data);
  workerResults.prepare();
}
