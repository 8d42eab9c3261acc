/**
 * Policies: what a source says, and the joined policy that calls are judged by.
 *
 * @module
 */
import type { TextLimits } from "../results/text_limits.ts";
import type { Decision, Effect } from "../types.ts";
import type { AuditTerms } from "./audit.ts";
import type { AccessKind, SignalName } from "./facts.ts";

/** Whose word a policy source is, earliest first; later ones tighten earlier ones. */
export const LAYERS = ["built-in", "system", "user", "project", "command-line"] as const;

/** Whose word a policy source is. */
export type Layer = typeof LAYERS[number];

/** The text of one policy and whose word it is. */
export interface PolicySource {
  /** Its path, or "built in: ops"; shown to people. */
  readonly name: string;
  readonly layer: Layer;
  /** YAML; the built-in ones come as JSON, which is YAML too. */
  readonly text: string;
}

/** The paths of a rule, by what is done to them. */
export type RulePaths = Readonly<Partial<Record<AccessKind, readonly string[]>>>;

/** Commands that a rule must match, and commands that it must not. */
export interface RuleExamples {
  readonly match: readonly string[];
  readonly not: readonly string[];
}

/** One rule of a policy. Null is no condition; an empty list admits nothing. */
export interface Rule {
  readonly id: string;
  readonly decision: Decision;
  /** Base names; `*` stands for any characters. */
  readonly programs: readonly string[] | null;
  /** Leading operands; `*` stands for any characters in a word. */
  readonly subcommands: readonly string[] | null;
  /** To allow: the only options admitted. Else: one of these must be given. */
  readonly flags: readonly string[] | null;
  /** Every one of these must be given; `-a|--all` are alternatives. */
  readonly needs: readonly string[] | null;
  /** None of these may be given. */
  readonly unless: readonly string[] | null;
  /** To allow: every other operand is one of these. Else: one of them is. */
  readonly args: readonly string[] | null;
  readonly paths: RulePaths | null;
  readonly hosts: readonly string[] | null;
  /** Intents of business agents, as `agent/intent`. */
  readonly intents: readonly string[] | null;
  /** `read`: only intents that read. `write`: only those that may change something. */
  readonly access: "read" | "write" | null;
  /** Names of tools; `*` stands for any characters. To allow: tools of MCP servers alone. */
  readonly tools: readonly string[] | null;
  /** Names of what the engine recognises. */
  readonly signals: readonly SignalName[] | null;
  readonly reason: string;
  /** What to do instead, for the model; null if there is nothing to say. */
  readonly suggest: string | null;
  readonly examples: RuleExamples;
  /** The layers that may loosen this rule. */
  readonly loosenedBy: readonly Layer[];
  /** Where it comes from, as people should see it. */
  readonly source: string;
  readonly layer: Layer;
  /** The line in the source, from 1; 0 where it has none. */
  readonly line: number;
}

/** What is decided where no rule speaks. */
export interface Default {
  readonly decision: Decision;
  readonly loosenedBy: readonly Layer[];
  readonly source: string;
  readonly layer: Layer;
}

/** What a policy says of the walls around tools; what is left out is not restricted by it. */
export interface Walls {
  /** Paths that tools may read, absolute or from the working directory. */
  readonly read?: readonly string[];
  /** Paths that tools may write. */
  readonly write?: readonly string[];
  /** Hosts that tools may reach; `*` is all of them. */
  readonly net?: readonly string[];
  /** Who runs commands: programs of the machine, or bash inside rein. */
  readonly shell?: "host" | "contained";
  /** What stands around programs of the machine. */
  readonly sandbox?: "none" | "bubblewrap";
  /** Whether a run that serves a task of another agent may delegate in turn. */
  readonly recursive?: boolean;
}

/** All rules in force. */
export interface Policy {
  readonly rules: readonly Rule[];
  readonly defaults: Readonly<Record<Effect, Default>>;
  readonly walls: Walls;
  /** How much of texts is kept, by tool and field. */
  readonly limits: TextLimits;
  /** Where and how runs are audited. */
  readonly audit: AuditTerms;
}

/** A policy source can't be used; says where and why. */
export class PolicyError extends SyntaxError {
  override readonly name = "PolicyError";
  /** The source, as people know it. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;

  constructor(message: string, at: { file: string; line: number; column: number }) {
    super(`${at.file}:${at.line}:${at.column}: ${message}`);
    this.file = at.file;
    this.line = at.line;
    this.column = at.column;
  }
}
