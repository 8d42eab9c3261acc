/**
 * Judges calls: every simple command in a script, every path, host and intent.
 *
 * @module
 */
import { type Command, forEachChild, parse, type SyntaxNode, type Word } from "unbash";
import type {
  Decision,
  EvaluatedPart,
  Evaluation,
  Judge,
  JudgeRequest,
  RuleMatch,
  Span,
  Subject,
} from "../types.ts";
import { matchesAny, resolvePath } from "./paths.ts";
import type { Policy, Rule } from "./types.ts";

/** What judging needs to know of the machine. */
export interface World {
  readonly cwd: string;
  readonly home: string | null;
  /** The path with links resolved, or null where it can't be known. */
  realPath(path: string): string | null;
}

const STRICTNESS: Record<Decision, number> = { allow: 0, ask: 1, deny: 2 };
/** Longer scripts are not read; no published one-liner comes near it. */
const MAX_CHARS = 100_000;

/** Builds the judge of a policy; the judge is pure and never throws. */
export function createJudge(policy: Policy, world: World): Judge {
  return (request) => {
    try {
      return combine(judgeRequest(request, policy, world));
    } catch {
      return combine([single("ask", request.tool, null, note("engine.failure", "ask"))]);
    }
  };
}

function judgeRequest(request: JudgeRequest, policy: Policy, world: World): EvaluatedPart[] {
  if (request.subjects.length === 0) {
    const decision = request.effect === "read" ? "allow" : "ask";
    return [single(decision, request.tool, null, note("default.effect", decision))];
  }
  return request.subjects.flatMap((subject) => judgeSubject(subject, policy, world));
}

function judgeSubject(subject: Subject, policy: Policy, world: World): EvaluatedPart[] {
  switch (subject.kind) {
    case "command":
      return judgeCommand(subject.command, policy, world);
    case "path": {
      const matches = pathMatches([subject.path], policy.rules, world);
      const fallback = subject.access === "read" ? "allow" : "ask";
      return [part(subject.path, null, [...matches, note("default.path", fallback)])];
    }
    case "host":
      return [single("ask", subject.host, null, note("default.host", "ask"))];
    case "intent":
      return [single("ask", subject.intent, null, note("default.intent", "ask"))];
  }
}

function judgeCommand(text: string, policy: Policy, world: World): EvaluatedPart[] {
  if (text.length > MAX_CHARS) return [single("ask", "", null, note("engine.too-long", "ask"))];
  const script = parse(text);
  const parts: EvaluatedPart[] = [];
  let plain = script.errors === undefined;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command") parts.push(judgeSimple(node, { text, policy, world }));
    else if (!PLAIN_NODES.has(node.type)) plain = false;
    forEachChild(node, visit);
  };
  visit(script);
  if (!plain || parts.length === 0) {
    parts.push(single("ask", text, null, note("engine.not-plain", "ask")));
  }
  return parts;
}

const PLAIN_NODES: ReadonlySet<string> = new Set([
  ...["Script", "Statement", "Pipeline", "AndOr", "Word", "Literal", "SingleQuoted"],
  ...["DoubleQuoted", "AnsiCQuoted", "Glob", "Redirect", "FileDescriptor"],
]);

function judgeSimple(
  command: Command,
  { text, policy, world }: { text: string; policy: Policy; world: World },
): EvaluatedPart {
  const words = [command.name, ...command.args].map((word) =>
    word?.type === "Word" ? plainText(word) : null
  );
  const known = words.filter((word): word is string => word !== null);
  const program = (known[0] ?? "").split("/").at(-1) ?? "";
  const files = [...known.slice(1), ...redirected(command)];
  const strict = policy.rules.filter((rule) =>
    rule.decision !== "allow" &&
    (rule.programs.length === 0 || rule.programs.includes(program) ||
      rule.programs.includes(program.split(".")[0] ?? ""))
  );
  const matches = [
    ...strict.filter((rule) => rule.paths.length === 0).map((rule) => matchOf(rule, program)),
    ...pathMatches(files, strict, world),
  ];
  const allowance = words.length === known.length && isPlain(command)
    ? policy.rules.find((rule) => allows(rule, known))
    : undefined;
  const base = allowance ? matchOf(allowance, program) : note("default.command", "ask");
  const span = { start: command.pos, end: command.end };
  return part(text.slice(span.start, span.end), span, [...matches, base]);
}

function isPlain(command: Command): boolean {
  return command.prefix.length === 0 &&
    command.redirects.every((redirect) =>
      redirect.type === "Redirect" &&
      (redirect.operator === "<" || redirect.target?.text === "/dev/null" ||
        (redirect.operator === ">&" && /^[0-9-]$/.test(redirect.target?.text ?? "")))
    );
}

function redirected(command: Command): string[] {
  return command.redirects.flatMap((redirect) =>
    redirect.type === "Redirect" && redirect.target ? [plainText(redirect.target) ?? "/"] : []
  );
}

function allows(rule: Rule, [program, ...args]: readonly string[]): boolean {
  if (rule.decision !== "allow" || program === undefined) return false;
  if (!rule.programs.includes(program)) return false;
  if (args.some((arg) => /^--(out|ext|textconv|compile)/.test(arg))) return false;
  return rule.subcommands.length === 0 || rule.subcommands.includes(args[0] ?? "");
}

/** The text of a word without expansions, or null. */
function plainText(word: Word): string | null {
  const plain =
    word.parts?.every((part) =>
      part.type === "DoubleQuoted"
        ? part.parts.every((inner) => inner.type === "Literal")
        : ["Literal", "SingleQuoted", "AnsiCQuoted", "Glob"].includes(part.type)
    ) ?? true;
  return plain ? word.value : null;
}

function pathMatches(files: readonly string[], rules: readonly Rule[], world: World): RuleMatch[] {
  const paths = files.map((file) => ({ file, path: resolvePath(file, world) }));
  return rules.filter((rule) => rule.decision !== "allow" && rule.paths.length > 0)
    .flatMap((rule) =>
      paths.filter(({ path }) => matchesAny(path, rule.paths, world))
        .map(({ file }) => matchOf(rule, file))
    );
}

function matchOf(rule: Rule, matched: string): RuleMatch {
  const { id, decision, reason, suggest } = rule;
  return { rule: id, decision, reason, suggest, matched, span: null };
}

function note(rule: string, decision: Decision): RuleMatch {
  const reason = decision === "allow" ? "Nothing here is changed" : "No rule allows this";
  return { rule, decision, reason, suggest: null, matched: "", span: null };
}

function single(decision: Decision, text: string, span: Span | null, match: RuleMatch) {
  return { text, span, decision, matches: [match] };
}

function part(text: string, span: Span | null, matches: readonly RuleMatch[]): EvaluatedPart {
  const sorted = matches.toSorted((a, b) => STRICTNESS[b.decision] - STRICTNESS[a.decision]);
  return { text, span, decision: sorted[0]?.decision ?? "ask", matches: sorted };
}

function combine(parts: readonly EvaluatedPart[]): Evaluation {
  const decision = parts.reduce<Decision>(
    (worst, { decision }) => STRICTNESS[decision] > STRICTNESS[worst] ? decision : worst,
    parts.length === 0 ? "ask" : "allow",
  );
  return { decision, parts };
}
