/**
 * `rein sessions`: what is kept of earlier runs.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import type { Command } from "commander";
import type { SessionsPorts } from "./sessions_list.ts";

/** The form of output of a command. */
interface OutputOption {
  readonly output: "text" | "json";
}

function withOutput(command: Command): Command {
  return command.addOption(outputOption());
}

/** Adds `sessions` with its subcommands. */
export function addSessionsCommands(program: Command, ports: SessionsPorts): void {
  const sessions = program.command("sessions")
    .description("list, show, export and remove kept sessions");

  withOutput(sessions.command("list"))
    .description("print the newest 20 sessions, or all of them")
    .option("--all", "however many there are", false)
    .action(async (options: OutputOption & { all: boolean }) => {
      const { listCommand } = await import("./sessions_list.ts");
      await listCommand(options, ports);
    });

  withOutput(sessions.command("show").argument("<id>", "a session"))
    .description("print what happened in a session: tasks, calls, facts, answers")
    .action(async (id: string, { output }: OutputOption) => {
      const { showCommand } = await import("./sessions_show.ts");
      await showCommand(id, output, ports);
    });

  sessions.command("export").argument("<id>", "a session")
    .description("print the stored events of a session as JSON lines")
    .action(async (id: string) => {
      const { exportCommand } = await import("./sessions_show.ts");
      await exportCommand(id, ports);
    });

  sessions.command("remove").argument("<ids...>", "sessions")
    .description("remove sessions with all that belongs to them")
    .action(async (ids: string[]) => {
      const { removeCommand } = await import("./sessions_list.ts");
      await removeCommand(ids, ports);
    });
}
