/**
 * The worker in which tools run: an entry of its own. It holds the permissions
 * that it was started with, and no secret.
 *
 * @module
 */

import { createTools } from "../../tools/registry.ts";
import { createWorkerPorts, serveWorker, workerResults } from "../real/worker_ports.ts";

serveWorker((place) => createTools(createWorkerPorts(place), workerResults.outputs));
