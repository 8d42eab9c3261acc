/**
 * The options of a run that programs use: what the answer must fit, what is approved beforehand,
 * what counts as a failure.
 *
 * @module
 */

import { collect } from "./common_options.ts";
import type { Command } from "commander";

/** What a command line says for programs. */
export interface ProgramOptions {
  /** A file with the JSON Schema that the answer must fit. */
  readonly schema?: string;
  /** A file with the task. */
  readonly file?: string;
  /** Files that go with the question. */
  readonly input?: readonly string[];
  /** Rules whose asking is approved beforehand. */
  readonly approve?: readonly string[];
  readonly approveAll?: boolean;
  /** Files of business agents, beside those of the usual places. */
  readonly agents?: readonly string[];
  /** Whether a run that serves another agent's task may delegate in turn. */
  readonly recursive?: boolean;
  readonly failOnDenied?: boolean;
  readonly failOnToolError?: boolean;
}

/**
 * Adds the options of what a task is made of.
 *
 * @returns The same command.
 */
export function addInputOptions(command: Command): Command {
  return command
    .option("-f, --file <file>", "read the task from this file")
    .option("--input <file>", "a file that goes with the question; may be repeated", collect);
}

/**
 * Adds the options of how a run ends.
 *
 * @returns The same command.
 */
export function addProgramOptions(command: Command): Command {
  return command
    .option("--schema <file>", "answer with JSON that fits the JSON Schema in this file")
    .option("--approve <rule>", "approve what this rule asks; may be repeated", collect)
    .option("--approve-all", "approve all that rules ask; what they deny stays denied")
    .option("--agents <file>", "business agents beside the usual ones; may be repeated", collect)
    .option("--recursive", "let a run that serves another agent's task delegate in turn")
    .option("--fail-on-denied", "exit with 4 if a call was denied, even if answered")
    .option("--fail-on-tool-error", "exit with 3 if a call failed, even if answered");
}
