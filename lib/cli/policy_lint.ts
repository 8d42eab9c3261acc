/**
 * `rein policy lint`: rules that can't match, are shadowed, or allow too much.
 *
 * @module
 */
import { recognise } from "../messages/recognise.ts";
import { programSpec } from "../policy/programs/lookup.ts";
import { mayLoosen } from "../policy/join.ts";
import type { Policy, Rule } from "../policy/types.ts";
import { type CommonOptions, EXIT, type PolicyPorts } from "./policy_options.ts";
import { loadInForce } from "./policy_in_force.ts";

/** Something about a rule that its author should look at. */
export interface LintFinding {
  readonly rule: string;
  readonly place: string;
  readonly message: string;
}

/** Prints what is wrong with the rules that are not built in; returns the exit code. */
export async function lintPolicy(options: CommonOptions, ports: PolicyPorts): Promise<number> {
  const findings = lint(await loadInForce(options, ports));
  const text = options.output === "json"
    ? `${JSON.stringify(findings)}\n`
    : findings.map(({ rule, place, message }) =>
      `${place}: ${rule}: ${recognise(message, ports.say)}\n`
    ).join("");
  await ports.terminal.out(text === "" ? `${ports.say("policy.no_remarks")}\n` : text);
  return findings.length > 0 ? EXIT.difference : EXIT.allow;
}

/** Looks at every rule that people wrote. */
export function lint(policy: Policy): LintFinding[] {
  return policy.rules.filter(({ layer }) => layer !== "built-in").flatMap((rule) =>
    remarks(rule, policy).map((message) => ({
      rule: rule.id,
      place: `${rule.source}:${rule.line}`,
      message,
    }))
  );
}

function remarks(rule: Rule, policy: Policy): string[] {
  return [...unmatchable(rule), ...shadowed(rule, policy), ...tooWide(rule)];
}

function unmatchable(rule: Rule): string[] {
  const conditions = ["programs", "paths", "hosts", "intents", "tools", "signals"] as const;
  if (conditions.every((name) => rule[name] === null)) {
    return ["It names no program, path, host, intent, tool or signal, so it can't match"];
  }
  const empty = (["programs", "hosts", "intents", "tools", "signals"] as const)
    .find((name) => rule[name]?.length === 0);
  if (empty !== undefined) return [`Its list of ${empty} is empty, so it can't match`];
  if (rule.tools !== null && conditions.some((name) => name !== "tools" && rule[name] !== null)) {
    return ["It names tools, so nothing else counts of it to ask or deny, and it allows nothing"];
  }
  const clash = rule.unless?.find((flag) => rule.needs?.some((need) => need === flag));
  return clash === undefined ? [] : [`It needs ${clash} and excepts it, so it can't match`];
}

function shadowed(rule: Rule, { rules, defaults }: Policy): string[] {
  if (rule.decision !== "allow") return [];
  if (rule.layer === "project") {
    return ["A policy in the working directory can't loosen anything, so this allows nothing new"];
  }
  const fallback = defaults[rule.programs !== null ? "execute" : "read"];
  const found: string[] = [];
  if (
    fallback.decision !== "allow" && fallback.layer !== rule.layer &&
    !mayLoosen(rule.layer, fallback)
  ) {
    found.push(`The default of ${fallback.source} may not be loosened here, so this has no effect`);
  }
  const stronger = rules.find((other) =>
    other.decision !== "allow" && covers(other, rule) && !mayLoosen(rule.layer, other)
  );
  if (stronger) found.push(`Rule "${stronger.id}" always decides more strictly`);
  return found;
}

/** Whether another rule has no condition beyond programs that this one has too. */
function covers(other: Rule, rule: Rule): boolean {
  const plain = [other.subcommands, other.flags, other.needs, other.args, other.paths, other.hosts]
    .every((condition) => condition === null) && other.signals === null;
  return plain && other.programs !== null && rule.programs !== null &&
    rule.programs.every((name) => other.programs?.includes(name));
}

function tooWide(rule: Rule): string[] {
  if (rule.decision !== "allow" || rule.programs === null) return [];
  const found: string[] = [];
  if (rule.programs.some((name) => name.includes("*"))) {
    found.push("A pattern of programs allows programs that nobody has thought of");
  }
  const running = rule.programs.filter(runsOthers);
  if (running.length > 0) {
    found.push(`${running.join(", ")} can run other programs: allow what they are to run instead`);
  }
  const unknown = rule.programs.filter((name) => !name.includes("*") && programSpec(name) === null);
  if (unknown.length > 0 && rule.flags === null) {
    found.push(`Nothing is known of ${unknown.join(", ")}: list the flags that it may be given`);
  }
  return found;
}

const RUNNING: ReadonlySet<string> = new Set([
  ...[
    "shell",
    "interpreter",
    "env",
    "su",
    "xargs",
    "parallel",
    "watch",
    "script",
    "opaque-wrapper",
  ],
  ...["remote", "container", "foreign", "at", "setarch"],
]);

function runsOthers(name: string): boolean {
  const spec = programSpec(name);
  return spec?.runs !== undefined || RUNNING.has(spec?.analyze ?? "") || name === "make";
}
