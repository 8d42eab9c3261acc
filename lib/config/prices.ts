/**
 * What tokens cost, by the name of a model.
 *
 * @module
 */

import { fits } from "../patterns.ts";
import { ConfigError } from "./config_error.ts";
import { type Kind, real } from "./kinds.ts";

/** Prices of a million tokens, in a currency that is the same for all. */
export interface Prices {
  readonly input: number;
  readonly output: number;
  /** Of what the server had kept from an earlier request. */
  readonly cachedInput: number;
}

/** Prices as a file holds them. */
export interface WrittenPrices {
  readonly input: number;
  readonly output: number;
  readonly cached_input?: number;
}

/** The price of a million tokens. */
export const PRICE: Kind<number> = real({ from: 0, to: null });

/** Makes prices of what was written; cached input costs what input costs, unless it says so. */
export function pricesOf({ input, output, cached_input }: WrittenPrices): Prices {
  return { input, output, cachedInput: cached_input ?? input };
}

/**
 * The prices of one model: those of its very name, else those of the longest pattern that fits.
 *
 * @param table By name or pattern, in which `*` stands for any characters.
 * @returns Null where none fits.
 */
export function pricesFor(
  table: { readonly [pattern: string]: Prices },
  model: string,
): Prices | null {
  if (Object.hasOwn(table, model)) return table[model] ?? null;
  const [best] = Object.keys(table).filter((pattern) => fits(pattern, model))
    .toSorted((a, b) => b.length - a.length);
  return best === undefined ? null : table[best] ?? null;
}

/** What the cost of a run depends on. */
interface CostSettings {
  readonly maxCost: number | null;
  readonly priceTable: { readonly [pattern: string]: Prices };
}

/**
 * The prices of the model of a run.
 *
 * @returns Null where none are set and none are needed.
 * @throws {ConfigError} If a limit of the cost is set and could not be held without them.
 */
export function pricesOfRun({ maxCost, priceTable }: CostSettings, model: string): Prices | null {
  const prices = pricesFor(priceTable, model);
  if (prices === null && maxCost !== null) {
    throw new ConfigError(
      `The cost is limited to ${maxCost}, and no prices are set for the model "${model}"`,
      "Set prices for it in ~/.config/rein/config.yaml (see README), or set --max-cost none.",
    );
  }
  return prices;
}
