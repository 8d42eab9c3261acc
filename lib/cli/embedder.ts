/**
 * What turns texts into vectors: the embedding model of the settings, at the address and with the
 * key of the model.
 *
 * @module
 */

import { findLocalServer } from "../model/discover.ts";
import { OPENAI_BASE_URL } from "../model/openai_address.ts";
import type { Ports } from "../ports.ts";
import type { Embedder } from "../retrieval/embed.ts";
import type { Model } from "../types.ts";
import { loadSettings, type RunSettings } from "./load_settings.ts";

/** What the choice of an embedder depends on. */
export type EmbedderSettings =
  & Pick<RunSettings, "apiKey">
  & Pick<RunSettings["settings"], "embeddingModel" | "baseUrl">;

/**
 * Chooses what turns texts into vectors.
 *
 * @param model The model of the run; null where there is none, and a server is looked for.
 * @returns Null if no such model is set, or there is no server for it.
 */
export async function chooseEmbedder(
  { embeddingModel, baseUrl: given, apiKey }: EmbedderSettings,
  ports: Ports,
  { model, signal }: { readonly model: Model | null; readonly signal: AbortSignal },
): Promise<Embedder | null> {
  if (embeddingModel === null) return null;
  const asked = model === null || model.recorded ? null : model.source;
  const baseUrl = given ?? asked ?? (apiKey === null ? null : OPENAI_BASE_URL) ??
    (await findLocalServer(ports, signal))?.baseUrl;
  if (baseUrl === undefined) return null;
  const { createEmbedder } = await import("../retrieval/embed.ts");
  return createEmbedder({ baseUrl, apiKey, model: embeddingModel }, ports);
}

/**
 * Chooses it where there is no run.
 *
 * @throws {ConfigError} If a file or a variable can't be used.
 * @throws {UsageError} If the key is none.
 */
export async function embedderHere(ports: Ports, signal: AbortSignal): Promise<Embedder | null> {
  const { settings, apiKey } = await loadSettings({}, ports);
  return await chooseEmbedder({ ...settings, apiKey }, ports, { model: null, signal });
}
