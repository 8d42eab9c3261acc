/**
 * Reads files of configuration: YAML, checked by the table of settings, with the place of every
 * mistake. Loaded only where there is such a file.
 *
 * @module
 */

import { closest } from "../calls/closest.ts";
import { type Path, readDocument, shownValue, type YamlContent } from "../yaml/document.ts";
import type { StandingFile } from "../yaml/standing_files.ts";
import type { CapabilityChange } from "../model/capabilities.ts";
import { CAPABILITY_FIELDS, CAPABILITY_NAMES } from "./capabilities.ts";
import { ConfigError } from "./config_error.ts";
import { shownAddress } from "./kinds.ts";
import {
  MCP_FALLBACK,
  MCP_FIELDS,
  MCP_NAMES,
  mcpFault,
  type McpServer,
  SERVER_NAME,
} from "./mcp.ts";
import { type Found, type Layer, type Origin, valuesFrom } from "./origin.ts";
import { PRICE, type Prices, pricesOf } from "./prices.ts";
import { FIELDS, SETTINGS, type Values } from "./settings.ts";

/** A file with what is needed to tell where a value comes from. */
interface Source {
  readonly written: YamlContent;
  originOf(path: Path): Origin;
}

/** The keys of all settings, with dots. */
const KEYS = FIELDS.map((field) => SETTINGS[field].key);

const PRICE_NAMES = ["input", "output", "cached_input"] as const;

/** Maps of settings in the outermost map. */
const MAPS = ["limits", "timeouts"] as const;

/** The names that may stand in the outermost map. */
const OUTER_NAMES = [
  ...new Set([...KEYS.map((key) => key.replace(/\..*/, "")), "prices", "capabilities", "mcp"]),
];

function namesIn(map: string): readonly string[] {
  return KEYS.filter((key) => key.startsWith(`${map}.`)).map(lastOf);
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf(".") + 1);
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

/** A value as it may stand in a message, in one line. */
function shown(value: unknown): string {
  return shownAddress(shownValue(value));
}

function valueError(path: Path, value: unknown, written: YamlContent, wanted: string): ConfigError {
  const message = `Value ${shown(value)} of "${path.join(".")}" is not possible`;
  return new ConfigError(message, `It takes ${wanted}.`, written.placeOf(path));
}

function keyHint(key: string, names: readonly string[]): string {
  if (/^(openai_?)?(api_?)?(key|token|secret|password)$/i.test(key)) {
    return "Keys do not belong into this file: set OPENAI_API_KEY in the environment or an " +
      "--env-file.";
  }
  const named = (name: string | undefined) => KEYS.find((known) => lastOf(known) === name);
  const elsewhere = named(key);
  if (elsewhere !== undefined) return `Its place is "${elsewhere}".`;
  const near = closest(key, names)[0] ?? named(closest(key, KEYS.map(lastOf))[0]);
  return near === undefined ? `The keys here are ${names.join(", ")}.` : `Did you mean "${near}"?`;
}

/** The map at a path; what is left empty, or out, is an empty one. */
function mapAt(path: Path, written: YamlContent): Readonly<Record<string, unknown>> {
  const value = valueAt(written.content, path) ?? {};
  if (typeof value === "object" && !Array.isArray(value)) return { ...value };
  const where = path.length === 0 ? "The file" : `"${path.join(".")}"`;
  const message = `${where} holds ${shown(value)} where keys with values should be`;
  throw new ConfigError(message, "Correct it.", written.placeOf(path));
}

/** A map that has no other keys than these. */
function checkedMap(
  path: Path,
  names: readonly string[],
  written: YamlContent,
): Readonly<Record<string, unknown>> {
  const map = mapAt(path, written);
  const unknown = Object.keys(map).find((key) => !names.includes(key));
  if (unknown === undefined) return map;
  const at = written.placeOfKey(path, unknown);
  throw new ConfigError(`Unknown key "${unknown}"`, keyHint(unknown, names), at);
}

function readSetting<F extends keyof Values>(
  field: F,
  { written, originOf }: Source,
): Found<Values[F]> | undefined {
  const { key, kind } = SETTINGS[field];
  const path = key.split(".");
  const raw = valueAt(written.content, path);
  if (raw === undefined) return undefined;
  const value = kind.fromFile(raw);
  if (value === undefined) throw valueError(path, raw, written, kind.wanted);
  return { value, origin: originOf(path) };
}

function readPricesOf(model: string, written: YamlContent): Prices {
  const path = ["prices", model];
  const map = checkedMap(path, PRICE_NAMES, written);
  const read = (name: typeof PRICE_NAMES[number]): number => {
    const value = PRICE.fromFile(map[name]);
    if (value === undefined) throw valueError([...path, name], map[name], written, PRICE.wanted);
    return value;
  };
  const missing = (["input", "output"] as const).find((name) => map[name] === undefined);
  if (missing !== undefined) {
    const message = `"${path.join(".")}" has no "${missing}"`;
    throw new ConfigError(message, "Add it.", written.placeOfKey(["prices"], model));
  }
  const prices = { input: read("input"), output: read("output") };
  if (map["cached_input"] === undefined) return pricesOf(prices);
  return pricesOf({ ...prices, cached_input: read("cached_input") });
}

function readPrices({ written, originOf }: Source): Layer["prices"] {
  const models = Object.keys(mapAt(["prices"], written));
  return Object.fromEntries(models.map((model) => {
    const origin = originOf(["prices", model]);
    return [model, { value: readPricesOf(model, written), origin }];
  }));
}

function readCapabilitiesOf(model: string, written: YamlContent): CapabilityChange {
  const path = ["capabilities", model];
  const keys = CAPABILITY_NAMES.map((name) => CAPABILITY_FIELDS[name].key);
  const map = checkedMap(path, keys, written);
  const said = CAPABILITY_NAMES.filter((name) => map[CAPABILITY_FIELDS[name].key] !== undefined);
  return Object.fromEntries(said.map((name) => {
    const { key, kind } = CAPABILITY_FIELDS[name];
    const value = kind.fromFile(map[key]);
    if (value === undefined) throw valueError([...path, key], map[key], written, kind.wanted);
    return [name, value];
  }));
}

function readCapabilities({ written, originOf }: Source): Layer["capabilities"] {
  const models = Object.keys(mapAt(["capabilities"], written));
  return Object.fromEntries(models.map((model) => {
    const origin = originOf(["capabilities", model]);
    return [model, { value: readCapabilitiesOf(model, written), origin }];
  }));
}

function readMcpServer(name: string, written: YamlContent): McpServer {
  const path = ["mcp", name];
  const at = written.placeOfKey(["mcp"], name);
  if (!SERVER_NAME.test(name)) {
    const hint = "A name has letters, digits and -, and single _ between them; 32 at the most.";
    throw new ConfigError(`An MCP server can't be named ${shown(name)}`, hint, at);
  }
  const map = checkedMap(path, MCP_NAMES.map((field) => MCP_FIELDS[field].key), written);
  const said = MCP_NAMES.filter((field) => map[MCP_FIELDS[field].key] !== undefined);
  const read = Object.fromEntries(said.map((field) => {
    const { key, kind } = MCP_FIELDS[field];
    const value = kind.fromFile(map[key]);
    if (value === undefined) throw valueError([...path, key], map[key], written, kind.wanted);
    return [field, value];
  }));
  const server: McpServer = { ...MCP_FALLBACK, ...read };
  const fault = mcpFault(server, said);
  if (fault === null) return server;
  const place = fault.key === null ? at : written.placeOfKey(path, fault.key);
  throw new ConfigError(`"mcp.${name}" ${fault.message}`, fault.hint, place);
}

function readMcp({ written, originOf }: Source): Layer["mcp"] {
  const names = Object.keys(mapAt(["mcp"], written));
  return Object.fromEntries(names.map((name) => {
    return [name, { value: readMcpServer(name, written), origin: originOf(["mcp", name]) }];
  }));
}

/**
 * Reads one file.
 *
 * @throws {ConfigError} If it is not YAML, has a key that is unknown or a value that is not
 *   possible; with line and column.
 */
export function readConfig({ path: file, layer, text }: StandingFile): Layer {
  const written = readDocument(
    text,
    file,
    (message, at) => new ConfigError(message, "Correct the file.", at),
  );
  const originOf = (path: Path): Origin => {
    const at = written.placeOfKey(path.slice(0, -1), String(path.at(-1)));
    return { kind: "file", layer, at };
  };
  checkedMap([], OUTER_NAMES, written);
  for (const map of MAPS) checkedMap([map], namesIn(map), written);
  const source = { written, originOf };
  return {
    values: valuesFrom((field) => readSetting(field, source)),
    prices: readPrices(source),
    capabilities: readCapabilities(source),
    mcp: readMcp(source),
  };
}
