/**
 * The machine and the user, as the runtime tells.
 *
 * @module
 */

import type { Machine } from "../ports.ts";

/** What is permitted to know, or null. */
function orNull<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** This machine; what the permissions keep back is null. */
export const realMachine: Machine = {
  host: () => orNull(() => Deno.hostname()),
  uid: () => orNull(() => Deno.uid()),
  pid: Deno.pid,
};
