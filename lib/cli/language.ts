/**
 * The language in which people are told what happens.
 *
 * @module
 */

import { english, type Language, loadSay, type Say } from "../messages/messages.ts";
import type { Environment, Ports } from "../ports.ts";
import { SETTINGS, type Values } from "../config/settings.ts";

/** What the choice depends on. */
export type LanguagePorts = Pick<Ports, "files" | "env">;

/** Variables of the locale, the first one that is set counts. Source: POSIX, 8.2. */
const LOCALE = ["LC_ALL", "LC_MESSAGES", "LANG"] as const;

function languageOfLocale(env: Environment): Language {
  const locale = LOCALE.map((name) => env.get(name)).find((value) => value);
  return locale?.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/**
 * What stands behind a long option, before the arguments are parsed: what is wrong with them has to
 * be told, too.
 */
function argumentOf(option: string, args: readonly string[]): string | undefined {
  const end = args.indexOf("--");
  const own = end === -1 ? args : args.slice(0, end);
  const index = own.findLastIndex((arg) => arg === option || arg.startsWith(`${option}=`));
  const found = own[index];
  return found === option ? own[index + 1] : found?.slice(option.length + 1);
}

/** A pipe can be read once only, and the run needs it. */
async function isPlainFile(path: string, { files }: LanguagePorts): Promise<boolean> {
  return (await files.stat(path)).kind === "file";
}

/** What variables and files say; what is wrong with them is told by whoever needs them. */
async function languageInForce(
  args: readonly string[],
  ports: LanguagePorts,
): Promise<Values["language"]> {
  try {
    const { loadInForce } = await import("./load_settings.ts");
    const named = argumentOf("--env-file", args);
    const envFile = named !== undefined && await isPlainFile(named, ports) ? named : undefined;
    const { config } = await loadInForce(envFile === undefined ? {} : { envFile }, ports);
    return config.values.language.value;
  } catch {
    return "auto";
  }
}

/**
 * Chooses the language: that of `--lang`, of the setting, of the locale.
 *
 * @param args The arguments after the program's name, right or wrong.
 * @returns Never rejects; what is not possible counts as not said.
 */
export async function chooseSay(args: readonly string[], ports: LanguagePorts): Promise<Say> {
  // A version is the same in all languages, and many ask for it.
  if (args[0] === "--version") return english;
  const asked = SETTINGS.language.kind.fromText(argumentOf("--lang", args) ?? "");
  const wanted = asked ?? await languageInForce(args, ports);
  return await loadSay(wanted === "auto" ? languageOfLocale(ports.env) : wanted);
}
