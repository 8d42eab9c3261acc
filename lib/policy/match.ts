/**
 * Matches rules with findings: ask and deny see through everything, allow needs
 * the whole plain form.
 *
 * @module
 */
import { starredSource } from "../patterns.ts";
import type { Access, AccessKind, Finding, Signal } from "./facts.ts";
import { isKnown, mayBeWords } from "./marks.ts";
import {
  compilePathPatterns,
  matchesPatterns,
  type PathForms,
  pathForms,
  type PathPatterns,
  type PathWorld,
} from "./paths.ts";
import type { Rule } from "./types.ts";

/** Answers about paths that a rule remembers. */
const MAX_REMEMBERED = 1_000;

/** Verbs of changes that no service is called after. */
const PLAIN_VERBS =
  "add|apply|attach|cancel|create|delete|destroy|detach|disable|drain|drop|enable|evict|install|kill|patch|promote|purge|put|reboot|recreate|remove|rename|replace|reset|resize|restart|restore|resume|revoke|rm|rollback|scale|set|start|stop|suspend|terminate|uninstall|unset|update|upgrade";
const NO_PLAIN_VERB = new RegExp(`^(?!(?:${PLAIN_VERBS})(?:-|$)).*$`, "s");
const NO_VERB = new RegExp(
  `^(?!(?:${PLAIN_VERBS}|copy|cp|deploy|execute|import|invoke|mv|push|run|send|ssh|sync|trigger|upload|write)(?:-|$)).*$`,
  "s",
);

/** A rule whose patterns are compiled when they are first needed. */
export class CompiledRule {
  readonly #cache = new Map<string, unknown>();
  readonly #matched = new Map<string, boolean>();
  readonly needs: readonly (readonly string[])[];

  constructor(readonly rule: Rule, readonly world: PathWorld) {
    this.needs = rule.needs?.map((need) => need.split("|")) ?? [];
  }

  #once<T>(name: string, compile: () => T): T {
    if (!this.#cache.has(name)) this.#cache.set(name, compile());
    return this.#cache.get(name) as T;
  }

  get programs(): readonly RegExp[] | null {
    return this.#once("programs", () => this.rule.programs?.map(glob) ?? null);
  }

  get subcommands(): readonly (readonly RegExp[])[] | null {
    return this.#once(
      "subcommands",
      () => this.rule.subcommands?.map((words) => words.split(" ").map(this.#word, this)) ?? null,
    );
  }

  /** In what allows, a star among subcommands stands for a noun, never for a verb. */
  #word(pattern: string, index: number): RegExp {
    if (pattern !== "*" || this.rule.decision !== "allow") return glob(pattern);
    return index === 0 ? NO_PLAIN_VERB : NO_VERB;
  }

  get args(): readonly RegExp[] | null {
    return this.#once("args", () => this.rule.args?.map(glob) ?? null);
  }

  get hosts(): readonly RegExp[] | null {
    return this.#once("hosts", () => this.rule.hosts?.map(glob) ?? null);
  }

  /** Whether a path in its forms is what the rule means; remembers a while. */
  matchesPath(access: Access, forms: PathForms): boolean {
    const patterns = this.paths(access.kind);
    if (patterns === null) return false;
    const key = `${access.kind} ${access.recursive} ${forms.join("\n")}`;
    const known = this.#matched.get(key);
    if (known !== undefined) return known;
    const matches = matchesPatterns(forms, patterns, access);
    if (this.#matched.size >= MAX_REMEMBERED) this.#matched.clear();
    this.#matched.set(key, matches);
    return matches;
  }

  /** The patterns of paths for one kind of access, or null if there are none. */
  paths(kind: AccessKind): PathPatterns | null {
    const texts = this.rule.paths?.[kind];
    if (texts === undefined) return null;
    return this.#once(`paths ${kind}`, () => compilePathPatterns(texts, this.world));
  }
}

/** A finding with the forms of its paths. */
export interface Judged {
  readonly finding: Finding;
  readonly forms: ReadonlyMap<Access, PathForms>;
}

/** A pattern in which `*` stands for any characters, `?` for one, `[0-9]` for one of a set. */
function glob(pattern: string): RegExp {
  const texts = [""];
  for (const [piece] of pattern.matchAll(/\[[^\]]+\]|[^]/g)) {
    if (piece === "*") texts.push("");
    else texts.push(`${texts.pop()}${pieceSource(piece)}`);
  }
  let groups = 0;
  return new RegExp(`^${starredSource(texts, ".", () => ++groups)}$`, "s");
}

function pieceSource(piece: string): string {
  if (piece.length > 1) return piece;
  return piece === "?" ? "." : piece.replace(/[.+^${}()|[\]\\]/, "\\$&");
}

/** Prepares a finding for matching. */
export function prepare(finding: Finding, world: PathWorld): Judged {
  const forms = new Map(
    finding.accesses.map((access) => [access, pathForms(access.path, access.kind, world)]),
  );
  return { finding, forms };
}

/** The piece of a finding that an ask or deny rule matches, or null. */
export function matchStrict(compiled: CompiledRule, judged: Judged): string | null {
  const { rule } = compiled;
  const { finding } = judged;
  if (isNamed(rule) || lacksSubject(rule, finding)) return null;
  const command = matchCommand(compiled, finding);
  if (command === null) return null;
  const path = rule.paths === null ? "" : matchPath(compiled, judged);
  const host = rule.hosts === null ? "" : finding.hosts.find((one) => some(compiled.hosts, one));
  const signal = rule.signals === null
    ? undefined
    : finding.signals.find(({ name }) => rule.signals?.includes(name));
  if (path === null || host === undefined) return null;
  if (rule.signals !== null && signal === undefined) return null;
  return path || host || signal?.detail || command;
}

/** Whether a rule is about intents or tools, and so about no finding. */
function isNamed({ intents, tools }: Rule): boolean {
  return intents !== null || tools !== null;
}

/** Whether a finding has nothing of what a rule is about; most rules end here. */
function lacksSubject(rule: Rule, finding: Finding): boolean {
  return rule.paths !== null && finding.accesses.length === 0 ||
    rule.signals !== null && finding.signals.length === 0 ||
    rule.hosts !== null && finding.hosts.length === 0;
}

function some(patterns: readonly RegExp[] | null, text: string): boolean {
  return patterns?.some((pattern) => pattern.test(text)) ?? false;
}

function matchCommand(compiled: CompiledRule, finding: Finding): string | null {
  const { rule, programs, subcommands } = compiled;
  if (programs !== null && (finding.program === null || !some(programs, finding.program))) {
    return null;
  }
  const at = subcommands === null ? 0 : findSubcommand(subcommands, finding);
  if (at === null) return null;
  const given = (name: string) => finding.flags.some((flag) => flag.name === name);
  if (rule.flags !== null && !rule.flags.some(given)) return null;
  if (rule.unless?.some(given)) return null;
  if (!compiled.needs.every((names) => names.some(given))) return null;
  if (
    compiled.args !== null && !finding.operands.slice(at).some((word) => some(compiled.args, word))
  ) {
    return null;
  }
  return [finding.program ?? "", ...finding.operands.slice(0, at)].join(" ").trim();
}

/** Where the operands after a subcommand begin; unknown options may hide it. */
function findSubcommand(
  subcommands: NonNullable<CompiledRule["subcommands"]>,
  { operands, doubtful }: Finding,
): number | null {
  const last = doubtful.length === 0 ? 0 : Math.min(operands.length, 4);
  for (let start = 0; start <= last; start += 1) {
    for (const words of subcommands) {
      if (startsWith(operands, words, start)) return start + words.length;
    }
  }
  return null;
}

function startsWith(operands: readonly string[], words: readonly RegExp[], start: number): boolean {
  return words.every((word, index) => word.test(operands[start + index] ?? ""));
}

function matchPath(compiled: CompiledRule, { finding, forms }: Judged): string | null {
  const found = finding.accesses.find((access) => {
    return compiled.matchesPath(access, forms.get(access) ?? []);
  });
  return found?.word ?? null;
}

/** What an allow rule grants of a finding. */
export interface Grant {
  readonly rule: Rule;
  readonly command: boolean;
  readonly accesses: ReadonlySet<Access>;
  readonly hosts: ReadonlySet<string>;
  readonly signals: readonly Signal[];
}

/** What an allow rule grants, or null if it doesn't apply. */
export function matchAllow(compiled: CompiledRule, judged: Judged): Grant | null {
  const { rule } = compiled;
  const { finding } = judged;
  if (isNamed(rule)) return null;
  if (rule.programs !== null && !allowsCommand(compiled, finding)) return null;
  const accesses = grantedAccesses(compiled, judged);
  const hosts = new Set(
    finding.hosts.filter((host) => isKnown(host) && some(compiled.hosts, host)),
  );
  const signals = finding.signals.filter(({ name }) => rule.signals?.includes(name));
  if (rule.programs !== null) {
    const whole = (rule.paths === null || accesses.size === finding.accesses.length) &&
      (rule.hosts === null || finding.hosts.every((host) => hosts.has(host)));
    return whole ? { rule, command: true, accesses, hosts, signals } : null;
  }
  const any = accesses.size + hosts.size + signals.length > 0;
  return any ? { rule, command: false, accesses, hosts, signals } : null;
}

function allowsCommand(compiled: CompiledRule, finding: Finding): boolean {
  const { rule, programs, subcommands } = compiled;
  if (!finding.plain || finding.program === null || !some(programs, finding.program)) return false;
  const words = subcommands?.find((one) => startsWith(finding.operands, one, 0));
  if (subcommands !== null && words === undefined) return false;
  const flags = rule.flags;
  if (
    flags === null
      ? finding.doubtful.length > 0
      : !finding.flags.every(({ name }) => flags.includes(name))
  ) {
    return false;
  }
  const given = (name: string) => finding.flags.some((flag) => flag.name === name);
  if (!compiled.needs.every((names) => names.some(given)) || rule.unless?.some(given)) return false;
  if (compiled.args === null) return true;
  return finding.operands.slice(words?.length ?? 0)
    .every((word) => !mayBeWords(word) && some(compiled.args, word));
}

function grantedAccesses(compiled: CompiledRule, { finding, forms }: Judged): Set<Access> {
  if (compiled.rule.paths === null) return new Set();
  const granted = finding.accesses.filter((access) => {
    const patterns = compiled.paths(access.kind);
    if (patterns === null || !isKnown(access.path)) return false;
    return (forms.get(access) ?? []).every((form) =>
      patterns.positive.test(form) && !patterns.negative?.test(form)
    );
  });
  return new Set(granted);
}
