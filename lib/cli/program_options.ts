/**
 * The options of a run that programs use: what the answer must fit, what is approved beforehand,
 * what counts as a failure.
 *
 * @module
 */

import type { Command } from "commander";

/** What a command line says for programs. */
export interface ProgramOptions {
  /** A file with the JSON Schema that the answer must fit. */
  readonly schema?: string;
}

/**
 * Adds the options.
 *
 * @returns The same command.
 */
export function addProgramOptions(command: Command): Command {
  return command
    .option("--schema <file>", "answer with JSON that fits the JSON Schema in this file");
}
