/**
 * Every tool that rein has. A new one is one file and one line here.
 *
 * @module
 */

import type { Ports } from "../lib/ports.ts";
import type { KeptOutputs } from "../lib/results/spill.ts";
import type { Tool } from "../lib/types.ts";
import { calculateTool } from "./calculate.ts";
import { createListFiles } from "./list_files.ts";
import { createLogStats } from "./log_stats.ts";
import { createReadFile } from "./read_file.ts";
import { createReadOutput } from "./read_output.ts";
import { createRunShell } from "./run_shell.ts";
import { createSearchFiles } from "./search_files.ts";

/** A tool whose arguments the call pipeline has checked against its schema. */
type AnyTool = Omit<Tool, "subjects" | "brief" | "run" | "idempotent"> & {
  idempotent?(args: never): boolean;
  subjects(args: never): ReturnType<Tool["subjects"]>;
  brief(args: never): string;
  run(args: never, context: Parameters<Tool["run"]>[1]): ReturnType<Tool["run"]>;
};

/**
 * The tools of a run, in the order in which a model sees them. Where no
 * process may be started there is no shell, where no output can be kept nothing to read it.
 */
export function createTools(ports: Ports, outputs: KeptOutputs): readonly Tool[] {
  const tools: AnyTool[] = [
    ...(ports.processes.available() ? [createRunShell(ports)] : []),
    createReadFile(ports),
    createListFiles(ports),
    createSearchFiles(ports),
    ...(outputs.available ? [createReadOutput(outputs)] : []),
    createLogStats(ports),
    calculateTool,
  ];
  // The pipeline validates arguments against `parameters` before it hands them on.
  return tools as readonly Tool[];
}
