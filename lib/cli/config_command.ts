/**
 * `rein config show`: every setting, and where its value comes from.
 *
 * @module
 */

import { writtenCapabilities } from "../config/capabilities.ts";
import { shownAddress } from "../config/kinds.ts";
import type { Config } from "../config/load.ts";
import { writtenMcpServer } from "../config/mcp.ts";
import { originText } from "../config/origin.ts";
import { FIELDS, SETTINGS, type Values } from "../config/settings.ts";
import type { Say } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import type { Json } from "../types.ts";
import { type InForce, loadInForce } from "./load_settings.ts";
import { printable } from "./printable.ts";
import { textTable } from "./text_table.ts";
import type { SettingOptions } from "./setting_options.ts";

/** One setting as programs get it. */
interface Entry {
  readonly key: string;
  /** As a file would hold it; never a secret. */
  readonly value: Json;
  readonly from: string;
}

function entryOf<F extends keyof Values>(field: F, { values }: Config): Entry {
  const { key, kind } = SETTINGS[field];
  const { value, origin } = values[field];
  const shown = kind.toFile(value);
  return {
    key,
    value: field === "baseUrl" && typeof shown === "string" ? shownAddress(shown) : shown,
    from: originText(origin),
  };
}

function priceEntries({ prices }: Config): Entry[] {
  return Object.entries(prices).map(([model, { value, origin }]) => ({
    key: `prices.${model}`,
    value: { input: value.input, output: value.output, cached_input: value.cachedInput },
    from: originText(origin),
  }));
}

function capabilityEntries({ capabilities }: Config): Entry[] {
  return Object.entries(capabilities).map(([model, { value, origin }]) => ({
    key: `capabilities.${model}`,
    value: writtenCapabilities(value),
    from: originText(origin),
  }));
}

/** Stands for the key. */
const HIDDEN = "(hidden)";

function mcpEntries({ mcp }: Config): Entry[] {
  return Object.entries(mcp).map(([name, { value, origin }]) => ({
    key: `mcp.${name}`,
    value: writtenMcpServer(value),
    from: originText(origin),
  }));
}

/** That there is a key, and where it is from; not the key. */
function keyEntry({ key }: InForce): Entry {
  const from = key === null
    ? "default"
    : originText({ kind: "variable", name: key.name, file: key.file });
  return { key: "api_key", value: key === null ? null : HIDDEN, from };
}

function valueText(value: Json): string {
  if (value === null) return "none";
  if (typeof value !== "object") return String(value);
  const shown = (part: Json) => Array.isArray(part) ? `[${part.join(", ")}]` : String(part);
  return Object.entries(value).map(([name, part]) => `${name} ${shown(part)}`).join(", ");
}

/** Where a value comes from, in words. */
function fromText(from: string, say: Say): string {
  if (from === "default") return say("config.default");
  const [, name, file] = /^([A-Z_]+) in (.+)$/s.exec(from) ?? [];
  return name && file ? say("config.variable_in", { name, file }) : from;
}

function textOf(entries: readonly Entry[], files: Config["files"], say: Say): string {
  const rows = entries.map(({ key, value, from }) => {
    const shown = value === HIDDEN ? say("config.hidden") : valueText(value);
    return [key, shown, fromText(from, say)];
  });
  const places = files.map(({ path, read }) =>
    read ? `  ${path}\n` : `${say("config.not_read", { path })}\n`
  );
  return printable(`${textTable(rows)}\n${say("config.files")}\n${places.join("")}`);
}

/**
 * Prints the configuration in force.
 *
 * @throws {ConfigError} If a file or a variable can't be used.
 * @throws {UsageError} If the environment file can't be read.
 * @throws {OutputError} If it can't be printed.
 */
export async function showConfig(
  options: SettingOptions & { readonly output: "text" | "json" },
  ports: Pick<Ports, "files" | "env" | "terminal" | "say">,
): Promise<void> {
  const inForce = await loadInForce(options, ports);
  const { config } = inForce;
  const entries = [
    ...FIELDS.map((field) => entryOf(field, config)),
    ...priceEntries(config),
    ...capabilityEntries(config),
    ...mcpEntries(config),
    keyEntry(inForce),
  ];
  const text = options.output === "json"
    ? `${JSON.stringify({ schema: "rein-config/1", settings: entries, files: config.files })}\n`
    : textOf(entries, config.files, ports.say);
  await ports.terminal.out(text);
}
