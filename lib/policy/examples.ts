/**
 * Holds rules to the examples that they carry.
 *
 * @module
 */
import type { Finding } from "./facts.ts";
import { matchesIntent } from "./intents.ts";
import { CompiledRule, matchAllow, matchStrict, prepare } from "./match.ts";
import type { PathWorld } from "./paths.ts";
import { findCommands } from "./shell/walk.ts";
import { namesTool } from "./tools.ts";
import type { Rule } from "./types.ts";

/** Examples are judged on a machine that looks like this. */
const WORLD: PathWorld = { home: "/home/user", cwd: "/home/user/work", realPath: () => null };

/** What contradicts a rule's examples, or null if nothing does. */
export function exampleFault(rule: Rule): string | null {
  if (rule.intents !== null) return intentFault(rule, rule.intents);
  if (rule.tools !== null) return toolFault(rule);
  const compiled = new CompiledRule(rule, WORLD);
  for (const example of rule.examples.match) {
    if (!findCommands(example, WORLD).some((finding) => applies(compiled, finding))) {
      return `Rule "${rule.id}" does not match its example "${example}": correct one of them`;
    }
  }
  for (const example of rule.examples.not) {
    const findings = findCommands(example, WORLD)
      .filter(({ hypothetical }) => !hypothetical || rule.decision === "deny");
    if (coversAll(compiled, findings)) {
      return `Rule "${rule.id}" matches "${example}", which it must not: correct one of them`;
    }
  }
  return null;
}

/** Examples of a rule about intents are intents. */
function intentFault({ id, examples }: Rule, intents: readonly string[]): string | null {
  const matches = (example: string) => intents.some((pattern) => matchesIntent(pattern, example));
  const missed = examples.match.find((example) => !matches(example));
  if (missed !== undefined) {
    return `Rule "${id}" does not match its example "${missed}": correct one of them`;
  }
  const taken = examples.not.find(matches);
  return taken === undefined
    ? null
    : `Rule "${id}" matches "${taken}", which it must not: correct one of them`;
}

/** The examples of a rule about tools are names of tools. */
function toolFault(rule: Rule): string | null {
  const { match, not } = rule.examples;
  const missed = match.find((name) => !namesTool(rule, name));
  if (missed !== undefined) {
    return `Rule "${rule.id}" does not match its example "${missed}": correct one of them`;
  }
  const wrong = not.find((name) => namesTool(rule, name));
  return wrong === undefined
    ? null
    : `Rule "${rule.id}" matches "${wrong}", which it must not: correct one of them`;
}

function applies(compiled: CompiledRule, finding: Finding): boolean {
  const judged = prepare(finding, WORLD);
  if (compiled.rule.decision !== "allow") return matchStrict(compiled, judged) !== null;
  return matchAllow(compiled, judged) !== null;
}

/** An ask or deny rule covers with one match; an allow rule must answer everything. */
function coversAll(compiled: CompiledRule, findings: readonly Finding[]): boolean {
  if (compiled.rule.decision !== "allow") {
    return findings.some((finding) => applies(compiled, finding));
  }
  return findings.every((finding) => {
    const grant = matchAllow(compiled, prepare(finding, WORLD));
    if (grant === null) return false;
    const writes = finding.accesses.filter(({ kind }) => kind === "write" || kind === "destroy");
    return writes.every((access) => grant.accesses.has(access)) &&
      finding.hosts.every((host) => grant.hosts.has(host)) &&
      finding.signals.length === grant.signals.length;
  });
}
