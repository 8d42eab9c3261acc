/**
 * The worker in which commands are interpreted: an entry of its own, since the
 * interpreter is large, and so that a script that hangs takes no tool with it.
 *
 * @module
 */

import { createRunShell } from "../../tools/run_shell.ts";
import type { Tool } from "../types.ts";
import { createContainedShell, loadShell } from "../real/contained_shell.ts";
import { createWorkerPorts, serveWorker } from "../real/worker_ports.ts";

// Loaded at once, so that the first command need not wait; a failure shows at that command.
loadShell().catch(() => {});

serveWorker((place, { mayRead }) => {
  const processes = createContainedShell({ mayRead, ...place.grants });
  // Its arguments were checked against its schema on the main side.
  return [createRunShell({ ...createWorkerPorts(place), processes }) as unknown as Tool];
});
