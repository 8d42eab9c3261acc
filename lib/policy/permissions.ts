/**
 * Which permissions of the runtime a policy can ever make use of.
 *
 * @module
 */
import type { Effect } from "../types.ts";
import type { Policy, Rule } from "./types.ts";

/** The kinds of permissions that follow from a policy. */
export type PermissionKind = "read" | "write" | "run" | "net";

/** For each kind, whether anything that it is for may be allowed, asked for included. */
export function neededPermissions(policy: Policy): Readonly<Record<PermissionKind, boolean>> {
  const possible = (effect: Effect, uses: (rule: Rule) => boolean) =>
    policy.defaults[effect].decision !== "deny" ||
    policy.rules.some((rule) => rule.decision !== "deny" && uses(rule));
  return {
    read: possible("read", ({ paths }) => paths?.read !== undefined),
    write: possible("write", ({ paths }) => paths?.write !== undefined),
    run: possible("execute", ({ programs }) => programs !== null),
    net: possible("network", ({ hosts }) => hosts !== null),
  };
}
