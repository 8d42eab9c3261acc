/**
 * `rein agents`: the business agents that rein can give tasks to.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import type { Command } from "commander";
import type { Ports } from "../ports.ts";

/** The options that all of its commands have. */
export interface AgentsCommandOptions {
  readonly output: "text" | "json";
  /** Files beside those of the usual places; later ones count. */
  readonly agents: readonly string[];
}

/** The options of its check. */
export interface AgentsCheckOptions extends AgentsCommandOptions {
  /** Holds tokens, beside the environment. */
  readonly envFile?: string;
}

/** What its commands need. */
export interface AgentsContext {
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

const EPILOGUE = `
Agents stand in /etc/rein/agents.yaml and ~/.config/rein/agents.yaml, and in files
named by --agents; a later one's agent takes the place of an earlier one of its name.
The working directory's are never read. "rein schema agents" describes the file, and
docs/agents.md what agents speak.

Exit codes: 0 all is well; 1 an agent can't be reached or is not what the file says;
2 wrong use, or a file can't be used.`;

function withOptions(command: Command): Command {
  return command
    .option(
      "--agents <file>",
      "a file of agents beside those of the usual places; may be repeated",
      (value: string, earlier: string[]) => [...earlier, value],
      [],
    )
    .addOption(outputOption());
}

/**
 * Adds `agents` with its subcommands.
 *
 * @param finish Is told the exit code once a command has done its work.
 */
export function addAgentsCommands(
  program: Command,
  ports: Ports,
  { signal, finish }: { readonly signal: AbortSignal; readonly finish: (code: number) => void },
): void {
  const agents = program.command("agents").description("the agents that tasks can be given to")
    .addHelpText("after", EPILOGUE);
  const context = { ports, signal };

  withOptions(agents.command("list"))
    .description("list the agents and what they can be asked for")
    .action(async (options: AgentsCommandOptions) => {
      const { listAgents } = await import("./agents_list.ts");
      await listAgents(options, context);
    });

  withOptions(agents.command("show").argument("<name>", "an agent"))
    .description("show all that is known of an agent")
    .action(async (name: string, options: AgentsCommandOptions) => {
      const { showAgent } = await import("./agents_list.ts");
      await showAgent(name, options, context);
    });

  withOptions(agents.command("check").argument("[name]", "an agent; all if left out"))
    .description("ask agents whether they are what the file says; exit 1 if one is not")
    .option("--env-file <file>", "read tokens from this file")
    .action(async (name: string | undefined, options: AgentsCheckOptions) => {
      const { checkAgents } = await import("./agents_check.ts");
      finish(await checkAgents(name ?? null, options, context));
    });
}
