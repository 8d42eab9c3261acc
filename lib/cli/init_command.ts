/**
 * `rein init`: a configuration and a policy to begin with.
 *
 * @module
 */

import { message } from "../messages/messages.ts";
import { FileError, type Ports } from "../ports.ts";
import { Dialog } from "./dialog.ts";
import { UsageError } from "./failure.ts";
import { type ChosenSettings, configText, envText, POLICY_TEXT } from "./init_files.ts";
import { askInit, type InitAnswers } from "./init_questions.ts";
import { printable } from "./printable.ts";
import { userEnvPath } from "./user_env.ts";

/** The options of the command; a setting that is left out is asked for. */
export interface InitOptions extends Partial<ChosenSettings> {
  /** Whether nothing is asked. */
  readonly yes: boolean;
}

/** A file that is to be written. */
interface Draft {
  readonly path: string;
  readonly text: string;
  /** Permission bits where they matter. */
  readonly mode?: number;
  readonly isThere: boolean;
}

/** What writing needs: the dialog is null where nobody is asked. */
interface Asking extends Ports {
  readonly dialog: Dialog | null;
}

async function isThere(path: string, { files }: Pick<Ports, "files">): Promise<boolean> {
  try {
    await files.stat(path);
    return true;
  } catch (error) {
    if (error instanceof FileError && error.code === "not_found") return false;
    throw error;
  }
}

function homeOf({ env }: Pick<Ports, "env">): string {
  const home = env.get("HOME");
  if (home) return home;
  throw new UsageError(message("init.no_home"), message("init.no_home_hint"));
}

async function draftsOf(answers: InitAnswers, ports: Ports): Promise<Draft[]> {
  const texts = [
    { path: `${homeOf(ports)}/.config/rein/config.yaml`, text: configText(answers) },
    { path: `${ports.files.cwd()}/.rein/policy.yaml`, text: POLICY_TEXT },
  ];
  const envPath = userEnvPath(ports);
  const env = answers.key === null || envPath === null
    ? []
    : [{ path: envPath, text: envText(answers.key), mode: 0o600 }];
  return await Promise.all(
    [...texts, ...env].map(async (draft) => ({
      ...draft,
      isThere: await isThere(draft.path, ports),
    })),
  );
}

/** Writes what may be written; what is there is replaced only if somebody wants it. */
async function write(
  { path, text, mode, isThere: there }: Draft,
  { files, terminal, dialog, say }: Asking,
): Promise<void> {
  if (there && !await dialog?.confirm(say("init.replace", { path }))) {
    return await terminal.err(printable(`${say("init.kept", { path })}\n`));
  }
  const as = mode === undefined ? {} : { mode };
  await files.replace(path, new TextEncoder().encode(text), { makeParents: true, ...as });
  const wrote = mode === undefined ? "init.wrote" : "init.wrote_private";
  await terminal.err(printable(`${say(wrote, { path })}\n`));
}

/** What the options say, where nobody is asked. */
async function answersOf(
  { baseUrl = null, model = null }: InitOptions,
  ports: Ports,
): Promise<InitAnswers> {
  if (baseUrl === null && model === null) {
    throw new UsageError(message("init.nothing_given"), message("init.nothing_given_hint"));
  }
  const path = `${homeOf(ports)}/.config/rein/config.yaml`;
  if (await isThere(path, ports)) {
    throw new UsageError(message("init.is_there", { path }), message("init.is_there_hint"));
  }
  return { baseUrl, model, key: null, setsKey: false };
}

async function lastWords({ setsKey }: InitAnswers, { terminal, say }: Ports): Promise<void> {
  if (setsKey) {
    await terminal.err(`${say("init.set_key")}\n`);
    await terminal.err("  export OPENAI_API_KEY='…'\n");
  }
  await terminal.err(`${say("init.try")}\n`);
}

/**
 * Writes a configuration for the person, a policy for this directory and, if they want it, a file
 * for the key. Nothing that is there is replaced without asking.
 *
 * @throws {UsageError} If nobody is at a terminal and the options do not say it all, or the
 *   configuration is there already.
 * @throws {FileError} If a file can't be written.
 * @throws {Interruption} If the person presses Ctrl-C.
 */
export async function initCommand(
  options: InitOptions,
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const person = options.yes ? null : await ports.terminal.openConsole();
  if (person === null && !options.yes) {
    throw new UsageError(message("init.nobody"), message("init.nobody_hint"));
  }
  try {
    const dialog = person === null ? null : new Dialog(person, signal, ports.say);
    const asked = dialog === null
      ? await answersOf(options, ports)
      : await askInit(options, { ...ports, dialog }, signal);
    for (const draft of await draftsOf(asked, ports)) await write(draft, { ...ports, dialog });
    await lastWords(asked, ports);
  } finally {
    person?.close();
  }
}
