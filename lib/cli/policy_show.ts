/**
 * `rein policy show`: which rules are in force and where they come from.
 *
 * @module
 */
import { english, type Say } from "../messages/messages.ts";
import { recognise } from "../messages/recognise.ts";
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
    ? renderEffective(policy, grantsHere(policy, options, ports), ports.say)
    : renderSources(policy, ports.say);
  await ports.terminal.out(text);
  return EXIT.allow;
}

/** The sources in force, with the number of their rules. */
export function renderSources({ rules }: Policy, say: Say = english): string {
  const groups = Map.groupBy(rules, ({ source }) => source);
  const lines = [...groups].map(([source, list]) => {
    const count = (decision: Decision) => list.filter((rule) => rule.decision === decision).length;
    return say("policy.source", {
      source,
      layer: list[0]?.layer ?? "",
      count: list.length,
      allow: count("allow"),
      ask: count("ask"),
      deny: count("deny"),
    });
  });
  return `${lines.join("\n")}\n`;
}

/** What tools may do under a policy, in this build and place. */
function grantsHere(policy: Policy, options: CommonOptions, ports: PolicyPorts): EffectiveGrants {
  return effectiveGrants(policy.walls, buildLimits(ports, options.cwd ?? ports.files.cwd()));
}

/** What the policy says of the audit log. */
function auditLines({ audit }: Policy, say: Say): string[] {
  const { required = false, enabled = true, ...others } = audit;
  const state = required
    ? say("policy.audit_required")
    : say(enabled ? "policy.audit_on" : "policy.audit_off");
  return [
    `  log       ${state}`,
    ...Object.entries(others).map(([name, value]) => `  ${name.padEnd(9)} ${value}`),
  ];
}

/** The joined policy: defaults, rules with their places, permissions, grants, the audit. */
export function renderEffective(
  policy: Policy,
  grants: EffectiveGrants,
  say: Say = english,
): string {
  const defaults = Object.entries(policy.defaults).map(([effect, { decision, source }]) =>
    `  ${effect.padEnd(9)} ${decision.padEnd(6)} ${source}`
  );
  const rules = policy.rules.map((rule) =>
    `  ${rule.decision.padEnd(6)} ${rule.id.padEnd(34)} ${placeOf(rule)}\n         ${rule.reason}`
  );
  const permissions = Object.entries(neededPermissions(policy)).map(([kind, needed]) =>
    `  ${kind.padEnd(9)} ${say(needed ? "policy.needed" : "policy.revoked")}`
  );
  const granted = renderGrants(grants).trimEnd().split("\n").map((line) => grantLine(line, say));
  return [
    ...[say("policy.defaults"), ...defaults, "", say("policy.rules"), ...rules, ""],
    ...[say("policy.permissions"), ...permissions, ""],
    ...[say("policy.granted"), ...granted, ""],
    ...[say("policy.audit"), ...auditLines(policy, say), ""],
  ].join("\n");
}

/** A kind of permission, and what of it tools are granted. */
function grantLine(line: string, say: Say): string {
  const [, kind = "", words = ""] = /^(\w+ +)(.*)$/s.exec(line) ?? [];
  return `  ${kind}${recognise(words, say)}`;
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
