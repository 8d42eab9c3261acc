/**
 * `--approve RULE-ID`: rules that are named must be there, so that a slip of the pen is told before
 * anything runs and not by a denial in the night.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import { message } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { UsageError } from "./failure.ts";

/** Ids of what no policy file holds: defaults, what the engine recognises, rein's own. */
const BUILT_IN = /^(default|signal|rein)\./;

/**
 * Checks the ids of rules that are approved beforehand.
 *
 * @param policies As the command line names them.
 * @throws {UsageError} If there is no rule of an id.
 * @throws {PolicyError} If a policy can't be used.
 */
export async function checkApproved(
  ids: readonly string[],
  policies: readonly string[],
  ports: Ports,
): Promise<void> {
  const named = ids.filter((id) => !BUILT_IN.test(id));
  if (named.length === 0) return;
  const { loadSources } = await import("./policy_in_force.ts");
  const { findSources } = await import("../policy/sources.ts");
  const { rules } = await loadSources(await findSources(ports, policies));
  const known = rules.map(({ id }) => id);
  const unknown = named.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  const [near] = closest(unknown, known);
  const hint = near === undefined
    ? message("usage.no_rule_hint")
    : message("usage.did_you_mean", { near });
  throw new UsageError(message("usage.no_rule", { rule: JSON.stringify(unknown) }), hint);
}
