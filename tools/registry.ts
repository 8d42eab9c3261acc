/**
 * Every tool that rein has. A new one is one file and one line here.
 *
 * @module
 */

import type { Delegation } from "../lib/delegate/delegation.ts";
import type { ToolPorts } from "../lib/ports.ts";
import type { KeptOutputs } from "../lib/results/spill.ts";
import type { History } from "../lib/retrieval/history.ts";
import type { KnowledgeSource } from "../lib/retrieval/knowledge.ts";
import type { Tool } from "../lib/types.ts";
import { calculateTool } from "./calculate.ts";
import { createDelegate } from "./delegate.ts";
import { createEditFile } from "./edit_file.ts";
import { createHttpRequest } from "./http_request.ts";
import { createListFiles } from "./list_files.ts";
import { createLogStats } from "./log_stats.ts";
import { createReadFile } from "./read_file.ts";
import { createReadOutput } from "./read_output.ts";
import { createRecall } from "./recall.ts";
import { createRemember } from "./remember.ts";
import { createRunShell } from "./run_shell.ts";
import { createSearchFiles } from "./search_files.ts";
import { createSearchKnowledge } from "./search_knowledge.ts";
import { createTodo, type TodoItem } from "./todo.ts";
import { createWaitFor } from "./wait_for.ts";
import { createWriteFile } from "./write_file.ts";

/** A tool whose arguments the call pipeline has checked against its schema. */
type AnyTool = Omit<Tool, "check" | "subjects" | "brief" | "idempotent" | "preview" | "run"> & {
  check?(args: never): ReturnType<NonNullable<Tool["check"]>>;
  subjects(args: never): ReturnType<Tool["subjects"]>;
  brief(args: never): string;
  idempotent?(args: never): boolean;
  preview?(args: never): Promise<string>;
  run(args: never, context: Parameters<Tool["run"]>[1]): ReturnType<Tool["run"]>;
};

/**
 * Tools that need the main side: what outlives a call is there, and so are connections to
 * addresses that a name was resolved to, and directories behind links.
 */
export const MAIN_SIDE: readonly string[] = [
  ...["read_output", "todo", "remember", "recall", "search_knowledge"],
  ...["http_request", "wait_for", "write_file", "edit_file", "delegate"],
];

/** What a run has beside the outside world; null where there is none. */
export interface ToolSources {
  /** What was said and done in this session. */
  readonly history?: History | null;
  readonly knowledge?: KnowledgeSource | null;
  /** The business agents. */
  readonly delegation?: Delegation | null;
  /** The steps of the task so far, changed in place. */
  readonly todo?: TodoItem[];
}

/**
 * The tools of a run, in the order in which a model sees them. Where no
 * process may be started there is no shell, where nothing may be written there
 * is nothing that writes, and so on.
 */
export function createTools(
  ports: ToolPorts,
  outputs: KeptOutputs,
  { history = null, knowledge = null, delegation = null, todo = [] }: ToolSources = {},
): readonly Tool[] {
  const shell = ports.processes.available() ? createRunShell(ports) : null;
  const { clock, network, processes } = ports;
  // Commands that are interpreted run in a worker, where nobody waits for a condition.
  const polled = processes.programs === undefined ? shell : null;
  const tools: AnyTool[] = [
    ...(shell === null ? [] : [shell]),
    createReadFile(ports),
    createListFiles(ports),
    createSearchFiles(ports),
    createLogStats(ports),
    ...(outputs.available ? [createReadOutput(outputs)] : []),
    ...(ports.files.writable(".") ? [createWriteFile(ports), createEditFile(ports)] : []),
    ...(network.available()
      ? [createHttpRequest(ports), createWaitFor({ clock, network, shell: polled })]
      : []),
    calculateTool,
    createTodo(todo),
    ...(ports.memories.path === null ? [] : [createRemember(ports)]),
    ...(ports.memories.path === null && history === null ? [] : [createRecall(ports, history)]),
    ...(knowledge === null ? [] : [createSearchKnowledge(knowledge)]),
    ...(delegation === null ? [] : [createDelegate(delegation)]),
  ];
  // The pipeline validates arguments against `parameters` before it hands them on.
  return tools as readonly Tool[];
}
