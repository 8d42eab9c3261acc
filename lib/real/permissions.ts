/**
 * The real permissions of this process.
 *
 * @module
 */

import type { Permissions } from "../ports.ts";

/** What the runtime lets this process do. */
export const realPermissions: Permissions = {
  holds: (name) => Deno.permissions.querySync({ name }).state === "granted",
  drop: (name) => void Deno.permissions.revokeSync({ name }),
};
