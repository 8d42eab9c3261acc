/**
 * `rein policy show`: which rules are in force and where they come from.
 *
 * @module
 */
import type { Decision, Effect } from "../types.ts";
import type { Policy, Rule } from "../policy/types.ts";
import { type CommonOptions, EXIT, type PolicyPorts } from "./policy_options.ts";
import { loadInForce } from "./policy_in_force.ts";

/** Prints the policy; returns the exit code. */
export async function showPolicy(
  options: CommonOptions & { readonly effective?: boolean },
  ports: PolicyPorts,
): Promise<number> {
  const policy = await loadInForce(options, ports);
  const text = options.output === "json"
    ? `${JSON.stringify({ ...policy, permissions: permissionsOf(policy) })}\n`
    : options.effective
    ? renderEffective(policy)
    : renderSources(policy);
  await ports.terminal.out(text);
  return EXIT.allow;
}

/** The sources in force, with the number of their rules. */
export function renderSources({ rules }: Policy): string {
  const groups = Map.groupBy(rules, ({ source }) => source);
  const lines = [...groups].map(([source, list]) => {
    const count = (decision: Decision) => list.filter((rule) => rule.decision === decision).length;
    return `${source}  (${list[0]?.layer})  ${list.length} rules: ` +
      `${count("allow")} allow, ${count("ask")} ask, ${count("deny")} deny`;
  });
  return `${lines.join("\n")}\n`;
}

/** The joined policy: defaults, rules with their places, permissions. */
export function renderEffective(policy: Policy): string {
  const defaults = Object.entries(policy.defaults).map(([effect, { decision, source }]) =>
    `  ${effect.padEnd(9)} ${decision.padEnd(6)} ${source}`
  );
  const rules = policy.rules.map((rule) =>
    `  ${rule.decision.padEnd(6)} ${rule.id.padEnd(34)} ${placeOf(rule)}\n         ${rule.reason}`
  );
  const permissions = Object.entries(permissionsOf(policy)).map(([kind, value]) =>
    `  ${kind.padEnd(9)} ${value}`
  );
  return [
    ...["Defaults", ...defaults, "", "Rules", ...rules, ""],
    ...["Permissions of the runtime that follow", ...permissions, ""],
  ].join("\n");
}

function placeOf({ source, line }: Rule): string {
  return line === 0 ? source : `${source}:${line}`;
}

/** Which permissions of the runtime a policy can ever make use of. */
export function permissionsOf(policy: Policy): Readonly<Record<string, string>> {
  const possible = (effect: Effect, uses: (rule: Rule) => boolean) =>
    policy.defaults[effect].decision !== "deny" ||
    policy.rules.some((rule) => rule.decision !== "deny" && uses(rule));
  const word = (granted: boolean) => granted ? "needed" : "revoked at start";
  return {
    read: word(possible("read", ({ paths }) => paths?.read !== undefined)),
    write: word(possible("write", ({ paths }) => paths?.write !== undefined)),
    run: word(possible("execute", ({ programs }) => programs !== null)),
    net: word(possible("network", ({ hosts }) => hosts !== null)),
  };
}
