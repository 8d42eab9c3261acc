/**
 * What the files of word expansion share.
 *
 * @module
 */
import type { ParsedScript, ProcessSubstitutionPart, Word, WordPart } from "unbash";
import type { ShellState } from "./state.ts";

/** What expanding needs from the walk over the script. */
export interface ExpandHooks {
  /** Visits a substituted script; returns what it would print. */
  capture(script: ParsedScript | undefined): string;
  /** Visits a process substitution; returns the path that stands for it. */
  stream(part: ProcessSubstitutionPart): string;
  /** Visits a text that bash evaluates as if in double quotes. */
  evaluated(text: string): void;
  /** Notes that a variable is used that by its name holds a secret. */
  secret(name: string): void;
  /** Notes that something was too large to be spelled out. */
  tooComplex(): void;
}

/** The expansion of the words of one command. */
export interface Expansion {
  readonly state: ShellState;
  readonly home: string;
  readonly hooks: ExpandHooks;
  /** Which alternative of each variable is taken. */
  readonly choice: number;
  /** The number of combinations of the alternatives met so far. */
  width: number;
  /** For each name with alternatives, how many combinations the earlier ones have. */
  readonly picks: Map<string, number>;
  /** Expands a word to one text. */
  text(word: Word): string;
  /** Expands a word to a pattern, in which marks alone are active. */
  pattern(word: Word): string;
  /** Expands parts as if they stood in double quotes. */
  parts(parts: readonly WordPart[]): string;
}
