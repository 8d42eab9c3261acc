/**
 * `rein man`: the manual page, from the same definitions as `--help`.
 *
 * @module
 */

import {
  allCommands,
  type ArgumentInfo,
  type CommandInfo,
  type OptionInfo,
} from "./command_tree.ts";

/** What a manual page tells beside the commands. */
export interface ManText {
  readonly version: string;
  /** What stands below the help: paragraphs that begin with `Title: `. */
  readonly epilogue: string;
}

/** Text as roff sees it: neither escapes nor requests. */
function roff(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^(?=[.'])/gm, "\\&");
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

/** Flags in bold, values in italics: `-m, --model <name>`. */
function flagsOf(flags: string): string {
  return flags.split(/(<[^>]*>|\[[^\]]*\])/)
    .map((part) =>
      /^[<[]/.test(part) ? `\\fI${roff(part.slice(1, -1))}\\fR` : part === "" ? "" : bold(part)
    ).join("");
}

/** A sentence of the help begins in lower case; a list of values stays as it is. */
function sentence(text: string): string {
  const trimmed = text.replace(/\s+/g, " ").trim();
  const first = /^\w+,/.test(trimmed) ? trimmed.charAt(0) : trimmed.charAt(0).toUpperCase();
  return roff(`${first}${trimmed.slice(1)}.`.replace(/\.\.$/, "."));
}

function choicesText(choices: readonly string[]): string {
  return choices.length === 0 ? "" : `\n${roff(`One of ${choices.join(", ")}.`)}`;
}

function option({ flags, description, value }: OptionInfo): string {
  return `.TP\n${flagsOf(flags)}\n${sentence(description)}${choicesText(value?.choices ?? [])}`;
}

function argument({ shown, description, choices }: ArgumentInfo): string {
  return `.TP\n\\fI${roff(shown.slice(1, -1))}\\fR\n${sentence(description)}${
    choicesText(choices)
  }`;
}

function usage({ path, arguments: args }: CommandInfo): string {
  const words = args.map(({ shown }) =>
    shown.startsWith("[")
      ? `[\\fI${roff(shown.slice(1, -1))}\\fR]`
      : `\\fI${roff(shown.slice(1, -1))}\\fR`
  );
  return [bold(["rein", ...path].join(" ")), "[\\fIoptions\\fR]", ...words].join(" ");
}

/** A command that does something by itself; groups only lead to others. */
function section(command: CommandInfo): string {
  return [
    `.SS ${roff(["rein", ...command.path].join(" "))}`,
    usage(command),
    ".PP",
    sentence(command.description),
    ...command.arguments.map(argument),
    ...command.options.filter(({ long }) => long !== "--help").map(option),
  ].join("\n");
}

/** The paragraphs below the help, each with its title. */
function notes(epilogue: string): string {
  const paragraphs = epilogue.trim().split(/\n+(?=[A-Z][a-z]*(?: [a-z]+)?: )/);
  return paragraphs.map((paragraph) => {
    const [, title = "", text = ""] = /^([^:]+): (.*)$/s.exec(paragraph) ?? [];
    return `.TP\n${bold(title)}\n${sentence(text)}`;
  }).join("\n");
}

/** Makes the page in roff, for `man`. */
export function manPage(tree: CommandInfo, { version, epilogue }: ManText): string {
  const [, ...below] = allCommands(tree);
  const commands = below.filter((command) => command.commands.length === 0);
  return [
    `.TH REIN 1 "" "rein ${roff(version)}" "User Commands"`,
    ".SH NAME",
    `rein \\- ${roff("an operations agent: say what you want in one sentence")}`,
    ".SH SYNOPSIS",
    usage(tree),
    ".br",
    `${bold("rein")} \\fIcommand\\fR [\\fIoptions\\fR] ...`,
    ".SH DESCRIPTION",
    sentence(tree.description),
    ".SH ARGUMENTS",
    ...tree.arguments.map(argument),
    ".SH OPTIONS",
    ...tree.options.map(option),
    ".SH COMMANDS",
    ...commands.map(section),
    ".SH NOTES",
    notes(epilogue),
    "",
  ].join("\n");
}
