/**
 * The table of commands. A new one is a file `…_command.ts` and a line here.
 *
 * @module
 */

import { outputOption } from "./common_options.ts";
import type { Command } from "commander";
import { SETTINGS } from "../config/settings.ts";
import { VERSION } from "../version.ts";
import { addAgentsCommands } from "./agents_command.ts";
import { addAuditCommands } from "./audit_command.ts";
import type { InitOptions } from "./init_command.ts";
import { addKnowledgeCommands } from "./kb_command.ts";
import { addMcpCommands } from "./mcp_command.ts";
import { addPolicyCommands } from "./policy_command.ts";
import { addReplayCommand } from "./replay_command.ts";
import { addBatchCommand, addResumeCommand, withEarlier } from "./run_commands.ts";
import { addSchemaCommand } from "./schema_command.ts";
import { addServeCommand } from "./serve_options.ts";
import { addServerCommands } from "./server_commands.ts";
import { addSessionsCommands } from "./sessions_command.ts";
import { addSettingOptions, parserOf, type SettingOptions } from "./setting_options.ts";
import { addShellCommands } from "./shell_commands.ts";
import type { Surroundings } from "./surroundings.ts";
import { addTasksCommands } from "./tasks_command.ts";
import { addTraceCommand } from "./trace_command.ts";
import type { UndoCommandOptions } from "./undo_command.ts";

/** What the help says behind everything else. */
export const EPILOGUE = `
Data: piped stdin goes with the question as data; "-" waits for its end. Files
go with it by "--input FILE", or as "@path" in the question; "\\@" is an "@".
Model: OPENAI_API_KEY, OPENAI_BASE_URL and REIN_MODEL, or the options; with none
of them, a server at the usual port of ollama, llama.cpp, LM Studio or vLLM.
"--model recorded:FILE" plays a recording.
Settings: /etc/rein/config.yaml, ~/.config/rein/config.yaml, .rein/config.yaml
(which may only lower limits), REIN_* in the environment, options; later ones
count. "rein config show" says where each value comes from.

Exit codes: 0 answered, 1 unexpected failure, 2 usage, configuration or policy
file, 3 a limit was reached, 4 blocked by the policy or by a missing approval,
5 the model failed, 6 the answer did not fit the schema, 130 interrupted.`;

/** Commands that are nothing without one of their own. */
export const GROUPS: readonly string[] = [
  "agents",
  "audit",
  "config",
  "kb",
  "mcp",
  "policy",
  "sessions",
];

function addUndoCommand(program: Command, { ports, interrupts }: Surroundings): void {
  program.command("undo")
    .description("restore the files that the newest run changed with write_file and edit_file")
    .argument("[id]", "its session; the newest of this directory that changed files if left out")
    .option("-y, --yes", "do not ask", false)
    .action(async (id: string | undefined, options: UndoCommandOptions) => {
      const { undoCommand } = await import("./undo_command.ts");
      await undoCommand(id ?? null, options, ports, interrupts.signal);
    });
}

function addInitCommand(program: Command, { ports, interrupts }: Surroundings): void {
  program.command("init")
    .description("write a configuration and a policy to begin with; asks for server, key and model")
    .option("-y, --yes", "ask nothing; takes --base-url or --model, or both", false)
    .option("--base-url <url>", SETTINGS.baseUrl.description, parserOf(SETTINGS.baseUrl.kind))
    .option("-m, --model <name>", SETTINGS.model.description, parserOf(SETTINGS.model.kind))
    .action(async (options: InitOptions) => {
      const { initCommand } = await import("./init_command.ts");
      const { baseUrl, model } = { ...program.opts<SettingOptions>(), ...options };
      const given = { ...(baseUrl ? { baseUrl } : {}), ...(model ? { model } : {}) };
      await initCommand({ yes: options.yes, ...given }, ports, interrupts.signal);
    });
}

function addToolsCommand(program: Command, surroundings: Surroundings): void {
  program
    .command("tools")
    .description("list the tools that a model is offered here")
    .addOption(outputOption())
    .option("--mcp", "connect to the MCP servers and list their tools, too", false)
    .action(async (options: { output: "text" | "json"; mcp: boolean }) => {
      const { toolsCommand } = await import("./tools_command.ts");
      await toolsCommand(options, surroundings.ports, surroundings.interrupts.signal);
    });
}

function addConfigCommand(program: Command, surroundings: Surroundings): void {
  const config = program.command("config").description("show the configuration in force");
  addSettingOptions(config.command("show"))
    .description("print every setting, and where its value comes from")
    .addOption(outputOption())
    .action(async (options: SettingOptions & { output: "text" | "json" }) => {
      const { showConfig } = await import("./config_command.ts");
      // Options that stand before the command's name count as well.
      await showConfig({ ...program.opts<SettingOptions>(), ...options }, surroundings.ports);
    });
}

/** What a command ends by, and how it says what it came to. */
function ending(surroundings: Surroundings) {
  const finish = (code: number) => void (surroundings.exitCode = code);
  return { signal: surroundings.interrupts.signal, finish };
}

/** One or more commands, and how they are added. */
export interface CommandEntry {
  readonly names: readonly string[];
  add(program: Command, surroundings: Surroundings): void;
}

/** All commands but that of a question, in the order of `--help`. */
export const COMMANDS: readonly CommandEntry[] = [
  { names: ["resume"], add: addResumeCommand },
  { names: ["batch"], add: addBatchCommand },
  { names: ["undo"], add: addUndoCommand },
  { names: ["init"], add: addInitCommand },
  { names: ["schema"], add: (program, { ports }) => addSchemaCommand(program, ports.terminal) },
  { names: ["tools"], add: addToolsCommand },
  {
    names: ["models", "doctor"],
    add: (program, all) => addServerCommands(program, all.ports, ending(all)),
  },
  {
    names: ["serve"],
    add: (program, all) => {
      const given = (command: Command) => withEarlier(program, command);
      addServeCommand(program, all, { given, finish: ending(all).finish });
    },
  },
  { names: ["config"], add: addConfigCommand },
  { names: ["replay"], add: (program, all) => addReplayCommand(program, all.ports, ending(all)) },
  {
    names: ["policy"],
    add: (program, all) => addPolicyCommands(program, all.ports, ending(all).finish),
  },
  {
    names: ["tasks"],
    add: (program, { ports, interrupts: { signal } }) =>
      addTasksCommands(program, { ports, signal }),
  },
  { names: ["audit"], add: addAuditCommands },
  { names: ["sessions"], add: (program, { ports }) => addSessionsCommands(program, ports) },
  { names: ["trace"], add: (program, all) => addTraceCommand(program, all.ports, ending(all)) },
  { names: ["agents"], add: (program, all) => addAgentsCommands(program, all.ports, ending(all)) },
  {
    names: ["completions", "man"],
    add: (program, { ports }) => {
      addShellCommands(program, ports.terminal, { version: VERSION, epilogue: EPILOGUE });
    },
  },
  { names: ["kb"], add: (program, all) => addKnowledgeCommands(program, all.ports, ending(all)) },
  { names: ["mcp"], add: (program, all) => addMcpCommands(program, all.ports, ending(all)) },
];
