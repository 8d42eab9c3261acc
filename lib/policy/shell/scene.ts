/**
 * What the files of the walk over a script share: where a command stands, and
 * what the walk can be asked to do.
 *
 * @module
 */
import type { CommandNode, ParsedScript, PipelineNode } from "unbash";
import type { Span } from "../../types.ts";
import type { Finding } from "../facts.ts";
import type { ExpandHooks } from "./expansion.ts";
import type { PathWorld } from "../paths.ts";
import type { ShellState, Source } from "./state.ts";

/** Where a command stands. */
export interface Scene {
  readonly state: ShellState;
  /** The text that the nodes here were parsed from. */
  readonly source: Source;
  /** The place in the judged text that all this stands for, if not its own. */
  readonly outer: Span | null;
  /** What standard input carries, perhaps with marks; null: nothing. */
  readonly stdin: string | null;
  /** Codes within codes, functions within functions. */
  readonly depth: number;
  /** Whether it would run on another machine or in a container. */
  readonly remote: boolean;
  /** Whether the command may not run at all: a guess at what words could mean. */
  readonly hypothetical: boolean;
  /** The functions and aliases being called, innermost last: bodies and texts. */
  readonly calls: readonly unknown[];
}

/** The walk over a script; visits return what would be printed, with marks. */
export interface Walk {
  readonly world: PathWorld;
  /** What stands behind the paths of process substitutions. */
  readonly streams: Map<string, string>;
  report(finding: Finding): void;
  /** The place in the list of findings that a command's own should take. */
  findingsMark(): number;
  /** Reports a finding before those that were reported after the mark. */
  reportAt(mark: number, finding: Finding): void;
  /** Notes a fact that belongs to no simple command. */
  note(signal: Finding["signals"][number], scene: Scene): void;
  /** What the script wrote into files, by their paths. */
  readonly files: Map<string, string>;
  /** Paths that the script made copies of programs at, with the program's name. */
  readonly copies: Map<string, string>;
  /** Whether there is room to visit something another time. */
  mayRepeat(): boolean;
  /** Whether even the last visit that keeps a guess sound is affordable. */
  mayVisitAgain(): boolean;
  script(script: ParsedScript, scene: Scene): string;
  node(node: PipelineNode | CommandNode, scene: Scene): string;
  /** Visits a text as shell code, in the same shell. */
  code(text: string, scene: Scene): string;
  /** Visits words as a command. */
  command(words: readonly string[], scene: Scene, extra?: CommandExtra): string;
  /** The hooks that expansion needs at a place. */
  hooks(scene: Scene): ExpandHooks;
}

/** What comes with a command's words. */
export interface CommandExtra {
  /** Assignments in front of it, as `NAME=value`. */
  readonly env?: readonly string[];
  readonly accesses?: Finding["accesses"];
  readonly signals?: Finding["signals"];
  readonly span?: Span | null;
  readonly text?: string;
  /** Whether another program starts it, which knows no functions of the shell. */
  readonly external?: boolean;
  /** The working directory, where it has several alternatives. */
  readonly cwd?: string;
}
