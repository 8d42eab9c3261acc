/**
 * `rein policy show`: which rules are in force and where they come from.
 *
 * @module
 */
import { buildLimits } from "../sandbox/sandbox.ts";
import { type EffectiveGrants, effectiveGrants, renderGrants } from "../sandbox/grants.ts";
import type { Decision } from "../types.ts";
import { neededPermissions } from "../policy/permissions.ts";
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
    ? renderEffective(policy, grantsHere(policy, options, ports))
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

/** What tools may do under a policy, in this build and place. */
function grantsHere(policy: Policy, options: CommonOptions, ports: PolicyPorts): EffectiveGrants {
  return effectiveGrants(policy.walls, buildLimits(ports, options.cwd ?? ports.files.cwd()));
}

/** What the policy says of the audit log. */
function auditLines({ audit }: Policy): string[] {
  const { required = false, enabled = true, ...others } = audit;
  const state = required ? "required" : enabled ? "on, not required" : "off";
  return [
    `  log       ${state}`,
    ...Object.entries(others).map(([name, value]) => `  ${name.padEnd(9)} ${value}`),
  ];
}

/** The joined policy: defaults, rules with their places, permissions, grants, the audit. */
export function renderEffective(policy: Policy, grants: EffectiveGrants): string {
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
    ...["Granted to tools", renderGrants(grants).replace(/^/gm, "  ").trimEnd(), ""],
    ...["Audit", ...auditLines(policy), ""],
  ].join("\n");
}

function placeOf({ source, line }: Rule): string {
  return line === 0 ? source : `${source}:${line}`;
}

/** The permissions that follow, in words. */
function permissionsOf(policy: Policy): Readonly<Record<string, string>> {
  const needed = Object.entries(neededPermissions(policy));
  return Object.fromEntries(
    needed.map(([kind, granted]) => [kind, granted ? "needed" : "revoked at start"]),
  );
}
