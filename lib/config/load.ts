/**
 * Joins everything that says something of the settings: defaults, the machine's file, the
 * user's, the project's, variables, flags.
 *
 * @module
 */

import {
  readStanding,
  type StandingFile,
  standingPlaces,
  type StandingPorts,
} from "../yaml/standing_files.ts";
import { ConfigError } from "./config_error.ts";
import { fallbackLayer, flagLayer, type Found, type Joined, joined, type Layer } from "./origin.ts";
import type { CapabilityChange } from "../model/capabilities.ts";
import type { McpServer } from "./mcp.ts";
import type { Prices } from "./prices.ts";
import { FIELDS, type Values } from "./settings.ts";
import { checkProject } from "./tighten.ts";
import { variableLayer, type Variables } from "./variables.ts";

/** The name of a file of configuration, at each of its places. */
const FILE_NAME = "config.yaml";

/** What is said beside the files. */
export interface Given {
  readonly flags: Partial<Values>;
  /** Earlier ones go before later ones. */
  readonly variables: readonly Variables[];
}

/** The settings in force, with where each comes from. */
export interface Config extends Joined {
  /** The usual places, and whether there was a file that could be read. */
  readonly files: readonly { readonly path: string; readonly read: boolean }[];
}

/** The settings of a run. */
export interface Settings extends Values {
  /** By name of a model or pattern; see `pricesOfRun`. */
  readonly priceTable: { readonly [model: string]: Prices };
  /** By name of a model or pattern; see `capabilitiesOf`. */
  readonly capabilityTable: { readonly [model: string]: CapabilityChange };
  /** By name. */
  readonly mcpServers: { readonly [server: string]: McpServer };
}

function refusal(file: string, why: string, remedy: string): ConfigError {
  return new ConfigError(why, `${remedy}.`, { file, line: 1, column: 1 });
}

async function joinFiles(files: readonly StandingFile[]): Promise<Joined> {
  let all = fallbackLayer();
  if (files.length === 0) return all;
  const { readConfig } = await import("./read_config.ts");
  for (const file of files) {
    const layer: Layer = readConfig(file);
    if (file.layer === "project") checkProject(all, layer);
    all = joined(all, layer);
  }
  return all;
}

/**
 * Loads the configuration that applies here.
 *
 * @throws {ConfigError} If a file can't be used, a project's file does more than lower limits, or
 *   a variable holds what its setting can't be.
 */
export async function loadConfig(given: Given, ports: StandingPorts): Promise<Config> {
  const standing = await readStanding(ports, FILE_NAME, refusal);
  const written = await joinFiles(standing);
  const all = joined(joined(written, variableLayer(given.variables)), flagLayer(given.flags));
  const files = standingPlaces(ports, FILE_NAME)
    .map(({ path }) => ({ path, read: standing.some((file) => file.path === path) }));
  return { ...all, files };
}

function plainTable<T>(found: { readonly [model: string]: Found<T> }): { [model: string]: T } {
  return Object.fromEntries(Object.entries(found).map(([model, { value }]) => [model, value]));
}

/** The plain values of a configuration. */
export function settingsOf({ values, prices, capabilities, mcp }: Joined): Settings {
  const plain = Object.fromEntries(FIELDS.map((field) => [field, values[field].value]));
  return {
    ...plain as unknown as Values,
    priceTable: plainTable(prices),
    capabilityTable: plainTable(capabilities),
    mcpServers: plainTable(mcp),
  };
}
