/**
 * The command line: the program, dispatch, failures.
 *
 * @module
 */

import { Command, CommanderError } from "commander";
import { message, type Say } from "../messages/messages.ts";
import { OutputError, type Ports } from "../ports.ts";
import { VERSION } from "../version.ts";
import { type CommandEntry, COMMANDS, EPILOGUE, GROUPS } from "./commands.ts";
import { OUTPUT_CLOSED_EXIT_CODE } from "./exit_code.ts";
import { UsageError } from "./failure.ts";
import { chooseSay } from "./language.ts";
import { reportFailure } from "./report.ts";
import { addRunCommand } from "./run_commands.ts";
import type { Interrupts } from "./run_options.ts";
import { addLanguageOption } from "./setting_options.ts";
import type { Surroundings } from "./surroundings.ts";

const DESCRIPTION = `An operations agent: say what you want in one sentence. A language model
decides the steps; rein carries them out under the policy of the machine's owner.
Without a question, on a terminal, rein opens a session; /help there says more.`;

/** What tells of all commands. */
const TELLS_OF_ALL = /^(-\w*h\w*|--help|help|completions|man)$/;

/** The commands that these arguments may mean: building all of them takes longer than most do. */
function commandsFor(args: readonly string[]): readonly CommandEntry[] {
  if (args.some((arg) => TELLS_OF_ALL.test(arg))) return COMMANDS;
  return COMMANDS.filter(({ names }) => names.some((name) => args.includes(name)));
}

function createProgram(args: readonly string[], surroundings: Surroundings): Command {
  const { terminal } = surroundings.ports;
  const program = new Command("rein")
    .description(DESCRIPTION)
    .version(VERSION, "--version")
    .addHelpText("after", EPILOGUE)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        surroundings.printed = Promise.all([surroundings.printed, terminal.out(text)]);
      },
      writeErr: () => {},
    });
  addRunCommand(program, surroundings);
  for (const { add } of commandsFor(args)) add(program, surroundings);
  addLanguageOption(program);
  return program;
}

/** What commander found wrong, as rein says it. */
function fromCommander(error: CommanderError, args: readonly string[]): UsageError {
  if (error.code === "commander.help") {
    const group = args.find((arg) => GROUPS.includes(arg)) ?? "";
    const hint = message("usage.command_missing_hint", { group });
    return new UsageError(message("usage.command_missing"), hint, error);
  }
  const fault = error.message.replace(/^error: /, "").replace(/\s+/g, " ");
  return new UsageError(
    fault.charAt(0).toUpperCase() + fault.slice(1),
    message("usage.see_help"),
    error,
  );
}

/** What shows the texts of commands and options to people; the manual page is English. */
const SHOWS_TEXTS = /^(-\w*h\w*|--help|help|completions)$/;

/** Has the help in the language of people. */
async function speakHelp(program: Command, args: readonly string[], say: Say): Promise<void> {
  if (say.language === "en" || !args.some((arg) => SHOWS_TEXTS.test(arg))) return;
  const [{ applyHelpTexts }, { default: texts }] = await Promise.all([
    import("./help_language.ts"),
    import("../messages/zh_help.json", { with: { type: "json" } }),
  ]);
  applyHelpTexts(program, texts);
}

/** Parses and runs; help and version end it early, and are no failures. */
async function parse(args: readonly string[], surroundings: Surroundings): Promise<void> {
  try {
    const program = createProgram(args, surroundings);
    await speakHelp(program, args, surroundings.ports.say);
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw fromCommander(error, args);
  }
  await surroundings.printed;
}

/**
 * Runs the program.
 *
 * @param args The arguments after the program's name.
 * @returns The exit code; never throws.
 */
export async function runCli(
  args: readonly string[],
  outside: Ports,
  interrupts: Interrupts,
): Promise<number> {
  const ports = { ...outside, say: await chooseSay(args, outside) };
  const printed = Promise.resolve();
  const surroundings: Surroundings = { ports, interrupts, exitCode: 0, printed };
  try {
    await parse(args, surroundings);
    return surroundings.exitCode;
  } catch (error) {
    if (error instanceof OutputError && error.closed) return OUTPUT_CLOSED_EXIT_CODE;
    // Whatever an interruption made fail, the interruption is why it ended.
    const { aborted, reason } = interrupts.signal;
    return await reportFailure(aborted ? reason : error, args, ports);
  }
}
