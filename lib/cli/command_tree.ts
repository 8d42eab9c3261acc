/**
 * The command line as data, from commander's definitions: what `--help` shows, completions complete
 * and the manual page tells.
 *
 * @module
 */

import type { Argument, Command, Option } from "commander";

/** What an argument or the value of an option may be. */
export interface ValueInfo {
  /** As the help shows it, without brackets: `file`. */
  readonly name: string;
  /** The only values; empty: any. */
  readonly choices: readonly string[];
  /** Whether files are meant, or may be. */
  readonly files: boolean;
}

/** An option. */
export interface OptionInfo {
  /** As the help shows it: `-m, --model <name>`. */
  readonly flags: string;
  /** `-m`; null: there is none. */
  readonly short: string | null;
  /** `--model`. */
  readonly long: string;
  readonly description: string;
  /** Null: it takes none. */
  readonly value: ValueInfo | null;
}

/** An argument that is no option. */
export interface ArgumentInfo extends ValueInfo {
  /** As the help shows it: `[question...]`. */
  readonly shown: string;
  readonly description: string;
}

/** A command. */
export interface CommandInfo {
  /** The words after the program's name; empty for the program itself. */
  readonly path: readonly string[];
  readonly description: string;
  readonly arguments: readonly ArgumentInfo[];
  readonly options: readonly OptionInfo[];
  readonly commands: readonly CommandInfo[];
}

/** Names of values that are files, or may be. */
const FILE_NAMES: readonly string[] = [
  "dir",
  "file",
  "files",
  "path",
  "paths",
  "policy",
  "question",
  "tasks",
];

function valueOf(name: string, choices: readonly string[] | undefined): ValueInfo {
  return { name, choices: choices ?? [], files: FILE_NAMES.includes(name) };
}

function optionOf({ flags, short, long, description, argChoices }: Option): OptionInfo {
  const [, name] = /[<[]([\w-]+)(?:\.{3})?[>\]]/.exec(flags) ?? [];
  return {
    flags,
    short: short ?? null,
    long: long ?? "",
    description,
    value: name === undefined ? null : valueOf(name, argChoices),
  };
}

function argumentOf(argument: Argument): ArgumentInfo {
  const { required, variadic, description, argChoices } = argument;
  const name = argument.name();
  const dots = variadic ? "..." : "";
  return {
    ...valueOf(name, argChoices),
    shown: required ? `<${name}${dots}>` : `[${name}${dots}]`,
    description,
  };
}

/**
 * Reads a command with all below it; commander's own `help` is left out.
 *
 * @param path The words that lead to it.
 */
export function commandTree(command: Command, path: readonly string[] = []): CommandInfo {
  return {
    path,
    description: command.description(),
    arguments: command.registeredArguments.map(argumentOf),
    options: command.createHelp().visibleOptions(command).map(optionOf),
    commands: command.commands.map((child) => commandTree(child, [...path, child.name()])),
  };
}

/** A command and all below it, those above before those below. */
export function allCommands(tree: CommandInfo): readonly CommandInfo[] {
  return [tree, ...tree.commands.flatMap(allCommands)];
}
