/**
 * Real threads with permissions of their own.
 *
 * @module
 */

import type { Grant, Grants, WorkerKind, Workers } from "../ports.ts";

function permissionOf(grant: Grant): boolean | string[] {
  return grant === true || (grant.length > 0 && [...grant]);
}

/** The runtime's form of grants; whatever they do not name is denied. */
export function permissionsOf({ read, write, net }: Grants): Deno.PermissionOptionsObject {
  return {
    read: permissionOf(read),
    write: permissionOf(write),
    net: permissionOf(net),
    env: false,
    run: false,
    sys: false,
    ffi: false,
    import: false,
  };
}

/** Whether this is part of the bundle, whose parts lie beside `main.js`. */
const BUNDLED = import.meta.url.endsWith(".js");

/** The entries; `deno task bundle` keeps their places below its directory. */
const MODULES: Readonly<Record<WorkerKind, string>> = {
  tools: BUNDLED ? "./lib/sandbox/tool_worker.js" : "../sandbox/tool_worker.ts",
  shell: BUNDLED ? "./lib/sandbox/shell_worker.js" : "../sandbox/shell_worker.ts",
};

/** The threads of this process. */
export const realWorkers: Workers = {
  start(kind, grants, events) {
    const options = { type: "module", name: kind, deno: { permissions: permissionsOf(grants) } };
    const worker = new Worker(new URL(MODULES[kind], import.meta.url), options as WorkerOptions);
    worker.onmessage = (event: MessageEvent) => events.message(event.data);
    worker.onmessageerror = () => events.broken("it sent what can't be read");
    worker.onerror = (event) => {
      event.preventDefault();
      events.broken(event.message);
    };
    return { post: (message) => worker.postMessage(message), end: () => worker.terminate() };
  },
  memoryBytes: () => Deno.memoryUsage().rss,
};
