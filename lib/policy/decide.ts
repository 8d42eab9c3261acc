/**
 * Decides on one finding: grants of allow rules, defaults for what is left, ask
 * and deny rules on top, and the strictest of it all.
 *
 * @module
 */
import type { Decision, Effect, EvaluatedPart, RuleMatch, Span, Subject } from "../types.ts";
import { type AccessKind, bareFinding, type Finding, type Signal } from "./facts.ts";
import { byStrictness, isLater, mayLoosen } from "./join.ts";
import { coversIntent } from "./intents.ts";
import { readable } from "./marks.ts";
import {
  CompiledRule,
  type Grant,
  type Judged,
  matchAllow,
  matchStrict,
  prepare,
} from "./match.ts";
import type { PathWorld } from "./paths.ts";
import { describeSignal } from "./signals.ts";
import { allowsTool, namesTool, toolDefaults } from "./tools.ts";
import type { Policy, Rule } from "./types.ts";

/**
 * The same default is told of this many paths or hosts of one command: more do not change
 * the decision, and finding each one's place takes quadratic time.
 */
const MAX_DEFAULTS = 256;

type IntentSubject = Extract<Subject, { readonly kind: "intent" }>;

/** Decides by one policy. */
export class Decider {
  /** Rules that name programs, by name; the others under the empty name. */
  readonly #strict = new Map<string, CompiledRule[]>();
  readonly #allowing = new Map<string, CompiledRule[]>();

  constructor(readonly policy: Policy, readonly world: PathWorld) {
    for (const rule of policy.rules) {
      const index = rule.decision === "allow" ? this.#allowing : this.#strict;
      addToIndex(index, new CompiledRule(rule, world));
    }
  }

  /** Decides on a finding in a text. */
  decide(finding: Finding, text: string): EvaluatedPart {
    const judged = prepare(finding, this.world);
    const grants: Grant[] = [];
    for (const rule of fromIndex(this.#allowing, finding)) {
      const grant = matchAllow(rule, judged);
      if (grant !== null) grants.push(grant);
    }
    const place: Place = { finding, text };
    const matches = [
      ...this.#strictMatches(judged, grants, place),
      ...this.#defaultMatches(finding, grants, place),
      ...grants.map((grant) => matchOf(grant.rule, readable(finding.program ?? ""), place)),
    ].toSorted((first, second) => byStrictness(first.decision, second.decision));
    if (matches.length === 0) matches.push(NOTHING);
    return {
      text: readable(finding.text),
      span: finding.span,
      decision: matches[0]?.decision ?? "ask",
      matches,
    };
  }

  /** Decides on a task for a business agent; what is not known to read may change something. */
  decideIntent({ agent, intent, access = "write" }: IntentSubject): EvaluatedPart {
    const name = `${agent}/${intent}`;
    const matching = this.policy.rules.filter((rule) => coversIntent(rule, name, access));
    const fallback = this.policy.defaults.delegate;
    const allowed = matching.filter((rule) =>
      rule.decision === "allow" &&
      (!isLater(rule.layer, fallback.layer) || mayLoosen(rule.layer, fallback))
    );
    const strict = matching.filter((rule) =>
      rule.decision !== "allow" && !allowed.some((other) => overrides(other, rule))
    );
    const place: Place = { finding: null, text: name };
    const matches = [...strict, ...allowed].map((rule) => matchOf(rule, name, place))
      .toSorted((first, second) => byStrictness(first.decision, second.decision));
    if (matches.length === 0) {
      matches.push(defaultMatch("delegate", fallback.decision, { matched: name, place }));
    }
    return { text: name, span: null, decision: matches[0]?.decision ?? "ask", matches };
  }

  /** Decides on a call of a tool that is not rein's own. */
  decideTool(subject: Subject & { readonly kind: "tool" }): EvaluatedPart {
    const { tool, host } = subject;
    const defaults = toolDefaults(subject)
      .map((effect) => [effect, this.policy.defaults[effect]] as const);
    const allowed = this.policy.rules.filter((rule) =>
      allowsTool(rule, tool) &&
      defaults.every(([, fallback]) =>
        !isLater(rule.layer, fallback.layer) || mayLoosen(rule.layer, fallback)
      )
    );
    const strict = [...this.#strictNames(tool), ...host === undefined ? [] : this.#ofHost(host)]
      .filter((rule) => !allowed.some((other) => overrides(other, rule)));
    const place: Place = { finding: null, text: tool };
    const matches = [...strict, ...allowed].map((rule) => matchOf(rule, tool, place));
    if (allowed.length === 0) {
      for (const [effect, { decision }] of defaults) {
        matches.push(defaultMatch(effect, decision, { matched: tool, place, tool: true }));
      }
    }
    const sorted = matches.toSorted((a, b) => byStrictness(a.decision, b.decision));
    return { text: tool, span: null, decision: sorted[0]?.decision ?? "ask", matches: sorted };
  }

  /** What rules say of one of rein's own tools by its name; null: nothing. */
  decideName(tool: string): EvaluatedPart | null {
    const place: Place = { finding: null, text: tool };
    const matches = this.#strictNames(tool).map((rule) => matchOf(rule, tool, place))
      .toSorted((first, second) => byStrictness(first.decision, second.decision));
    const [strictest] = matches;
    if (strictest === undefined) return null;
    return { text: tool, span: null, decision: strictest.decision, matches };
  }

  #strictNames(tool: string): Rule[] {
    return this.policy.rules.filter((rule) => rule.decision !== "allow" && namesTool(rule, tool));
  }

  /** The rules that ask about a host, or deny it. */
  #ofHost(host: string): Rule[] {
    const finding = { ...bareFinding(host, { start: 0, end: host.length }), hosts: [host] };
    const judged = prepare(finding, this.world);
    return fromIndex(this.#strict, finding)
      .filter((compiled) => compiled.rule.hosts !== null && matchStrict(compiled, judged) !== null)
      .map(({ rule }) => rule);
  }

  #strictMatches(judged: Judged, grants: readonly Grant[], place: Place): RuleMatch[] {
    const matches: RuleMatch[] = [];
    for (const compiled of fromIndex(this.#strict, judged.finding)) {
      const matched = matchStrict(compiled, judged);
      if (matched === null) continue;
      const loosened = grants.some((grant) =>
        overrides(grant.rule, compiled.rule) && covers(grant, compiled.rule, judged.finding)
      );
      if (!loosened) matches.push(matchOf(compiled.rule, readable(matched), place));
    }
    return matches;
  }

  #defaultMatches(finding: Finding, grants: readonly Grant[], place: Place): RuleMatch[] {
    const matches: RuleMatch[] = [];
    const told = new Map<Effect, number>();
    const note = (effect: Effect, matched: string, granted: (grant: Grant) => boolean) => {
      const count = told.get(effect) ?? 0;
      if (count >= MAX_DEFAULTS) return;
      const fallback = this.policy.defaults[effect];
      const free = grants.some((grant) =>
        granted(grant) &&
        (!isLater(grant.rule.layer, fallback.layer) || mayLoosen(grant.rule.layer, fallback))
      );
      if (free) return;
      told.set(effect, count + 1);
      matches.push(defaultMatch(effect, fallback.decision, { matched, place }));
    };
    if (finding.program !== null) note("execute", finding.program, (grant) => grant.command);
    for (const access of finding.accesses) {
      note(EFFECT_OF[access.kind], access.word, (grant) => grant.accesses.has(access));
    }
    for (const host of finding.hosts) note("network", host, (grant) => grant.hosts.has(host));
    for (const signal of finding.signals) {
      if (!grants.some((grant) => grant.signals.includes(signal))) {
        matches.push(signalMatch(signal, place));
      }
    }
    return matches;
  }
}

function addToIndex(index: Map<string, CompiledRule[]>, compiled: CompiledRule): void {
  const { programs } = compiled.rule;
  const general = programs === null || programs.some((name) => /[*?]|\[.+\]/.test(name));
  for (const name of general ? [""] : programs) {
    const list = index.get(name);
    if (list === undefined) index.set(name, [compiled]);
    else list.push(compiled);
  }
}

function fromIndex(
  index: ReadonlyMap<string, readonly CompiledRule[]>,
  { program }: Finding,
): readonly CompiledRule[] {
  const general = index.get("") ?? [];
  const named = program === null ? undefined : index.get(program);
  return named === undefined ? general : [...named, ...general];
}

const EFFECT_OF: Readonly<Record<AccessKind, Effect>> = {
  list: "read",
  read: "read",
  write: "write",
  destroy: "write",
};

interface Place {
  readonly finding: Finding | null;
  readonly text: string;
}

const NOTHING: RuleMatch = {
  rule: "rein.nothing",
  decision: "allow",
  reason: "It changes nothing outside the shell",
  suggest: null,
  matched: "",
  span: null,
};

/** Whether an allow rule may set aside another rule. */
function overrides(allow: Rule, other: Rule): boolean {
  return isLater(allow.layer, other.layer) && mayLoosen(allow.layer, other);
}

/** Whether a grant answers everything that a rule is about. */
function covers(grant: Grant, rule: Rule, finding: Finding): boolean {
  if (rule.programs !== null && !grant.command) return false;
  if (rule.paths !== null && grant.accesses.size < finding.accesses.length) return false;
  if (rule.hosts !== null && !finding.hosts.every((host) => grant.hosts.has(host))) return false;
  return rule.signals === null ||
    finding.signals.every((signal) => grant.signals.includes(signal));
}

function matchOf(rule: Rule, matched: string, place: Place): RuleMatch {
  const { id, decision, reason, suggest } = rule;
  return { rule: id, decision, reason, suggest, matched, span: spanOf(matched, place) };
}

/** A piece is looked for in so many characters of a finding; behind them the whole is shown. */
const MAX_SEARCHED = 10_000;

/** Where a piece stands in a finding's own text, else where the finding stands. */
function spanOf(matched: string, { finding, text }: Place): Span | null {
  const whole = finding?.span ?? null;
  if (whole === null || matched === "") return whole;
  const end = Math.min(whole.end, whole.start + MAX_SEARCHED);
  const at = text.slice(whole.start, end).indexOf(matched);
  return at < 0 ? whole : { start: whole.start + at, end: whole.start + at + matched.length };
}

const REASONS: Readonly<Record<Effect, string>> = {
  read: "No rule allows reading this",
  write: "No rule allows writing this",
  execute: "No rule allows this command as it stands",
  network: "No rule allows speaking to this host",
  delegate: "No rule allows delegating this",
};

/** Of tools that are not rein's own. */
const TOOL_REASON = "No rule allows this tool, and its owner does not say that it only reads";

function defaultMatch(
  effect: Effect,
  decision: Decision,
  { matched, place, tool = false }: { matched: string; place: Place; tool?: boolean },
): RuleMatch {
  return {
    rule: `default.${effect}`,
    decision,
    reason: decision === "allow"
      ? "The policy allows this by default"
      : tool
      ? TOOL_REASON
      : REASONS[effect],
    suggest: null,
    matched: readable(matched),
    span: spanOf(readable(matched), place),
  };
}

function signalMatch(signal: Signal, place: Place): RuleMatch {
  return {
    rule: `signal.${signal.name}`,
    decision: "ask",
    reason: describeSignal(signal.name),
    suggest: null,
    matched: readable(signal.detail),
    span: spanOf(readable(signal.detail), place),
  };
}
