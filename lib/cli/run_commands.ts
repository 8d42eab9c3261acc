/**
 * The commands that run tasks: a question, `resume`, `batch`.
 *
 * @module
 */

import { collect } from "./common_options.ts";
import { type Command, Option } from "commander";
import type { Terminal } from "../ports.ts";
import type { BatchOptions } from "./batch_command.ts";
import { addBatchOptions } from "./batch_options.ts";
import { addInputOptions, addProgramOptions } from "./program_options.ts";
import { OUTPUTS } from "./render.ts";
import type { RunOptions } from "./run_options.ts";
import { addSettingOptions } from "./setting_options.ts";
import type { Surroundings } from "./surroundings.ts";

/** The options of a command, with those that stand before its name. */
export function withEarlier(program: Command, command: Command): RunOptions {
  const earlier = Object.entries(program.opts()).filter(([name]) =>
    program.getOptionValueSource(name) === "cli" && command.getOptionValueSource(name) !== "cli"
  );
  return { ...program.opts<RunOptions>(), ...command.opts(), ...Object.fromEntries(earlier) };
}

/** The options of everything that runs a task. */
function addRunOptions(command: Command): Command {
  return addTaskOptions(
    addSettingOptions(command).addOption(
      new Option("-o, --output <form>", "what stdout gets").choices(OUTPUTS).default("text"),
    ),
  );
}

/** The options of everything that runs tasks, whatever it prints. */
function addTaskOptions(command: Command): Command {
  return addProgramOptions(command)
    .option("-q, --quiet", "no steps on stderr", false)
    .option("--verbose", "show what calls bring back", false)
    .option(
      "--policy <policy>",
      "ops, read-only, locked, or a policy file; may be repeated",
      collect,
      [],
    )
    .option("--dry-run", "run what only reads, and describe what would change", false)
    .option(
      "--debug <file>",
      "write to a file what is sent, received and decided; show the stack trace of a defect",
    );
}

/** Whether a session is wanted: nothing is asked, and a person is there to ask. */
function isConversation(
  words: readonly string[],
  { output, file, input = [] }: RunOptions,
  { stdinIsTerminal, stdoutIsTerminal, stderrIsTerminal }: Terminal,
): boolean {
  const nothingAsked = words.length === 0 && file === undefined && input.length === 0;
  // What goes into a file or a pipe, or comes from one, is no conversation.
  return nothingAsked && output === "text" && stdinIsTerminal && stdoutIsTerminal &&
    stderrIsTerminal;
}

/** Adds the question, which is no command: it is asked by the program itself. */
export function addRunCommand(program: Command, surroundings: Surroundings): void {
  const asked = program.argument("[question...]", 'what you want; "-" reads stdin to its end');
  addInputOptions(addRunOptions(asked))
    .option("--session <name>", "ask in the session of this name; a new one, if there is none")
    .option("-c, --continue", "ask in the newest session of this directory", false)
    .option("--no-session", "keep nothing of this run but its entries in the audit log")
    .action(async (words: string[], options: RunOptions) => {
      const { ports, interrupts } = surroundings;
      if (isConversation(words, options, ports.terminal)) {
        const { sessionCommand } = await import("./repl/session_command.ts");
        surroundings.exitCode = await sessionCommand(options, ports, interrupts);
        return;
      }
      const { runCommand } = await import("./run_command.ts");
      surroundings.exitCode = await runCommand(words, options, ports, interrupts);
    });
}

/** Adds `resume`. */
export function addResumeCommand(program: Command, surroundings: Surroundings): void {
  addRunOptions(program.command("resume"))
    .description("go on with a task that was not answered, whatever ended it")
    .argument("[id]", "its session; the newest unfinished one of this directory if left out")
    .action(async (id: string | undefined, _options: RunOptions, command: Command) => {
      const { resumeCommand } = await import("./run_command.ts");
      const { ports, interrupts } = surroundings;
      const given = withEarlier(program, command);
      surroundings.exitCode = await resumeCommand(id ?? null, given, ports, interrupts);
    });
}

/** Adds `batch`. */
export function addBatchCommand(program: Command, surroundings: Surroundings): void {
  addBatchOptions(addTaskOptions(addSettingOptions(program.command("batch"))))
    .description("run many tasks, a few at a time; one result a line")
    .argument("<tasks>", 'a task a line: plain, or JSON if the first character is "{"; "-": stdin')
    .action(async (path: string, _options: BatchOptions, command: Command) => {
      const { batchCommand } = await import("./batch_command.ts");
      const { ports, interrupts } = surroundings;
      const given = withEarlier(program, command) as BatchOptions;
      surroundings.exitCode = await batchCommand(path, given, ports, interrupts);
    });
}
