/**
 * `rein models`: what the server lists.
 *
 * @module
 */

import { shownAddress } from "../config/kinds.ts";
import { contextWindowOf } from "../context/windows.ts";
import { findLocalServer, listServed } from "../model/discover.ts";
import { OPENAI_BASE_URL } from "../model/openai_address.ts";
import type { ServedModel } from "../model/served_model.ts";
import type { Say } from "../messages/messages.ts";
import type { Ports } from "../ports.ts";
import { ModelError } from "../types.ts";
import { loadSettings } from "./load_settings.ts";
import { printable } from "./printable.ts";
import type { SettingOptions } from "./setting_options.ts";
import { textTable } from "./text_table.ts";

/** One model as programs get it. */
interface ModelEntry {
  readonly id: string;
  /** Tokens that it takes at once, as the server says; null where it does not. */
  readonly window: number | null;
  /** What rein takes it to be where nothing else is said. */
  readonly assumed_window: number;
  readonly owned_by: string | null;
}

/** What a server lists. */
interface Listing {
  readonly baseUrl: string;
  readonly served: readonly ServedModel[];
}

function entryOf({ id, window, ownedBy }: ServedModel): ModelEntry {
  return { id, window, assumed_window: contextWindowOf(id), owned_by: ownedBy };
}

function textOf(entries: readonly ModelEntry[], baseUrl: string, say: Say): string {
  const rows = entries.map(({ id, window, assumed_window: assumed, owned_by: owner }) => [
    id,
    window === null ? say("models.about", { tokens: assumed }) : String(window),
    owner ?? "",
  ]);
  const heading = [
    say("models.head_model"),
    say("models.head_window"),
    say("models.head_owner"),
  ];
  const table = rows.length === 0 ? "" : textTable([heading, ...rows]);
  const count = say("models.count", { count: entries.length, url: baseUrl });
  return printable(`${table}${count}\n`);
}

async function listing(
  { baseUrl, apiKey }: { readonly baseUrl: string | null; readonly apiKey: string | null },
  ports: Ports,
  signal: AbortSignal,
): Promise<Listing> {
  if (baseUrl !== null || apiKey !== null) {
    const address = baseUrl ?? OPENAI_BASE_URL;
    return { baseUrl: address, served: await listServed(address, apiKey, ports, { signal }) };
  }
  const found = await findLocalServer(ports, signal);
  signal.throwIfAborted();
  if (found !== null) {
    return {
      baseUrl: found.baseUrl,
      served: await listServed(found.baseUrl, null, ports, { signal }),
    };
  }
  const message = "No server is set, and none was found at the usual ports of this machine";
  const hint = "Set one with --base-url or OPENAI_BASE_URL, or start one.";
  throw new ModelError("no_model", message, { hint });
}

/**
 * Prints what the server lists.
 *
 * @throws {ModelError} If there is no server, or it gives no list.
 * @throws {ConfigError} If a file or a variable can't be used.
 * @throws {OutputError} If it can't be printed.
 */
export async function modelsCommand(
  options: SettingOptions & { readonly output: "text" | "json" },
  ports: Ports,
  signal: AbortSignal,
): Promise<void> {
  const { settings, apiKey } = await loadSettings(options, ports);
  const { baseUrl, served } = await listing({ baseUrl: settings.baseUrl, apiKey }, ports, signal);
  const entries = served.map(entryOf);
  const text = options.output === "json"
    ? `${
      JSON.stringify({ schema: "rein-models/1", base_url: shownAddress(baseUrl), models: entries })
    }\n`
    : textOf(entries, shownAddress(baseUrl), ports.say);
  await ports.terminal.out(text);
}
