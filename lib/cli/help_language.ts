/**
 * `--help` in Chinese: the texts of the definitions, which are English, are replaced by those of a
 * catalogue.
 *
 * @module
 */

import type { EventEmitter } from "node:events";
import type { Argument, Command, Help, Option } from "commander";
import { widthOf } from "./marked_text.ts";

/** Texts of one command: its description is "", its epilogue `after`, others by name. */
interface CommandTexts {
  readonly [name: string]: string;
}

/** By the words of a command; "*" is for all of them, `headings` for what commander writes. */
export interface HelpTexts {
  readonly [path: string]: CommandTexts;
}

/** Where a line may end: behind a Chinese character, or a word, with the marks that close it. */
const CHUNKS = /\s*[“（《]*(?:[!-~]+|[^\s!-~])[，。；：、！？”）》…]*/gu;

function wrapLine(line: string, columns: number): string[] {
  // Most lines are short, and looking at each character of them takes longer than all else.
  if (widthOf(line) <= columns) return [line];
  const lines = [""];
  for (const [chunk] of line.matchAll(CHUNKS)) {
    const last = lines.at(-1) ?? "";
    if (last === "" || widthOf(last + chunk) <= columns) lines[lines.length - 1] = last + chunk;
    else lines.push(chunk.trimStart());
  }
  return lines;
}

/** What stands behind a description: what may be given, and what holds otherwise. */
function withExtras(description: string, { argChoices, defaultValue }: Argument | Option): string {
  const shown = (value: unknown) => JSON.stringify(value);
  const extras = [
    ...(argChoices === undefined ? [] : [`可选值：${argChoices.map(shown).join("、")}`]),
    ...(defaultValue === undefined ? [] : [`默认：${shown(defaultValue)}`]),
  ];
  return extras.length === 0 ? description : `${description}（${extras.join("；")}）`;
}

/** What is written in another way than commander does by itself. */
function helpIn(headings: CommandTexts, all: CommandTexts): Partial<Help> {
  const help: Partial<Help> = {
    styleTitle: (title) => headings[title] ?? title,
    displayWidth: widthOf,
    boxWrap: (text, columns) =>
      text.split("\n").flatMap((line) => wrapLine(line, columns)).join("\n"),
    optionDescription: (option) =>
      withExtras(option.long === "--help" ? all["--help"] ?? "" : option.description, option),
    argumentDescription: (argument) => withExtras(argument.description, argument),
    subcommandDescription: (command) =>
      command.name() === "help" ? all["help"] ?? "" : command.description(),
  };
  return help;
}

/** Commander keeps such texts as listeners, which its types do not tell. */
function emitterOf(command: Command): EventEmitter {
  return command as unknown as EventEmitter;
}

/** Whether a text stands below the help of a command. */
export function hasEpilogue(command: Command): boolean {
  return emitterOf(command).listenerCount("afterHelp") > 0;
}

/**
 * Replaces the texts of a command and of all below it; what there is none for stays English.
 *
 * @param path The words that lead to it, the program's name first.
 */
export function applyHelpTexts(command: Command, texts: HelpTexts, path = command.name()): void {
  const { "*": all = {}, headings = {} } = texts;
  const own = texts[path] ?? {};
  const textOf = (name: string) => own[name] ?? all[name];
  command.description(own[""] ?? command.description());
  for (const option of command.options) {
    option.description = textOf(option.long ?? "") ?? option.description;
  }
  for (const argument of command.registeredArguments) {
    argument.description = own[argument.name()] ?? argument.description;
  }
  const { after } = own;
  if (after !== undefined && hasEpilogue(command)) {
    emitterOf(command).removeAllListeners("afterHelp");
    command.addHelpText("after", after);
  }
  command.configureHelp(helpIn(headings, all));
  for (const child of command.commands) applyHelpTexts(child, texts, `${path} ${child.name()}`);
}
