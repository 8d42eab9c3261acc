/**
 * A loaded policy: rules in force, in the shape that matching needs.
 *
 * @module
 */
import type { Decision } from "../types.ts";

/** Whose word a policy source is; later layers can tighten earlier ones. */
export type Layer = "built-in" | "system" | "user" | "project" | "command-line";

/** One rule of a policy. An empty list is no condition. */
export interface Rule {
  readonly id: string;
  readonly decision: Decision;
  readonly programs: readonly string[];
  readonly subcommands: readonly string[];
  readonly paths: readonly string[];
  readonly reason: string;
  readonly suggest: string | null;
  /** The source that it comes from, as people should see it. */
  readonly source: string;
  readonly layer: Layer;
}

/** All rules in force. */
export interface Policy {
  readonly rules: readonly Rule[];
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
