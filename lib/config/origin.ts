/**
 * Where a value comes from, and how later words go before earlier ones.
 *
 * @module
 */

import type { StandingLayer } from "../yaml/standing_files.ts";
import type { FilePlace } from "../yaml/document.ts";
import type { CapabilityChange } from "../model/capabilities.ts";
import type { McpServer } from "./mcp.ts";
import type { Prices } from "./prices.ts";
import { FIELDS, SETTINGS, type Values } from "./settings.ts";

/** Where a value comes from. */
export type Origin =
  | { readonly kind: "default" }
  | { readonly kind: "file"; readonly layer: StandingLayer; readonly at: FilePlace }
  /** A variable; `file` is the environment file that holds it, null for the environment itself. */
  | { readonly kind: "variable"; readonly name: string; readonly file: string | null }
  | { readonly kind: "flag"; readonly flag: string };

/** A value and where it comes from. */
export interface Found<T> {
  readonly value: T;
  readonly origin: Origin;
}

/** A value of every setting. */
export type FoundValues = { readonly [F in keyof Values]: Found<Values[F]> };

/**
 * What one source says: some settings, prices and capabilities by name of a model, and MCP servers.
 */
export interface Layer {
  readonly values: Partial<FoundValues>;
  readonly prices: { readonly [model: string]: Found<Prices> };
  readonly capabilities: { readonly [model: string]: Found<CapabilityChange> };
  readonly mcp: { readonly [server: string]: Found<McpServer> };
}

/** What all sources come to. */
export interface Joined extends Layer {
  readonly values: FoundValues;
}

/** Looks one setting up; undefined where the source does not say. */
type Find = <F extends keyof Values>(field: F) => Found<Values[F]> | undefined;

/** What a source says of all settings. */
export function valuesFrom(find: Find): Partial<FoundValues> {
  const found = FIELDS.map((field) => [field, find(field)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Partial<FoundValues>;
}

/** What holds where nobody says anything. */
export function fallbackLayer(): Joined {
  const values = valuesFrom((field) => ({
    value: SETTINGS[field].fallback,
    origin: { kind: "default" },
  }));
  return { values: values as FoundValues, prices: {}, capabilities: {}, mcp: {} };
}

/** What a command line says. */
export function flagLayer(given: Partial<Values>): Layer {
  const values = valuesFrom((field) => {
    const value = given[field];
    const { flag } = SETTINGS[field];
    if (value === undefined || flag === null) return undefined;
    return { value: value as Values[typeof field], origin: { kind: "flag", flag } };
  });
  return { values, prices: {}, capabilities: {}, mcp: {} };
}

/** A later word goes before an earlier one. */
export function joined(earlier: Joined, later: Layer): Joined {
  return {
    values: { ...earlier.values, ...later.values },
    prices: { ...earlier.prices, ...later.prices },
    capabilities: { ...earlier.capabilities, ...later.capabilities },
    mcp: { ...earlier.mcp, ...later.mcp },
  };
}

/** Where a value comes from, as people are told: `default`, `FILE:3`, `REIN_MODEL`, `--model`. */
export function originText(origin: Origin): string {
  switch (origin.kind) {
    case "default":
      return "default";
    case "file":
      return `${origin.at.file}:${origin.at.line}`;
    case "variable":
      return origin.file === null ? origin.name : `${origin.name} in ${origin.file}`;
    case "flag":
      return origin.flag;
  }
}
