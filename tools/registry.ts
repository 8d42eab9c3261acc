/**
 * Every tool that rein has. A new one is one file and one line here.
 *
 * @module
 */

import type { Ports } from "../lib/ports.ts";
import type { Tool } from "../lib/types.ts";
import { calculateTool } from "./calculate.ts";
import { createListFiles } from "./list_files.ts";
import { createReadFile } from "./read_file.ts";
import { createRunShell } from "./run_shell.ts";
import { createSearchFiles } from "./search_files.ts";

/** A tool whose arguments the call pipeline has checked against its schema. */
type AnyTool = Omit<Tool, "subjects" | "brief" | "run" | "idempotent"> & {
  idempotent?(args: never): boolean;
  subjects(args: never): ReturnType<Tool["subjects"]>;
  brief(args: never): string;
  run(args: never, context: Parameters<Tool["run"]>[1]): ReturnType<Tool["run"]>;
};

/** The ports that tools may be handed: on the main side, or in a worker. */
export type ToolPorts = Omit<Ports, "terminal" | "workers" | "permissions">;

/**
 * The tools of a run, in the order in which a model sees them. Where no
 * process may be started there is no shell.
 */
export function createTools(ports: ToolPorts): readonly Tool[] {
  const tools: AnyTool[] = [
    ...(ports.processes.available() ? [createRunShell(ports)] : []),
    createReadFile(ports),
    createListFiles(ports),
    createSearchFiles(ports),
    calculateTool,
  ];
  // The pipeline validates arguments against `parameters` before it hands them on.
  return tools as readonly Tool[];
}
