/**
 * The settings of a run: files, environment, `--env-file` and flags, and the key, which no file of
 * configuration holds.
 *
 * @module
 */

import { type Config, loadConfig, type Settings, settingsOf } from "../config/load.ts";
import { findVariable, type Variables } from "../config/variables.ts";
import { message } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { readNamedFile, UsageError } from "./failure.ts";
import { flagsOf, type SettingOptions } from "./setting_options.ts";
import { readUserEnv } from "./user_env.ts";

/** What loading the settings needs. */
export type SettingPorts = Pick<Ports, "files" | "env">;

/** The settings of a run. */
export interface RunSettings {
  readonly settings: Settings;
  readonly apiKey: string | null;
  /** What nobody may see: the key, and a password in an address. */
  readonly secrets: readonly string[];
  /** What a variable holds, wherever it is set first; undefined: nothing. */
  readonly variable: (name: string) => string | undefined;
}

/** The variable of the key. */
const KEY_VARIABLE = "OPENAI_API_KEY";

/** The configuration in force, and the variable that holds the key. */
export interface InForce {
  readonly config: Config;
  readonly key: ReturnType<typeof findVariable>;
  /** Earlier ones go before later ones. */
  readonly variables: readonly Variables[];
}

/**
 * All variables that count: the file that someone named goes before what the shell happens to hold,
 * and that before their own.
 *
 * @throws {UsageError} If the environment file can't be read, or the person's own is not theirs
 *   alone.
 */
export async function variablesOf(
  envFile: string | undefined,
  { files, env }: SettingPorts,
): Promise<readonly Variables[]> {
  const shell: Variables = { file: null, get: (name) => env.get(name) };
  const user = await readUserEnv({ files, env });
  const own = user === null ? [] : [{ file: user.path, get: (name: string) => user.held[name] }];
  if (envFile === undefined) return [shell, ...own];
  const text = await readNamedFile(files, message("file.environment"), envFile);
  const { parseEnvFile } = await import("./env_file.ts");
  const held = parseEnvFile(text);
  return [{ file: envFile, get: (name) => held[name] }, shell, ...own];
}

/**
 * Loads all that applies, with where it comes from.
 *
 * @throws {ConfigError} If a file or a variable can't be used.
 * @throws {UsageError} If the environment file can't be read, or the person's own is not theirs
 *   alone.
 */
export async function loadInForce(options: SettingOptions, ports: SettingPorts): Promise<InForce> {
  const variables = await variablesOf(options.envFile, ports);
  const config = await loadConfig({ flags: flagsOf(options), variables }, ports);
  return { config, key: findVariable(variables, [KEY_VARIABLE]), variables };
}

/**
 * A key as it may be sent.
 *
 * @returns Null for an empty one.
 * @throws {UsageError} If it holds characters that no key can have.
 */
export function checkedKey(key: string): string | null {
  if (key === "") return null;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  const fault = message("usage.key_characters", { variable: KEY_VARIABLE });
  throw new UsageError(fault, message("usage.key_characters_hint"));
}

/** The key for a server; a recording needs none, so that a wrong one is no matter there. */
function keyOf(settings: Settings, text: string): string | null {
  return settings.model?.startsWith("recorded:") ? text || null : checkedKey(text);
}

/** The variables whose values are handed to MCP servers. */
function mcpVariables(servers: Settings["mcpServers"]): readonly string[] {
  return Object.values(servers)
    .flatMap(({ token, env }) => token === null ? env : [token, ...env]);
}

/**
 * Loads the settings of a run.
 *
 * @throws {ConfigError} If a file or a variable can't be used.
 * @throws {UsageError} If the environment file can't be read, or the key is none.
 */
export async function loadSettings(
  options: SettingOptions,
  ports: SettingPorts,
): Promise<RunSettings> {
  const { config, key, variables } = await loadInForce(options, ports);
  const settings = settingsOf(config);
  const apiKey = keyOf(settings, key?.text.trim() ?? "");
  const password = URL.parse(settings.baseUrl ?? "")?.password;
  const variable = (name: string) => findVariable(variables, [name])?.text;
  const handed = mcpVariables(settings.mcpServers).map(variable);
  const secrets = [apiKey, password, ...handed].flatMap((secret) => secret ? [secret] : []);
  return { settings, apiKey, secrets, variable };
}
