/**
 * What the command line says of a run.
 *
 * @module
 */

import type { ProgramOptions } from "./program_options.ts";
import type { Output } from "./render.ts";
import type { SettingOptions } from "./setting_options.ts";

/** The options of a run. */
export interface RunOptions extends SettingOptions, ProgramOptions {
  readonly output: Output;
  readonly quiet: boolean;
  /** Whether it is shown what calls bring back; false if left out. */
  readonly verbose?: boolean;
  readonly policy: readonly string[];
  /** A file to which all is written that is sent, received and decided. */
  readonly debug?: string;
  readonly dryRun: boolean;
  /** Whether the newest session of this directory is gone on with. */
  readonly continue: boolean;
}

/** Ending a run from outside. */
export interface Interrupts {
  readonly signal: AbortSignal;
  interrupt(): void;
  /**
   * Has Ctrl-C call this instead of ending the program. Left out where that can't be.
   *
   * @returns Ends that.
   */
  divert?(onInterrupt: () => void): () => void;
}
