/**
 * Reads files of configuration: YAML, checked against the schema, with the place of every
 * mistake. Loaded only where there is such a file.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import { type Path, readDocument, type YamlContent } from "../yaml/document.ts";
import { createCheck, faultWords, type SchemaFault, shownValue } from "../yaml/schema_fault.ts";
import type { StandingFile } from "../yaml/standing_files.ts";
import { ConfigError } from "./config_error.ts";
import { shownAddress } from "./kinds.ts";
import { type Found, type Layer, type Origin, valuesFrom } from "./origin.ts";
import { pricesFromFile, type WrittenPrices } from "./prices.ts";
import { CONFIG_SCHEMA } from "./schema.ts";
import { FIELDS, type Setting, SETTINGS, type Values } from "./settings.ts";

const check = createCheck(CONFIG_SCHEMA);

const CORRECT = "Correct the file.";

/** Turns a place of a file into an origin. */
type OriginOf = (path: Path) => Origin;

function settingAt(path: Path): Setting<Values[keyof Values]> | undefined {
  const key = path.join(".");
  return FIELDS.map((field): Setting<Values[keyof Values]> => SETTINGS[field] as never)
    .find((setting) => setting.key === key);
}

function valueError(path: Path, value: unknown, written: YamlContent, wanted: string): ConfigError {
  const message = `Value ${shownAddress(shownValue(value))} of "${path.join(".")}" is not possible`;
  return new ConfigError(message, `It takes ${wanted}.`, written.placeOf(path));
}

/** The names that may stand in the map at a path. */
function namesAt(path: Path): readonly string[] {
  if (path[0] === "prices") return ["input", "output", "cached_input"];
  const prefix = path.map((step) => `${step}.`).join("");
  const names = FIELDS.map((field) => SETTINGS[field].key)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length).replace(/\..*/, ""));
  return [...new Set([...names, ...path.length === 0 ? ["prices"] : []])];
}

function keyHint(path: Path, key: string): string {
  if (/^(openai_?)?(api_?)?(key|token|secret|password)$/i.test(key)) {
    return "Keys do not belong into this file: set OPENAI_API_KEY in the environment or an " +
      "--env-file.";
  }
  const keys = FIELDS.map((field) => SETTINGS[field].key);
  const named = (name: string | undefined) => keys.find((known) => lastOf(known) === name);
  const elsewhere = named(key);
  if (elsewhere !== undefined) return `Its place is "${elsewhere}".`;
  const names = namesAt(path);
  const near = closest(key, names)[0] ?? named(closest(key, keys.map(lastOf))[0]);
  return near === undefined ? `The keys here are ${names.join(", ")}.` : `Did you mean "${near}"?`;
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
}

function errorOf(fault: SchemaFault, written: YamlContent): ConfigError {
  const { path, params } = fault;
  const setting = settingAt(path);
  if (setting !== undefined) return valueError(path, fault.value, written, setting.kind.wanted);
  if (fault.keyword === "additionalProperties") {
    const key = String(params["additionalProperty"]);
    const at = written.placeOfKey(path, key);
    return new ConfigError(`Unknown key "${key}"`, keyHint(path, key), at);
  }
  const { message, at } = faultWords(fault, written, "configuration");
  return new ConfigError(message, CORRECT, at);
}

/** The value at a path, undefined where there is none. */
function valueAt(content: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step)
        ? (value as Readonly<Record<string, unknown>>)[step]
        : undefined,
    content,
  );
}

function readSetting<F extends keyof Values>(
  field: F,
  written: YamlContent,
  originOf: OriginOf,
): Found<Values[F]> | undefined {
  const { key, kind } = SETTINGS[field];
  const path = key.split(".");
  const raw = valueAt(written.content, path);
  if (raw === undefined) return undefined;
  const value = kind.fromFile(raw);
  if (value === undefined) throw valueError(path, raw, written, kind.wanted);
  return { value, origin: originOf(path) };
}

function readPrices(written: YamlContent, originOf: OriginOf): Layer["prices"] {
  const table = valueAt(written.content, ["prices"]) ?? {};
  const entries = Object.entries(table as Readonly<Record<string, WrittenPrices>>);
  return Object.fromEntries(entries.map(([model, prices]) => [model, {
    value: pricesFromFile(prices),
    origin: originOf(["prices", model]),
  }]));
}

/**
 * Reads one file.
 *
 * @throws {ConfigError} If it is not YAML, has a key that is unknown or a value that is not
 *   possible; with line and column.
 */
export function readConfig({ path: file, layer, text }: StandingFile): Layer {
  const written = readDocument(text, file, (message, at) => new ConfigError(message, CORRECT, at));
  const fault = check(written.content);
  if (fault !== null) throw errorOf(fault, written);
  const originOf: OriginOf = (path) => {
    const key = path.at(-1);
    return {
      kind: "file",
      layer,
      at: written.placeOfKey(path.slice(0, -1), String(key)),
    };
  };
  return {
    values: valuesFrom((field) => readSetting(field, written, originOf)),
    prices: readPrices(written, originOf),
  };
}
