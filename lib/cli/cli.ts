/**
 * The command line: options and commands as data, dispatch, failures.
 *
 * @module
 */

import { Command, CommanderError, Option } from "commander";
import { SETTINGS } from "../config/settings.ts";
import { OutputError, type Ports, type Terminal } from "../ports.ts";
import { VERSION } from "../version.ts";
import { Interruption, OUTPUT_CLOSED_EXIT_CODE } from "./exit_code.ts";
import { chooseSay } from "./language.ts";
import type { InitOptions } from "./init_command.ts";
import { addKnowledgeCommands } from "./kb_command.ts";
import { addPolicyCommands } from "./policy_command.ts";
import { failureFor, failureLine, failureOf, UsageError } from "./failure.ts";
import { failedResult, OUTPUTS } from "./render.ts";
import { addSchemaCommand } from "./schema_command.ts";
import { addServeCommand } from "./serve_options.ts";
import { addServerCommands } from "./server_commands.ts";
import { addSessionsCommands } from "./sessions_command.ts";
import type { BatchOptions } from "./batch_command.ts";
import { addBatchOptions } from "./batch_options.ts";
import type { Interrupts, RunOptions } from "./run_options.ts";
import { addInputOptions, addProgramOptions } from "./program_options.ts";
import { addTraceCommand } from "./trace_command.ts";
import { addShellCommands } from "./shell_commands.ts";
import type { UndoCommandOptions } from "./undo_command.ts";
import {
  addLanguageOption,
  addSettingOptions,
  parserOf,
  type SettingOptions,
} from "./setting_options.ts";

const DESCRIPTION = `An operations agent: say what you want in one sentence. A language model
decides the steps; rein carries them out under the policy of the machine's owner.
Without a question, on a terminal, rein opens a session; /help there says more.`;

const EPILOGUE = `
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

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}

/** Commands that are nothing without one of their own. */
const GROUPS: readonly string[] = ["config", "kb", "policy", "sessions"];

/** What a command needs from the process around it. */
interface Surroundings {
  readonly ports: Ports;
  readonly interrupts: Interrupts;
  /** The exit code that the command came to. */
  exitCode: number;
  /** What help or the version printed; the process must not end before it. */
  printed: Promise<unknown>;
}

/** The options of a command, with those that stand before its name. */
function withEarlier(program: Command, command: Command): RunOptions {
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
    .option("--debug", "show a stack trace with an unexpected failure", false);
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

function addRunCommand(program: Command, surroundings: Surroundings): void {
  const asked = program.argument("[question...]", 'what you want; "-" reads stdin to its end');
  addInputOptions(addRunOptions(asked))
    .option("--session <name>", "ask in the session of this name; a new one, if there is none")
    .option("-c, --continue", "ask in the newest session of this directory", false)
    .option("--no-session", "keep nothing of this run")
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

function addResumeCommand(program: Command, surroundings: Surroundings): void {
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

function addBatchCommand(program: Command, surroundings: Surroundings): void {
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
    .addOption(
      new Option("-o, --output <form>", "text or json").choices(["text", "json"]).default("text"),
    )
    .action(async ({ output }: { output: "text" | "json" }) => {
      const { toolsCommand } = await import("./tools_command.ts");
      await toolsCommand(output, surroundings.ports);
    });
}

function addConfigCommand(program: Command, surroundings: Surroundings): void {
  const config = program.command("config").description("show the configuration in force");
  addSettingOptions(config.command("show"))
    .description("print every setting, and where its value comes from")
    .addOption(
      new Option("-o, --output <form>", "text or json").choices(["text", "json"]).default("text"),
    )
    .action(async (options: SettingOptions & { output: "text" | "json" }) => {
      const { showConfig } = await import("./config_command.ts");
      // Options that stand before the command's name count as well.
      await showConfig({ ...program.opts<SettingOptions>(), ...options }, surroundings.ports);
    });
}

/** One or more commands, and how they are added. */
interface CommandEntry {
  readonly names: readonly string[];
  add(program: Command, surroundings: Surroundings): void;
}

/** All commands but that of a question, in the order of `--help`. */
const COMMANDS: readonly CommandEntry[] = [
  { names: ["resume"], add: addResumeCommand },
  { names: ["batch"], add: addBatchCommand },
  { names: ["undo"], add: addUndoCommand },
  { names: ["init"], add: addInitCommand },
  { names: ["schema"], add: (program, { ports }) => addSchemaCommand(program, ports.terminal) },
  { names: ["tools"], add: addToolsCommand },
  {
    names: ["models", "doctor"],
    add: (program, surroundings) =>
      addServerCommands(program, surroundings.ports, {
        signal: surroundings.interrupts.signal,
        finish: (code) => surroundings.exitCode = code,
      }),
  },
  {
    names: ["serve"],
    add: (program, surroundings) =>
      addServeCommand(program, surroundings, {
        given: (command) => withEarlier(program, command),
        finish: (code) => surroundings.exitCode = code,
      }),
  },
  { names: ["config"], add: addConfigCommand },
  {
    names: ["trace"],
    add: (program, surroundings) =>
      addTraceCommand(program, surroundings.ports, {
        signal: surroundings.interrupts.signal,
        finish: (code) => surroundings.exitCode = code,
      }),
  },
  {
    names: ["policy"],
    add: (program, surroundings) =>
      addPolicyCommands(program, surroundings.ports, (code) => surroundings.exitCode = code),
  },
  { names: ["sessions"], add: (program, { ports }) => addSessionsCommands(program, ports) },
  {
    names: ["completions", "man"],
    add: (program, { ports }) => {
      const text = { version: VERSION, epilogue: EPILOGUE };
      addShellCommands(program, ports.terminal, text);
    },
  },
  {
    names: ["kb"],
    add: (program, surroundings) =>
      addKnowledgeCommands(program, surroundings.ports, {
        signal: surroundings.interrupts.signal,
        finish: (code) => surroundings.exitCode = code,
      }),
  },
];

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
    return new UsageError("A command is missing", `See "rein ${group} --help".`, error);
  }
  const message = error.message.replace(/^error: /, "").replace(/\s+/g, " ");
  return new UsageError(
    message.charAt(0).toUpperCase() + message.slice(1),
    'See "rein --help".',
    error,
  );
}

/** Parses and runs; help and version end it early, and are no failures. */
async function parse(args: readonly string[], surroundings: Surroundings): Promise<void> {
  try {
    await createProgram(args, surroundings).parseAsync([...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw fromCommander(error, args);
  }
  await surroundings.printed;
}

/** The form of output that the arguments ask for, even if they are wrong otherwise. */
function askedOutput(args: readonly string[]): string {
  const index = args.findLastIndex((arg) => /^(-o|--output(=|$))/.test(arg));
  if (index === -1) return "";
  const [, value] = /^(?:-o|--output=)(.+)$/s.exec(args[index] ?? "") ?? [];
  return value ?? args[index + 1] ?? "";
}

async function report(error: unknown, args: readonly string[], ports: Ports): Promise<number> {
  const { terminal, say } = ports;
  const failure = failureOf(error);
  await terminal.err(failureLine(failureFor(error, say)));
  if (args.includes("--debug") && error instanceof Error) {
    await terminal.err(`${error.stack ?? ""}\n`);
  }
  const output = askedOutput(args);
  if (output !== "json" && output !== "jsonl") return failure.exitCode;
  const stop = error instanceof Interruption ? "interrupted" : null;
  const result = failedResult(ports.newId(), failure, stop);
  const at = new Date(ports.clock.now()).toISOString();
  const event = { schema: "rein-event/1", at, run_id: result.run_id, step: 0 };
  const value = output === "json" ? result : { ...event, type: "run_finished", result };
  await terminal.out(`${JSON.stringify(value)}\n`).catch(() => {});
  return failure.exitCode;
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
    return await report(aborted ? reason : error, args, ports);
  }
}
