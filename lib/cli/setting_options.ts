/**
 * The options that set something which files and the environment can set, too.
 *
 * @module
 */

import { type Command, InvalidArgumentError } from "commander";
import type { Kind } from "../config/kinds.ts";
import { FIELDS, SETTINGS, type Values } from "../config/settings.ts";

/** What a command line says of the settings; what it does not say is left out. */
export interface SettingOptions
  extends Partial<Omit<Values, "maxTimeMs" | "embeddingModel" | "session" | "language">> {
  /** False: nothing is kept; a name: the session of the run. */
  readonly session?: string | boolean;
  /** Milliseconds. */
  readonly maxTime?: number | null;
  readonly envFile?: string;
  readonly lang?: Values["language"];
}

/** Reads the argument of an option; what is not possible is wrong use. */
export function parserOf<T>(kind: Kind<T>): (text: string) => T {
  return (text) => {
    const value = kind.fromText(text);
    if (value === undefined) throw new InvalidArgumentError(`It takes ${kind.wanted}.`);
    return value;
  };
}

/**
 * Adds the options; none has a default, so that it can be told whether it was given.
 *
 * @returns The same command.
 */
export function addSettingOptions(command: Command): Command {
  for (const field of FIELDS) {
    const { option, description, kind } = SETTINGS[field];
    if (option === null) continue;
    // What takes no argument is a switch; commander would parse that there is none.
    if (!option.includes("<")) command.option(option, description);
    else command.option(option, description, parserOf<Values[typeof field]>(kind as never));
  }
  return command.option("--env-file <file>", "read OPENAI_* and REIN_* from this file");
}

/** Adds the option of the language, which every command takes. */
export function addLanguageOption(command: Command): void {
  const { description, kind } = SETTINGS.language;
  command.option("--lang <language>", description, parserOf(kind));
  for (const child of command.commands) addLanguageOption(child);
}

/** The settings that the options name. */
export function flagsOf(options: SettingOptions): Partial<Values> {
  const { maxTime, session, lang, envFile: _, ...others } = options;
  return {
    ...others,
    ...(maxTime === undefined ? {} : { maxTimeMs: maxTime }),
    ...(session === false ? { session } : {}),
    ...(lang === undefined ? {} : { language: lang }),
  };
}
