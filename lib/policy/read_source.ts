/**
 * Turns the checked content of a policy source into rules.
 *
 * @module
 */
import type { TextLimits } from "../results/text_limits.ts";
import type { Decision, Effect } from "../types.ts";
import type { AuditTerms } from "./audit.ts";
import type { AccessKind, SignalName } from "./facts.ts";
import type { Layer, PolicySource, Rule, RulePaths, Walls } from "./types.ts";

/** What one source says. */
export interface SourceContent {
  readonly source: PolicySource;
  readonly rules: readonly Rule[];
  readonly defaults: Readonly<Partial<Record<Effect, Decision>>>;
  readonly loosenedBy: readonly Layer[];
  readonly walls: Walls;
  readonly limits: TextLimits;
  readonly audit: AuditTerms;
}

/** Reads a source that is not built in. */
export type SourceReader = (source: PolicySource) => SourceContent;

/** The shape that the schema admits. */
interface RawPolicy {
  readonly defaults?: Readonly<Partial<Record<Effect, Decision>>>;
  readonly may_be_loosened_by?: readonly Layer[];
  readonly grants?: Pick<Walls, "read" | "write" | "net">;
  readonly shell?: Walls["shell"];
  readonly sandbox?: Walls["sandbox"];
  readonly recursive?: boolean;
  readonly limits?: TextLimits;
  readonly audit?: AuditTerms;
  readonly rules?: readonly RawRule[];
}

interface RawRule {
  readonly id: string;
  readonly decision: Decision;
  readonly programs?: readonly string[];
  readonly subcommands?: readonly string[];
  readonly flags?: readonly string[];
  readonly needs?: readonly string[];
  readonly unless?: readonly string[];
  readonly args?: readonly string[];
  readonly paths?: readonly string[] | RulePaths;
  readonly hosts?: readonly string[];
  readonly intents?: readonly string[];
  readonly access?: "read" | "write";
  readonly tools?: readonly string[];
  readonly signals?: readonly SignalName[];
  readonly reason: string;
  readonly suggest?: string;
  readonly examples?: { readonly match?: readonly string[]; readonly not?: readonly string[] };
  readonly may_be_loosened_by?: readonly Layer[];
}

/**
 * Reads content that the schema admits.
 *
 * @param lineOf The line of a rule by its index, from 1.
 */
export function readContent(
  content: unknown,
  source: PolicySource,
  lineOf: (index: number) => number = () => 0,
): SourceContent {
  const policy = content as RawPolicy;
  const loosenedBy = policy.may_be_loosened_by ?? [];
  return {
    source,
    defaults: policy.defaults ?? {},
    loosenedBy,
    walls: readWalls(policy, source.layer),
    limits: policy.limits ?? {},
    audit: policy.audit ?? {},
    rules: (policy.rules ?? []).map((rule, index) =>
      readRule(rule, { source, loosenedBy, line: lineOf(index) })
    ),
  };
}

function readWalls({ grants, shell, sandbox, recursive }: RawPolicy, layer: Layer): Walls {
  // What lies in the working directory never loosens.
  const heard = recursive === undefined || (recursive && layer === "project") ? {} : { recursive };
  return {
    ...grants,
    ...(shell === undefined ? {} : { shell }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...heard,
  };
}

function readRule(
  rule: RawRule,
  { source, loosenedBy, line }: {
    source: PolicySource;
    loosenedBy: readonly Layer[];
    line: number;
  },
): Rule {
  return {
    id: rule.id,
    decision: rule.decision,
    programs: rule.programs ?? null,
    subcommands: rule.subcommands ?? null,
    flags: rule.flags ?? null,
    needs: rule.needs ?? null,
    unless: rule.unless ?? null,
    args: rule.args ?? null,
    paths: rule.paths === undefined ? null : readPaths(rule.paths),
    hosts: rule.hosts ?? null,
    intents: rule.intents ?? null,
    access: rule.access ?? null,
    tools: rule.tools ?? null,
    signals: rule.signals ?? null,
    reason: rule.reason,
    suggest: rule.suggest ?? null,
    examples: { match: rule.examples?.match ?? [], not: rule.examples?.not ?? [] },
    loosenedBy: rule.may_be_loosened_by ?? loosenedBy,
    source: source.name,
    layer: source.layer,
    line,
  };
}

/** A plain list means every kind of access but looking at names. */
function readPaths(paths: readonly string[] | RulePaths): RulePaths {
  if (!Array.isArray(paths)) return paths as RulePaths;
  const kinds: readonly AccessKind[] = ["read", "write", "destroy"];
  return Object.fromEntries(kinds.map((kind) => [kind, paths as readonly string[]]));
}
