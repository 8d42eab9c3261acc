/**
 * Settings from environment variables.
 *
 * @module
 */

import { ConfigError } from "./config_error.ts";
import { shownAddress } from "./kinds.ts";
import { type Found, type Layer, valuesFrom } from "./origin.ts";
import { SETTINGS, type Values } from "./settings.ts";

/** Variables, and the file that holds them; null for the environment itself. */
export interface Variables {
  readonly file: string | null;
  /** Undefined or empty: not set. */
  get(name: string): string | undefined;
}

/**
 * What one variable holds, wherever it is set first.
 *
 * @param sources Earlier ones go before later ones.
 */
export function findVariable(
  sources: readonly Variables[],
  names: readonly string[],
): { readonly name: string; readonly file: string | null; readonly text: string } | null {
  for (const { file, get } of sources) {
    for (const name of names) {
      const text = get(name);
      if (text) return { name, file, text };
    }
  }
  return null;
}

function readVariable<F extends keyof Values>(
  sources: readonly Variables[],
  field: F,
): Found<Values[F]> | undefined {
  const { variables, kind } = SETTINGS[field];
  const found = findVariable(sources, variables);
  if (found === null) return undefined;
  const { name, file, text } = found;
  const value = kind.fromText(text);
  if (value !== undefined) return { value, origin: { kind: "variable", name, file } };
  const where = file === null ? name : `${name} in ${file}`;
  const shown = JSON.stringify(shownAddress(text).slice(0, 60));
  throw new ConfigError(`${where} is ${shown}`, `It takes ${kind.wanted}.`);
}

/**
 * What variables say.
 *
 * @param sources Earlier ones go before later ones.
 * @throws {ConfigError} If a variable holds what its setting can't be.
 */
export function variableLayer(sources: readonly Variables[]): Layer {
  return {
    values: valuesFrom((field) => readVariable(sources, field)),
    prices: {},
    capabilities: {},
    mcp: {},
  };
}
