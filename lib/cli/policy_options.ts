/**
 * What the policy commands share: options, ports, exit codes.
 *
 * @module
 */
import type { Ports } from "../ports.ts";

/** Exit codes of `rein policy check`. */
export const EXIT = { allow: 0, ask: 20, deny: 21, difference: 1, error: 2 } as const;

/** What the policy commands need. */
export type PolicyPorts = Pick<
  Ports,
  "files" | "env" | "terminal" | "processes" | "permissions" | "say"
>;

/** How a policy command ends. */
export type Finish = (code: number) => void;

/** Options that all policy commands share. */
export interface CommonOptions {
  readonly policy: readonly string[];
  readonly output: "text" | "json";
  readonly cwd?: string;
}
