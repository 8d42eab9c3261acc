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

/** `deno compile` finds a worker's module by the form of these lines. */
const MODULES: Readonly<Record<WorkerKind, () => URL>> = {
  tools: () => new URL("../sandbox/tool_worker.ts", import.meta.url),
  shell: () => new URL("../sandbox/shell_worker.ts", import.meta.url),
};

/** The threads of this process. */
export const realWorkers: Workers = {
  start(kind, grants, events) {
    const options = { type: "module", name: kind, deno: { permissions: permissionsOf(grants) } };
    const worker = new Worker(MODULES[kind](), options as WorkerOptions);
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
