/**
 * `rein tasks`: what was asked of business agents, and what came of it.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import type { Command } from "commander";
import type { Ports } from "../ports.ts";

/** The form of output. */
export interface TasksOptions {
  readonly output: "text" | "json";
}

/** The options of the list. */
export interface TasksListOptions extends TasksOptions {
  /** Whether it goes on until it is interrupted. */
  readonly watch: boolean;
  /** Whether all that is kept is listed. */
  readonly all: boolean;
}

/** The options of giving one up. */
export interface TasksCancelOptions {
  readonly agents: readonly string[];
  readonly envFile?: string;
}

/** What the commands need. */
export interface TasksContext {
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** Adds `tasks` with its subcommands. */
export function addTasksCommands(program: Command, context: TasksContext): void {
  const tasks = program.command("tasks")
    .description("list the newest tasks of business agents, of all runs; or show or cancel one")
    .option("--watch", "go on showing them until interrupted", false)
    .option("--all", "however many there are", false)
    .addOption(outputOption())
    .action(async (options: TasksListOptions) => {
      const { listTasks } = await import("./tasks_list.ts");
      await listTasks(options, context);
    });

  tasks.command("show").argument("<id>", "a task; the beginning of its id will do")
    .description("print all that is kept of a task")
    .addOption(outputOption())
    .action(async (id: string, { output }: TasksOptions) => {
      const { showTask } = await import("./tasks_show.ts");
      await showTask(id, output, context);
    });

  tasks.command("cancel").argument("<id>", "a task; the beginning of its id will do")
    .description("ask its agent to give a task up")
    .option(
      "--agents <file>",
      "business agents beside the usual ones; may be repeated",
      (value: string, earlier: string[]) => [...earlier, value],
      [],
    )
    .option("--env-file <file>", "read tokens from this file")
    .action(async (id: string, options: TasksCancelOptions) => {
      const { cancelTask } = await import("./tasks_cancel.ts");
      await cancelTask(id, options, context);
    });
}
