/**
 * Judges calls: every simple command in a script, every path, host and intent.
 *
 * @module
 */
import type {
  Decision,
  EvaluatedPart,
  Evaluation,
  Judge,
  JudgeRequest,
  RuleMatch,
  Subject,
} from "../types.ts";
import { Decider } from "./decide.ts";
import { bareFinding, type Finding } from "./facts.ts";
import { stricter } from "./join.ts";
import type { PathWorld } from "./paths.ts";
import { resolveWord } from "./paths.ts";
import { findCommands } from "./shell/walk.ts";
import type { Policy } from "./types.ts";

/** What judging needs to know of the machine. */
export interface World {
  readonly cwd: string;
  readonly home: string | null;
  /** The path with links resolved, or null where it can't be known. */
  realPath(path: string): string | null;
}

/** A decision of the engine itself, where no rule can speak. */
export function ownMatch(rule: string, decision: Decision, reason: string): RuleMatch {
  return { rule, decision, reason, suggest: null, matched: "", span: null };
}

/** Builds the judge of a policy; the judge is pure and never throws. */
export function createJudge(policy: Policy, world: World): Judge {
  const paths: PathWorld = {
    home: world.home ?? "/root",
    cwd: world.cwd,
    realPath: (path) => world.realPath(path),
  };
  const decider = new Decider(policy, paths);
  return (request) => {
    try {
      return combine(judgeRequest(request, { policy, world, paths, decider }));
    } catch (error) {
      const reason = `The policy engine failed: ${error instanceof Error ? error.message : error}`;
      return combine([partOf(request.tool, ownMatch("rein.failure", "ask", reason))]);
    }
  };
}

interface Bench {
  readonly policy: Policy;
  readonly world: World;
  readonly paths: PathWorld;
  readonly decider: Decider;
}

function judgeRequest(request: JudgeRequest, bench: Bench): EvaluatedPart[] {
  const parts = request.subjects.length === 0
    ? [judgeEffect(request, bench)]
    : request.subjects.flatMap((subject) => judgeSubject(subject, bench));
  if (request.subjects.some(({ kind }) => kind === "tool")) return parts;
  const named = bench.decider.decideName(request.tool);
  return named === null ? parts : [...parts, named];
}

/** A call that touches nothing known is judged by its effect alone. */
function judgeEffect(request: JudgeRequest, { policy }: Bench): EvaluatedPart {
  if (request.effect === "read") {
    return partOf(request.tool, ownMatch("rein.pure", "allow", "It touches nothing"));
  }
  const { decision } = policy.defaults[request.effect];
  const reason = "It does not say what it touches";
  return partOf(request.tool, ownMatch("rein.no-subject", stricter("ask", decision), reason));
}

function judgeSubject(subject: Subject, bench: Bench): EvaluatedPart[] {
  const { decider, world, paths } = bench;
  switch (subject.kind) {
    case "command": {
      const parts = findCommands(subject.command, paths)
        .flatMap((finding) => counted(finding, decider.decide(finding, subject.command)));
      if (parts.length > 0) return parts;
      const reason = "Nothing could be extracted from it";
      return [partOf(subject.command, ownMatch("rein.empty", "ask", reason))];
    }
    case "path": {
      const path = resolveWord(subject.path, world.cwd);
      const access = { kind: subject.access, word: subject.path, path, recursive: false };
      return [decider.decide({ ...bare(subject.path), accesses: [access] }, subject.path)];
    }
    case "host": {
      const { host } = subject;
      // Leave to reach a host is no leave to change something there.
      const signals = subject.access === "write"
        ? [{ name: "sends-data" as const, detail: host }]
        : [];
      return [decider.decide({ ...bare(host), hosts: [host], signals }, host)];
    }
    case "intent":
      return [decider.decideIntent(subject)];
    case "tool":
      return [decider.decideTool(subject)];
  }
}

/** Of a guess only a denial counts. */
function counted(finding: Finding, part: EvaluatedPart): EvaluatedPart[] {
  return finding.hypothetical && part.decision !== "deny" ? [] : [part];
}

function bare(text: string): Finding {
  return bareFinding(text, { start: 0, end: text.length });
}

function partOf(text: string, match: RuleMatch): EvaluatedPart {
  return { text, span: null, decision: match.decision, matches: [match] };
}

function combine(parts: readonly EvaluatedPart[]): Evaluation {
  if (parts.length === 0) return { decision: "ask", parts };
  const decision = parts.reduce<Decision>((worst, part) => stricter(worst, part.decision), "allow");
  return { decision, parts };
}
